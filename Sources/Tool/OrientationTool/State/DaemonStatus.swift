// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationWire
import Posix
import Varlink

/// `orientationctl daemon`: prints the status of the daemon, or sets its log level.
struct DaemonStatus: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon",
        abstract: "Print the status of the daemon, or set its log level",
        discussion: """
            Available to root, the daemon's user and the group orientation.

            Examples:
              orientationctl daemon
              orientationctl daemon --log-level debug
            """)

    private static let levels = WordList(["trace", "debug", "info", "notice", "warning", "error", "critical"])

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Lowest level to log, until the daemon stops", discussion: levels.help, valueName: "level"),
        completion: .list(levels.words), transform: levels.parse)
    var logLevel: String?

    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if report.isQuiet, logLevel == nil { throw ValidationError("--quiet requires --log-level") }
    }

    func run() throws {
        if let logLevel {
            _ = try calls.call(ControlInterface.setLogLevel, ["level": .string(logLevel)])
            return try report.confirm("log level: \(logLevel), until the daemon stops", ["logLevel": .string(logLevel)])
        }
        let status = try calls.call(ControlInterface.status)
        try report.json ? TextOutput.print(json: status.description) : TextOutput.print(text(status))
    }

    /// The status, one fact per line.
    private func text(_ status: JSONObject) throws -> String {
        let connections = try status.value("connections", as: [JSONObject].self).map {
            try "\($0.value("connections", as: Int.self)) of user \($0.value("user", as: Int.self))"
        }
        let failures = try status.value("failures", as: [JSONObject].self).map { failure in
            let age = try BootClock.now() - Double(failure.value("timestamp", as: Int.self)) / 1e6
            return try ("failure", "\(Self.time(age)) ago: \(failure.value("reason", as: String.self))" as String?)
        }
        let rows: [(String, String?)] = try [
            ("version", status.value("version")),
            ("socket", place.socket.path),
            ("uptime", Self.time(status.value("uptime"))),
            ("log level", status.optionalValue("logLevel")),
            ("--sensor", status.value("source")),
            ("sensor", status.optionalValue("sensor") ?? "none in use"),
            ("sample rate", status.optionalValue("sampleRate", as: Double.self).map { "\($0.brief) Hz" }),
            ("samples", "\(status.value("samples", as: Int.self)), \(status.value("dropped", as: Int.self)) dropped"),
            ("changes", "\(status.value("changes", as: Int.self))"),
            ("subscribers", "\(status.value("subscribers", as: Int.self))"),
            ("connections", connections.joined(separator: ", ")),
        ]
        return (rows + failures).table
    }

    /// A duration, rounded down: `90 s`, `59 min`, `47 h`, `3 d`.
    static func time(_ seconds: Double) -> String {
        let units = [(172_800.0, 86_400.0, "d"), (7_200, 3_600, "h"), (120, 60, "min")]
        guard let (_, size, name) = units.first(where: { seconds >= $0.0 }) else { return "\(Int(max(seconds, 0))) s" }
        return "\(Int(min(seconds / size, 1e6))) \(name)"
    }
}
