// SPDX-License-Identifier: Apache-2.0

import DesktopEntry
import OrientationWire
import Posix

/// Finds the program that a command starts.
enum HeldCommand {
    /// What a command starts.
    enum Target: Hashable {
        /// An app, by its ID.
        case app(String, launcher: String)
        case program(String)
    }

    /// The commands that start another one, with the options that have a value in the next word.
    private static let launchers: [String: Set<String>] = [
        "env": ["-u", "--unset", "-C", "--chdir"], "nohup": [], "setsid": [], "gamemoderun": [],
        "nice": ["-n", "--adjustment"], "ionice": ["-c", "--class", "-n", "--classdata"],
        "stdbuf": ["-i", "--input", "-o", "--output", "-e", "--error"],
        "timeout": ["-k", "--kill-after", "-s", "--signal"],
        "systemd-run": [
            "-u", "--unit", "-p", "--property", "-E", "--setenv", "-M", "--machine", "-H", "--host", "--slice",
            "--description", "--service-type", "--uid", "--gid", "--nice", "--working-directory",
        ],
        "flatpak": [
            "--command", "--branch", "--arch", "--cwd", "--env", "--filesystem", "--socket", "--device", "--app-path",
            "--usr-path", "--runtime", "--runtime-version", "--own-name", "--talk-name", "--persist",
        ],
        "snap": [], "gtk-launch": [], "sh": ["-o"], "bash": ["-o"], "dash": ["-o"],
        "python": ["-W", "-X"], "python3": ["-W", "-X"],
    ]

    /// The launchers that run a file, or the code in the word after `-c`, instead of a program.
    private static let interpreters: Set<String> = ["sh", "bash", "dash", "python", "python3"]

    /// Follows launchers, without their options, and assignments of variables.
    static func target(of command: [String]) -> Target {
        var rest = command[...]
        while let word = rest.first, let name = baseName(word), let valued = launchers[name] {
            rest = rest.dropFirst()
            if name == "flatpak" || name == "snap" {
                rest = rest.drop { $0.hasPrefix("-") }
                guard rest.first == "run" else { return .program(word) }
                rest = rest.dropFirst()
            }
            var last = ""
            while let option = rest.first, option.hasPrefix("-"), last != "--" {
                last = option
                rest = rest.dropFirst(valued.contains(option) ? 2 : 1)
                // No option follows `-c`, or `-m` of Python.
                if interpreters.contains(name), runsCode(option) || name.hasPrefix("python") && option == "-m" { break }
            }
            if name == "timeout" { rest = rest.dropFirst() }
            guard let next = rest.first else { break }
            switch name {
            case "env": rest = rest.drop { $0.contains("=") }
            case "flatpak":
                let id = String(next.prefix { $0 != "/" })
                return DisplayInterface.isValid(appID: id) ? .app(id, launcher: "flatpak run") : .program(word)
            case "gtk-launch":
                let suffix = ".desktop"
                return .app(next.hasSuffix(suffix) ? String(next.dropLast(suffix.count)) : next, launcher: name)
            case _ where !interpreters.contains(name): break
            case _ where !runsCode(last): return .program(next)
            case "python", "python3": return .program(word)
            default:
                rest = next.split { $0.isWhitespace || ";&|".contains($0) }.map(String.init)[...]
                    .drop { $0 == "exec" || $0.contains("=") }
            }
        }
        return .program(rest.first ?? command[0])
    }

    /// Whether the next word is code: `-c`, also together with other letters.
    private static func runsCode(_ option: String) -> Bool { !option.hasPrefix("--") && option.hasSuffix("c") }

    static func baseName(_ path: String) -> String? { path.split(separator: "/").last.map(String.init) }
}

/// The app ID under which a program holds, and where it comes from.
struct HeldApp: CustomStringConvertible {
    let id: String
    private let origin: String

    init(id: String?, _ target: HeldCommand.Target, environment: [String: String] = Environment.values) {
        if let id {
            (self.id, origin) = (id, "--app-id")
            return
        }
        switch target {
        case .app(let app, let launcher): (self.id, origin) = (app, launcher)
        case .program(let program):
            var files = DesktopFiles(DesktopFolders(environment: environment))
            if let file = files.find(program: program) {
                (self.id, origin) = (file.id, file.path)
            } else {
                self.id = HeldCommand.baseName(program) ?? program
                origin = "a guess from the name of the program; --app-id sets it"
            }
        }
    }

    var description: String { "app \(id) (\(origin))" }
}
