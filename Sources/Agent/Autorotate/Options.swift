// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Posix
package import Systemd

/// The options of the agent's command line.
package struct Options: Hashable, Sendable {
    /// The settings of the policy.
    var settings = Settings()
    /// The command of `--exec`.
    var command: String?
    /// The path of the daemon's socket; nil for the default.
    var socket: String?
    /// Whether events are printed as JSON on standard output.
    var printsJSON = false
    /// Whether the outputs are printed instead of rotated.
    package var listsOutputs = false
    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info

    /// What to do with a command line.
    package enum Request: Hashable, Sendable {
        case run(Options)
        /// Print this on standard output and exit with success.
        case print(String)
        /// Print this on standard error and exit with EX_USAGE.
        case refuse(String)
    }

    /// The longest delay, in seconds.
    private static let delays = 0.0...60.0

    private static let parser = OptionParser([
        .value("output"), .value("when"), .value("orientations"), .value("delay"), .value("on-exit"), .value("exec"),
        .value("apps-when"), .flag("dry-run"), .flag("json"), .flag("list"), .value("socket"),
        .value("log-level"),
    ])

    /// Parses a command line; the first argument is the program's name.
    package static func parse(_ arguments: [String]) -> Request {
        switch parser.parse(arguments) {
        case .help: return .print(help)
        case .version: return .print("orientation-autorotate \(Version.current)\n")
        case .refuse(let message): return .refuse(message)
        case .options(let found):
            var options = Options()
            for (name, value) in found {
                if let message = options.set(name, to: value) { return .refuse("--\(name): \(message)") }
            }
            return .run(options)
        }
    }

    /// Sets an option; returns the reason if the value is invalid.
    private mutating func set(_ option: String, to text: String) -> String? {
        switch option {
        case "output": settings.output = text
        case "exec": command = text
        case "socket": socket = text
        case "dry-run": settings.isDryRun = true
        case "json": printsJSON = true
        case "list": listsOutputs = true
        case "when":
            guard let when = Settings.When(rawValue: text) else {
                return Self.invalid(text, Settings.When.allCases.map(\.rawValue))
            }
            settings.when = when
        case "apps-when":
            guard let when = Settings.AppsWhen(rawValue: text) else {
                return Self.invalid(text, Settings.AppsWhen.allCases.map(\.rawValue))
            }
            settings.appsWhen = when
        case "orientations":
            do throws(OrientationList.UnknownWord) {
                let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                settings.orientations = try OrientationList(words, reading: .option)
            } catch {
                let meaning = OrientationWord.meaning(ofUIKitName: error.word).map { "; \($0)" } ?? ""
                return Self.invalid(error.word, OrientationWord.allCases.map(\.rawValue)) + meaning
            }
        case "delay":
            guard let delay = Double(text), Self.delays.contains(delay) else {
                return "invalid value '\(text)': must be 0 to \(Int(Self.delays.upperBound)) seconds"
            }
            settings.delay = delay
        case "on-exit":
            switch text {
            case "restore": settings.restoresOnExit = true
            case "keep": settings.restoresOnExit = false
            default: return Self.invalid(text, ["restore", "keep"])
            }
        case "log-level":
            guard let level = Logger.Level(rawValue: text) else {
                return Self.invalid(text, Logger.Level.allCases.map(\.rawValue))
            }
            logLevel = level
        default: return "unknown option"
        }
        return nil
    }

    private static func invalid(_ text: String, _ valid: [String]) -> String {
        "invalid value '\(text)': must be \(valid.dropLast().joined(separator: ", ")) or \(valid.last ?? "")"
    }

    static let help = """
        Usage: orientation-autorotate [OPTION]...
        Rotate the internal display with the device, and keep touch screens and pens aligned.

          --output NAME           output to rotate (default: the internal one)
          --when MODE             when to rotate: always, tablet or never
          --orientations LIST     orientations to allow, separated by commas
          --delay SECONDS         seconds that a new orientation must last (0 to 60)
          --apps-when SIZE        windows whose apps restrict rotation (default: fullscreen)
          --on-exit ACTION        restore the previous rotation on exit, or keep the new one
          --exec COMMAND          shell command to run after each rotation ($OUTPUT_ROTATION)
          --dry-run               print what would be rotated, and change nothing
          --json                  print each event as a line of JSON
          --list                  print the outputs and exit
          --socket PATH           socket of orientationd
          --log-level LEVEL       lowest level to log (default: info)
          --version, -V           print the version and exit
          --help, -h              print the options and exit

        See orientation-autorotate(1) and orientationctl(1).

        """
}
