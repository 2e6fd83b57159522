// SPDX-License-Identifier: Apache-2.0

/// What stands behind the scheme of a sensor's URI: a name, and options behind a question mark.
struct SourceAddress {
    let name: String
    private let options: [String: String]

    /// Reads `NAME` or `NAME?key=value&key=value`; only the options in `known` are taken.
    ///
    /// A question mark in a file's name is part of the name unless `key=` follows it.
    init(parsing text: String, known: Set<String>) throws(SensorFailure) {
        guard let mark = text.lastIndex(of: "?"), text[mark...].contains("=") else {
            name = text
            options = [:]
            return
        }
        name = String(text[..<mark])
        var options: [String: String] = [:]
        for option in text[text.index(after: mark)...].split(separator: "&") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, known.contains(String(parts[0])) else {
                let names = known.sorted().map { "\($0)=…" }.joined(separator: " and ")
                throw .unusable("'\(option)' is no option of this source, which has \(names)")
            }
            options[String(parts[0])] = String(parts[1])
        }
        self.options = options
    }

    /// The option as it was written; nil where it was not.
    subscript(option: String) -> String? { options[option] }

    /// An option that is on or off.
    func flag(_ option: String) throws(SensorFailure) -> Bool {
        switch self[option] {
        case nil, "0": return false
        case "1": return true
        case let text?: throw .unusable("\(option)=\(text) means nothing; 0 or 1 is expected")
        }
    }
}
