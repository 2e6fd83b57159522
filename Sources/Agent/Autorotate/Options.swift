// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
package import Posix
package import Systemd

/// The options of the agent's command line.
package struct Options: Hashable, Sendable, ProgramOptions {
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

    package init() {}

    package static let program = "orientation-autorotate"
    package static let version = Version.current
    package static let parser = OptionParser([
        .value("output"), .value("when"), .value("orientations"), .value("on-exit"), .value("exec"),
        .value("apps-when"), .flag("suggest"), .flag("dry-run"), .flag("json"), .flag("list"), .value("socket"),
        .value("log-level"),
    ])

    package mutating func set(_ option: String, to text: String) -> String? {
        switch option {
        case "output": settings.output = text
        case "exec": command = text
        case "socket": socket = text
        case "suggest": settings.suggests = true
        case "dry-run": settings.isDryRun = true
        case "json": printsJSON = true
        case "list": listsOutputs = true
        case "when":
            guard let when = Settings.When(rawValue: text) else {
                return Self.invalid(option, text, Settings.When.allCases.map(\.rawValue))
            }
            settings.when = when
        case "apps-when":
            guard let when = Settings.AppsWhen(rawValue: text) else {
                return Self.invalid(option, text, Settings.AppsWhen.allCases.map(\.rawValue))
            }
            settings.appsWhen = when
        case "orientations":
            do throws(OrientationList.UnknownWord) {
                let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                settings.orientations = try OrientationList(words, refusesUIKitLandscapes: true)
            } catch {
                let meaning = OrientationWord.meaning(ofUIKitName: error.word).map { "; \($0)" } ?? ""
                return Self.invalid(option, error.word, OrientationWord.allCases.map(\.rawValue)) + meaning
            }
        case "on-exit":
            switch text {
            case "restore": settings.restoresOnExit = true
            case "keep": settings.restoresOnExit = false
            default: return Self.invalid(option, text, ["restore", "keep"])
            }
        default: return "--\(option): unknown option"
        }
        return nil
    }

    package static let help = """
        Usage: orientation-autorotate [OPTION]...
        Rotate the internal display with the device, and keep touch screens and pens aligned.

          --output NAME[,NAME]    outputs to rotate as one body (default: the internal one)
          --when MODE             when to rotate: always, tablet or never (default: tablet)
          --orientations LIST     orientations to allow, as in portrait,landscape-primary (default: any)
          --apps-when SIZE        windows whose apps restrict rotation: fullscreen, maximized, focused or never
                                  (default: fullscreen)
          --on-exit ACTION        restore the previous rotation on exit, or keep the new one (default: restore)
          --exec COMMAND          shell command to run after each rotation ($OUTPUT_ROTATION)
          --suggest               suggest a rotation by a notification while locked
          --dry-run               print what would be rotated, and change nothing
          --json                  print each event as a line of JSON
          --list                  print the outputs and exit
          --socket PATH           socket of orientationd (default: $ORIENTATIOND_SOCKET, else the system's if it
                                  exists, else the user's)
          --log-level LEVEL       trace, debug, info, notice, warning, error or critical (default: info)
          --version, -V           print the version and exit
          --help, -h              print the options and exit

        See orientation-autorotate(1) and orientationctl(1).

        """
}
