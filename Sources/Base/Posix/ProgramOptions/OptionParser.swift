// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// Parses the long options of a command line with getopt_long(3); `--help`, `-h`, `--version` and `-V` are built in.
///
///     let parser = OptionParser([.value("sensor"), .flag("dbus")])
///     parser.parse(["orientationd", "--sensor", "auto"])    // .options([("sensor", "auto")])
package struct OptionParser {
    package struct Option: Sendable {
        fileprivate let name: String
        fileprivate let takesValue: Bool

        /// An option with a value, which must not be empty.
        package static func value(_ name: String) -> Option { Option(name: name, takesValue: true) }

        package static func flag(_ name: String) -> Option { Option(name: name, takesValue: false) }
    }

    /// What a command line asks for.
    package enum Request {
        /// The options in their order; the value of a flag is empty.
        case options([(name: String, value: String)])
        case help
        case version
        /// The command line is invalid: the message names the option, the value and what is valid.
        case refuse(String)
    }

    private let options: [Option]

    package init(_ options: [Option]) {
        self.options = options + [.flag("help"), .flag("version")]
    }

    /// Parses a command line; the first argument is the program's name. Operands are refused.
    package func parse(_ arguments: [String]) -> Request {
        withTable { table in
            Self.withArgumentVector(arguments) { count, vector in
                var found: [(name: String, value: String)] = []
                cposix_getopt_restart()
                while true {
                    // The colon disables getopt's own messages.
                    var index: Int32 = -1
                    let result = getopt_long(count, vector, "+:hV", table, &index)
                    switch result {
                    case -1:
                        let rest = Int(cposix_optind())
                        guard rest < arguments.count else { return .options(found) }
                        return .refuse("unexpected argument '\(arguments[rest])'")
                    case Self.code("h"): return .help
                    case Self.code("V"): return .version
                    case Self.code(":"): return .refuse("\(Self.last(arguments)): value missing")
                    case Self.longOption:
                        let option = options[Int(index)]
                        if option.name == "help" { return .help }
                        if option.name == "version" { return .version }
                        let value = cposix_optarg().map { String(cString: $0) } ?? ""
                        if option.takesValue, value.isEmpty {
                            return .refuse("--\(option.name): invalid value '': must not be empty")
                        }
                        found.append((option.name, value))
                    default: return .refuse(Self.refusal(arguments))
                    }
                }
            }
        }
    }

    /// What getopt_long returns for each long option: no character has this code.
    private static let longOption: Int32 = 256

    /// Calls `body` with getopt's table.
    private func withTable<Result>(_ body: (UnsafePointer<option>) -> Result) -> Result {
        let names = options.map { strdup($0.name) }
        defer { names.forEach { free($0) } }
        var table = zip(names, options).map { name, row in
            option(
                name: name, has_arg: row.takesValue ? required_argument : no_argument, flag: nil, val: Self.longOption)
        }
        table.append(option())
        return table.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the table ends with an empty row") }
            return body(base)
        }
    }

    /// Calls `body` with the arguments as a C vector.
    private static func withArgumentVector<Result>(
        _ arguments: [String], _ body: (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        // getopt permutes the vector, not the copies.
        defer { copies.forEach { free($0) } }
        var vector = copies + [nil]
        return vector.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the vector ends with nil") }
            return body(Int32(arguments.count), base)
        }
    }

    /// The message about an unknown option, or about a flag with a value.
    private static func refusal(_ arguments: [String]) -> String {
        switch cposix_optopt() {
        case 0: return "unknown option \(last(arguments))"
        case longOption:
            let words = last(arguments).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return "\(words[0]): invalid value '\(words.last ?? "")': takes no value"
        // Others may follow in the same argument.
        case let code: return "unknown option -\(String(decoding: [UInt8(truncatingIfNeeded: code)], as: UTF8.self))"
        }
    }

    /// The argument that getopt refused.
    private static func last(_ arguments: [String]) -> String {
        let index = Int(cposix_optind()) - 1
        return arguments.indices.contains(index) ? arguments[index] : "an option"
    }

    private static func code(_ character: Character) -> Int32 {
        Int32(character.asciiValue ?? 0)
    }
}
