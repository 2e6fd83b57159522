// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Posix

/// The options of a program's command line.
package protocol ProgramOptions: Equatable {
    static var program: String { get }
    static var version: String { get }
    static var help: String { get }
    static var parser: OptionParser { get }

    /// The lowest level that is logged; `--log-level` sets it.
    var logLevel: Logger.Level { get set }

    init()
    /// Sets an option; returns the reason if the value is invalid.
    mutating func set(_ option: String, to text: String) -> String?
}

/// What to do with a command line.
package enum ProgramRequest<Options: ProgramOptions>: Equatable {
    case run(Options)
    /// Print this on standard output and exit with success.
    case print(String)
    /// Print this on standard error and exit with EX_USAGE.
    case refuse(String)
}

extension ProgramOptions {
    /// Parses a command line; the first argument is the program's name.
    package static func parse(_ arguments: [String]) -> ProgramRequest<Self> {
        switch parser.parse(arguments) {
        case .help: return .print(help)
        case .version: return .print("\(program) \(version)\n")
        case .refuse(let message): return .refuse(message)
        case .options(let found):
            var options = Self()
            for (name, value) in found {
                if name == "log-level" {
                    guard let level = Logger.Level(rawValue: value) else {
                        return .refuse(invalid(name, value, Logger.Level.allCases.map(\.rawValue)))
                    }
                    options.logLevel = level
                } else if let message = options.set(name, to: value) {
                    return .refuse(message)
                }
            }
            return .run(options)
        }
    }

    /// The message about a value that is not one of the valid ones.
    package static func invalid(_ option: String, _ text: String, _ valid: [String]) -> String {
        "--\(option): invalid value '\(text)': must be \(valid.dropLast().joined(separator: ", ")) or \(valid.last ?? "")"
    }

    /// Returns the options of this process. Ends it after printing a help text or an error.
    package static func ofProcess(log: (Logger.Level) -> Logger) -> Self {
        switch parse(ProcessArguments.read { log(.error).error("\($0)") }) {
        case .run(let options): return options
        case .print(let text):
            do {
                try StandardOutput.write(text)
                exit(EXIT_SUCCESS)
            } catch {
                log(.error).error("\(error)")
                exit(EXIT_FAILURE)
            }
        case .refuse(let message):
            log(.error).error("\(message); see \(program) --help")
            exit(EX_USAGE)
        }
    }
}
