// SPDX-License-Identifier: Apache-2.0

/// The description of an interface in Varlink's interface definition language.
///
///     let interface = InterfaceDescription("interface org.example.lamp\nmethod Light() -> ()")
public struct InterfaceDescription: Hashable, Sendable {
    /// The text, which GetInterfaceDescription returns.
    public let text: String
    /// The name, for example `org.varlink.service`.
    public let name: String
    /// The names of the methods.
    public let methods: [String]

    /// Finds the names in a valid description, whose lines begin with `interface` and `method`.
    public init(_ text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        func names(after keyword: String) -> [String] {
            lines.filter { $0.starts(with: keyword.utf8) }.map { line in
                String(decoding: line.dropFirst(keyword.utf8.count).prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self)
            }
        }
        self.text = text
        name = names(after: "interface ").first ?? ""
        methods = names(after: "method ")
    }
}
