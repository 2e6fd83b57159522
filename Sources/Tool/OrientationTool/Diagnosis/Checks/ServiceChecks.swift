// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel

extension Check {
    /// Checks the systemd units.
    static let service = Check("service") { facts in
        if let failure = facts.service.failure {
            return [.note("cannot query systemd: \(failure)", "The service was not checked")]
        }
        guard let socket = facts.service.unit("orientationd.socket"),
            let service = facts.service.unit("orientationd.service")
        else {
            let summary = "the units orientationd.socket and orientationd.service are not installed"
            return facts.daemon.isRunning
                ? [.note(summary, "The running daemon was started by hand, and ends with the session that started it")]
                : [.problem(summary, "The daemon is not started: install the package orientationd")]
        }
        return [state(of: socket, facts), state(of: service, facts.service)]
    }

    private static func state(of unit: ServiceFacts.Unit, _ facts: MachineFacts) -> Finding {
        if let failure = failure(of: unit, facts.service) { return failure }
        guard unit[.active] == "active" else {
            return (facts.daemon.isRunning ? Finding.note : Finding.problem)(
                "\(unit.name) is \(unit[.active])", "The daemon is not started for apps", .enable(unit))
        }
        guard unit[.file] == "disabled" else { return .ok("\(unit.name) is active (\(unit[.sub]))") }
        return .note(
            "\(unit.name) is running but not enabled", "It will not run after a reboot",
            fix: .enable(unit))
    }

    private static func state(of service: ServiceFacts.Unit, _ facts: ServiceFacts) -> Finding {
        if let failure = failure(of: service, facts) { return failure }
        if let restarts = Int(service[.restarts]), restarts > 0 {
            return .note(
                "\(service.name) was restarted \(restarts) times after failures",
                "It works now; its log says why")
        }
        return service[.active] == "active"
            ? .ok("\(service.name) is active (\(service[.sub]))")
            : .ok("\(service.name) is \(service[.active]): the first client starts it")
    }

    private static func failure(of unit: ServiceFacts.Unit, _ facts: ServiceFacts) -> Finding? {
        let name = unit.name
        switch (unit[.load], unit[.active]) {
        case ("masked", _):
            return .problem("\(name) is masked", "It cannot start", fix: .reach(facts, .systemd))
        case ("error", _), ("bad-setting", _):
            return .problem(
                "systemd cannot use \(name): \(unit[.load])",
                "A line of it, or of a drop-in, is wrong\(unit[.dropIns].isEmpty ? "" : ": \(unit[.dropIns])")")
        case (_, "failed"):
            return .problem(
                "\(name) has failed (\(unit[.result]))",
                "'sudo journalctl -u \(name) -n 20' says why. Correct the cause"
                    + "\(unit[.dropIns].isEmpty ? "" : ", such as an option in \(unit[.dropIns])"), then restart it",
                fix: .resetFailed)
        default: return nil
        }
    }

    /// Checks that the daemon replies and has this version.
    static let socket = single("socket") { facts in
        let daemon = facts.daemon
        guard let failure = daemon.failure else {
            guard daemon.version == daemon.ownVersion else {
                return .problem(
                    "the daemon is version \(daemon.version ?? "unknown"), and this tool is \(daemon.ownVersion)",
                    "Only one of the two was updated, or the daemon was not restarted",
                    fix: facts.daemon.isSystems ? .restart : nil)
            }
            if let finding = restrictedSocket(facts) { return finding }
            return .ok("the daemon replies at \(daemon.socket), version \(daemon.ownVersion)")
        }
        if let finding = restrictedSocket(facts) { return finding }
        let remedy = failure.remedy(at: (daemon.socket, daemon.isSystems), daemon.obstacle) {
            .reach(facts.service, facts.initSystem)
        }
        return Finding.problem(
            summary(failure, daemon),
            daemon.isHanging ? "It hangs or is stopped: apps receive no changes" : "Apps have no orientation"
        ).adding(remedy.instruction, remedy.fix)
    }

