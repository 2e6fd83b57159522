// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// The units of systemd.
    static let service = Check("service") { facts in
        if let failure = facts.service.failure {
            return [.note("systemd cannot be asked: \(failure)", "Whether the service is set up was not looked at")]
        }
        guard let socket = facts.service.unit("orientationd.socket"),
            let service = facts.service.unit("orientationd.service")
        else {
            let seen = "the units orientationd.socket and orientationd.service are not installed"
            return [
                facts.daemon.failure == nil
                    ? .note(seen, "The daemon that answers was started by hand, and ends with whoever did that")
                    : .problem(
                        seen, "Nothing starts the daemon", mend: "sudo make install && sudo systemctl daemon-reload")
            ]
        }
        return [state(of: socket, facts), state(of: service)]
    }

    private static func state(of unit: ServiceFacts.Unit, _ facts: MachineFacts) -> Finding {
        trouble(unit)
            ?? (unit[.active] == "active"
                ? unit[.file] == "disabled"
                    ? .note(
                        "\(unit.name) runs and is not enabled",
                        "After the next start of the machine it will not be there",
                        mend: "sudo systemctl enable \(unit.name)")
                    : .ok("\(unit.name) is \(unit[.active]) (\(unit[.sub]))")
                : (facts.daemon.failure == nil ? Finding.note : Finding.problem)(
                    "\(unit.name) is \(unit[.active])", "Nobody starts the daemon when an app asks",
                    "sudo systemctl enable --now \(unit.name)"))
    }

    private static func state(of service: ServiceFacts.Unit) -> Finding {
        if let trouble = trouble(service) { return trouble }
        if let restarts = Int(service[.restarts]), restarts > 0 {
            return .note(
                "\(service.name) was started anew \(restarts) times after a failure",
                "It works now; its log says what happened", mend: "journalctl -b -u \(service.name)")
        }
        return service[.active] == "active"
            ? .ok("\(service.name) is active (\(service[.sub]))")
            : .ok("\(service.name) is \(service[.active]): the first app that asks starts it")
    }

    /// What is wrong with any unit.
    private static func trouble(_ unit: ServiceFacts.Unit) -> Finding? {
        let name = unit.name
        switch (unit[.load], unit[.active]) {
        case ("masked", _):
            return .problem("\(name) is masked", "It cannot start", mend: "sudo systemctl unmask \(name)")
        case ("error", _), ("bad-setting", _):
            return .problem(
                "systemd cannot use \(name): \(unit[.load])", "A drop-in or the unit is wrong",
                mend: "systemd-analyze verify \(name)")
        case (_, "failed"):
            return .problem(
                "\(name) has failed (\(unit[.result]))",
                "Its log says why; after that is mended it has to be started anew",
                mend: "journalctl -b -u \(name); sudo systemctl reset-failed \(name) && sudo systemctl restart \(name)")
        default: return nil
        }
    }
}
