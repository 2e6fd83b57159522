// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// What the daemon makes of the sensors.
    static let sensor = Check("sensor") { facts in
        guard facts.daemon.failure == nil else { return [] }
        var findings = facts.daemon.unanswered.map {
            Finding.problem(
                "the daemon did not answer \($0)", "It hangs, or it is no orientationd",
                mend: "sudo systemctl restart orientationd.service")
        }
        if !facts.usesOwnSensor {
            findings.append(
                .note(
                    "the daemon reads \(facts.source)",
                    "This machine's own accelerometers, if it has any, are not used",
                    mend: facts.daemon.isSystems ? "systemctl cat orientationd.service" : "orientationd --sensor auto"))
        }
        let sensors = facts.daemon.sensors
        if let chosen = sensors.first(where: \.isChosen) {
            findings.append(.ok("the daemon uses \(chosen.id) (\(chosen.name)): \(chosen.why)"))
            findings += chosen.warnings.map {
                .note("the daemon says of \(chosen.id): \($0)", "It goes on without")
            }
            if let error = chosen.lastError, facts.daemon.status == nil {
                findings.append(.note("\(chosen.id) has failed before: \(error)", "It may have recovered since"))
            }
        } else if !facts.usable.isEmpty, facts.usesOwnSensor, findings.isEmpty {
            let why = sensors.map { "\($0.id): \($0.why)" }.joined(separator: "; ")
            findings.append(
                .problem(
                    "the daemon uses none of the accelerometers\(why.isEmpty ? "" : " (\(why))")",
                    "There are some, and it cannot use them or was told not to", mend: "orientationctl sensors"))
        }
        if let state = facts.daemon.state { findings.append(Self.state(state)) }
        return findings
    }

    private static func state(_ state: OrientationState) -> Finding {
        if state.orientation != .unknown { return .ok("the device is held \(state.orientation)") }
        return .problem(
            "the daemon does not know how the device is held: \(state.reason ?? "it gives no reason")",
            "Apps stay as they are until it does", mend: "orientationctl sensors")
    }
}