    private static func summary(_ failure: OrientationServiceError, _ daemon: DaemonFacts) -> String {
        switch (failure, daemon.obstacle) {
        case (.notConnected, .absent), (.notConnected, .noFolder): "there is no socket at \(daemon.socket)"
        case (.timedOut, _): "the daemon accepts connections at \(daemon.socket) and does not reply"
        case (.notConnected(let reason), nil): "the daemon at \(daemon.socket): \(reason)"
        // These reasons begin with the path of the socket.
        case (.notConnected(let reason), _), (.unusablePath(let reason), _): reason
        default: "the daemon at \(daemon.socket): \(failure.reason)"
        }
    }

    /// Reports a socket of the system that not every user can use: to root it looks right.
    private static func restrictedSocket(_ facts: MachineFacts) -> Finding? {
        guard let access = facts.daemon.socketAccess, access.mode & 0o666 != 0o666 else { return nil }
        let unit = facts.service.unit("orientationd.socket").flatMap { $0.restrictsSocket ? $0 : nil }
        return .problem(
            "not every user can use \(facts.daemon.socket): \(access.description)",
            "Apps of the others have no orientation"
                + (unit.map { "; SocketMode= is set in \($0[.dropIns])" } ?? ", until the socket is made again"),
            fix: .reach(facts.service, facts.initSystem))
    }

    /// Checks the daemon's sensors and state.
    static let sensor = Check("sensor") { facts in
        guard facts.daemon.failure == nil else { return [] }
        var findings = facts.daemon.unanswered.map {
            Finding.problem(
                "the daemon did not reply to \($0)", "It hangs, or is another program",
                fix: facts.daemon.isSystems ? .restart : nil)
        }
        if !facts.usesOwnSensor {
            findings.append(
                .note(
                    "the daemon reads \(facts.source)",
                    "This machine's own accelerometers, if it has any, are not used"
                        + (facts.daemon.isSystems ? ". \(facts.placeOfOptions)" : "")))
        }
        let sensors = facts.daemon.sensors
        if let chosen = sensors.first(where: \.isChosen) {
            findings.append(.ok("the daemon uses \(chosen.id) (\(chosen.name)): \(chosen.why)"))
            // Those of the traits have a check of their own.
            let known = facts.accelerometers.first { $0.id == chosen.id }?.traits.warnings ?? []
            findings += chosen.warnings.filter { !known.contains($0) }.map {
                .note(
                    "warning for \(chosen.id): \($0)",
                    $0.contains(ScaleEstimate.phrase) ? "Its orientation is right" : "The sensor is used anyway")
            }
            if let error = chosen.lastError, facts.daemon.status == nil {
                findings.append(.note("last failure of \(chosen.id): \(error)", "It may have recovered since"))
            }
        } else if !facts.usable.isEmpty, facts.usesOwnSensor, findings.isEmpty {
            let why = sensors.map { "\($0.id): \($0.why)" }.joined(separator: "; ")
            findings.append(
                .problem(
                    "the daemon uses none of the accelerometers\(why.isEmpty ? "" : " (\(why))")",
                    "It cannot use them, or is configured not to"))
        }
        if let state = facts.daemon.state { findings.append(Self.state(state)) }
        return findings
    }

    private static func state(_ state: OrientationState) -> Finding {
        if state.orientation != .unknown { return .ok("the orientation is known: \(state.poseText)") }
        return .problem(
            "the orientation is unknown: \(state.reason ?? "no reason given")",
            "Apps keep their orientation until it is known")
    }

    /// Reports recent failures of the daemon and warnings in its log.
    static let errors = Check("errors") { facts in
        var findings: [Finding] = []
        if let failures = facts.daemon.status?.failures, let last = failures.last {
            findings.append(
                .note(
                    "last \(failures.count == 1 ? "failure" : "of \(failures.count) failures") reported by the daemon: \(last)",
                    "It retries automatically"))
        }
        // Those about the sensors have findings of their own.
        let known = facts.accelerometers.flatMap(\.traits.warnings)
        if let last = facts.warnings?.last(where: { line in !known.contains { line.contains($0) } }) {
            findings.append(
                .note(
                    "last warning in the service's log: \(last)", "It may be old; see its time in the log"))
        }
        if findings.isEmpty, facts.daemon.status != nil || facts.warnings != nil {
            findings.append(.ok("no failures reported"))
        }
        return findings
    }
}
