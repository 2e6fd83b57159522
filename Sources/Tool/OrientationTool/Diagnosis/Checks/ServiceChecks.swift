// SPDX-License-Identifier: Apache-2.0

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
                : [
                    .problem(
                        summary, "The daemon is not started", fix: "sudo make install && sudo systemctl daemon-reload")
                ]
        }
        return [state(of: socket, facts), state(of: service)]
    }

    private static func state(of unit: ServiceFacts.Unit, _ facts: MachineFacts) -> Finding {
        if let failure = failure(of: unit) { return failure }
        guard unit[.active] == "active" else {
            return (facts.daemon.isRunning ? Finding.note : Finding.problem)(
                "\(unit.name) is \(unit[.active])", "The daemon is not started for apps",
                "sudo systemctl enable --now \(unit.name)")
        }
        guard unit[.file] == "disabled" else { return .ok("\(unit.name) is active (\(unit[.sub]))") }
        return .note(
            "\(unit.name) is running but not enabled", "It will not run after a reboot",
            fix: "sudo systemctl enable \(unit.name)")
    }

    private static func state(of service: ServiceFacts.Unit) -> Finding {
        if let failure = failure(of: service) { return failure }
        if let restarts = Int(service[.restarts]), restarts > 0 {
            return .note(
                "\(service.name) was restarted \(restarts) times after failures",
                "It works now; see its log", fix: "journalctl -b -u \(service.name)")
        }
        return service[.active] == "active"
            ? .ok("\(service.name) is active (\(service[.sub]))")
            : .ok("\(service.name) is \(service[.active]): the first client starts it")
    }

    private static func failure(of unit: ServiceFacts.Unit) -> Finding? {
        let name = unit.name
        switch (unit[.load], unit[.active]) {
        case ("masked", _):
            return .problem("\(name) is masked", "It cannot start", fix: "sudo systemctl unmask \(name)")
        case ("error", _), ("bad-setting", _):
            return .problem(
                "systemd cannot use \(name): \(unit[.load])", "A drop-in or the unit is wrong",
                fix: "systemd-analyze verify \(name)")
        case (_, "failed"):
            return .problem(
                "\(name) has failed (\(unit[.result]))", "See its log; restart it after the cause is fixed",
                fix: "journalctl -b -u \(name); sudo systemctl reset-failed \(name) && sudo systemctl restart \(name)")
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
                    "Only one of the two was updated, or the daemon was not restarted", fix: Fix.restart)
            }
            return .ok("the daemon replies at \(daemon.socket), version \(daemon.ownVersion)")
        }
        if daemon.isHanging { return hanging(facts) }
        // The finding names the service and the socket.
        let cause = ["orientationd: ", "not connected: ", "\(daemon.socket): cannot connect: "]
            .reduce(failure) { $0.hasPrefix($1) ? String($0.dropFirst($1.count)) : $0 }
        let fix =
            facts.service.unit("orientationd.socket") != nil && daemon.isSystems
            ? "sudo systemctl enable --now orientationd.socket && sudo systemctl restart orientationd.service"
            : facts.initSystem == .systemd || !daemon.isSystems
                ? "orientationd" : facts.initSystem.restart ?? "orientationd"
        return .problem(
            daemon.isSocketThere
                ? "cannot connect to \(daemon.socket): \(cause)" : "there is no socket at \(daemon.socket)",
            "Apps have no orientation", fix: fix)
    }

    /// Recommends a restart: a second daemon could not listen on the same socket.
    private static func hanging(_ facts: MachineFacts) -> Finding {
        let processes = facts.processes.running("orientationd")
        return .problem(
            "the daemon accepts connections at \(facts.daemon.socket) and does not reply",
            "It hangs or is stopped: apps receive no changes; see its log",
            fix: facts.daemon.isSystems
                ? Fix.restart
                : processes.count == 1
                    ? "kill -KILL \(processes[0].identifier); orientationd --socket \(facts.daemon.socket)"
                    : "pgrep -a orientationd")
    }

    /// Checks the daemon's sensors and state.
    static let sensor = Check("sensor") { facts in
        guard facts.daemon.failure == nil else { return [] }
        var findings = facts.daemon.unanswered.map {
            Finding.problem("the daemon did not reply to \($0)", "It hangs, or is another program", fix: Fix.restart)
        }
        if !facts.usesOwnSensor {
            findings.append(
                .note(
                    "the daemon reads \(facts.source)",
                    "This machine's own accelerometers, if it has any, are not used",
                    fix: facts.daemon.isSystems
                        ? "systemctl cat orientationd.service" : "\(SystemRoot.daemonCommand) --sensor auto"))
        }
        let sensors = facts.daemon.sensors
        if let chosen = sensors.first(where: \.isChosen) {
            findings.append(.ok("the daemon uses \(chosen.id) (\(chosen.name)): \(chosen.why)"))
            findings += chosen.warnings.map {
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
                    "It cannot use them, or is configured not to", fix: "orientationctl sensors"))
        }
        if let state = facts.daemon.state { findings.append(Self.state(state)) }
        return findings
    }

    private static func state(_ state: OrientationState) -> Finding {
        if state.orientation != .unknown { return .ok("the orientation is \(state.poseText)") }
        return .problem(
            "the orientation is unknown: \(state.reason ?? "no reason given")",
            "Apps keep their orientation until it is known", fix: "orientationctl sensors")
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
        if let last = facts.warnings?.last {
            findings.append(
                .note(
                    "last warning in the service's log: \(last)", "They may be old; see the times in the log",
                    fix: "journalctl -b -u orientationd.service -p warning"))
        }
        if findings.isEmpty, facts.daemon.status != nil || facts.warnings != nil {
            findings.append(.ok("no failures reported"))
        }
        return findings
    }
}
