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

    func run() async throws {
        if let logLevel {
            _ = try await daemon.call(ControlInterface.setLogLevel, ["level": .string(logLevel)])
            return try report.confirm(
                "log level: \(logLevel), until the daemon stops", ["logLevel": .string(logLevel)])
        }
        let status = try await daemon.call(ControlInterface.status)
        if report.json { return try TextOutput.print(json: status.description) }
        do {
            try TextOutput.print(try text(status, now: BootClock.now()))
        } catch let error as JSONMismatch {
            throw OrientationServiceError.notUnderstood(reason: error.description)
        }
    }

    /// The status, one fact per line.
    private func text(_ status: JSONObject, now: Double) throws -> String {
        let accounts = AccountDatabase(passwd: SystemRoot.this.text("/etc/passwd") ?? "", group: "")
        let connections = try status.value("connections", as: [JSONObject].self).map { user in
            let number: Int = try user.value("user")
            let name = UInt32(exactly: number).flatMap(accounts.name(ofUser:)) ?? "user \(number)"
            return try "\(user.value("connections", as: Int.self)) of \(name)"
        }
        let failures = try status.value("failures", as: [JSONObject].self).map { failure in
            let age = try now - Double(failure.value("timestamp", as: Int.self)) / 1e6
            return try "\(Self.time(age)) ago: \(failure.value("reason", as: String.self))"
        }
        let rate = { (name: String) in
            try status.optionalValue(name, as: Double.self).map { "\($0.brief) Hz" } ?? "not measured"
        }
        let rows: [(String, String?)] = try [
            ("version", status.value("version")),
            ("socket", SocketPath(explicit: socketPath).current),
            ("uptime", Self.time(status.value("uptime"))),
            ("log level", status.optionalValue("logLevel")),
            ("--sensor", status.value("source")),
            ("sensor", status.optionalValue("sensor") ?? "none in use"),
            ("sampling rate", "\(rate("chipRate")) of the sensor, \(rate("sampleRate")) received"),
            ("samples", "\(status.value("samples", as: Int.self)), \(status.value("dropped", as: Int.self)) dropped"),
            ("changes", "\(status.value("changes", as: Int.self))"),
            ("subscribers", "\(status.value("subscribers", as: Int.self))"),
            ("connections", connections.joined(separator: ", ")),
            ("failures", failures.isEmpty ? "none" : failures.joined(separator: "\n" + "".padded(to: 15))),
        ]
        return rows.compactMap { name, value in value.map { name.padded(to: 15) + $0 } }.joined(separator: "\n")
    }

    /// A duration in its two largest units: `2 h 13 min`.
    static func time(_ seconds: Double) -> String {
        let total = Int(min(max(seconds, 0), 1e9))
        let (days, hours, minutes) = (total / 86_400, total / 3_600 % 24, total / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(total % 60) s" : "\(total) s"
    }
}
