// SPDX-License-Identifier: Apache-2.0

import OrientationWire

extension Check {
    /// Checks that a program rotates the display of the caller's session.
    static let display = single("display") { facts in
        switch facts.display {
        case .noSession: nil
        case .notChecked:
            .note(
                "the display is not checked: root has no graphical session",
                "Run the doctor without sudo, as the user of the session", fix: "orientationctl doctor")
        case .notInstalled(let desktop):
            .note(
                "orientation-autorotate is not installed",
                "GNOME, Phosh and KDE Plasma rotate the display themselves; "
                    + (desktop.map { "\($0) may not" } ?? "other sessions do not") + ": \(Fix.installAgent)")
        case .failed(let reason): .note("the outputs of the display cannot be listed", reason)
        case .listed(let session): session.finding(facts.autostart)
        }
    }
}

extension DisplayFacts.Session {
    /// The running agent with its options; nil without one.
    private var agentText: String? {
        agent.map { "orientation-autorotate\(agentOptions.map { " \($0)" }.joined()) (process \($0))" }
    }

    fileprivate func finding(_ autostart: Autostart) -> Finding {
        if let desktop { return .ok("\(desktop) rotates the display itself") }
        guard let output else {
            if let agentText, agentOptions.contains(where: { $0.hasPrefix("--output") }) {
                return .problem(
                    "\(agentText) cannot find its output", "\(server) has no output with the name given in --output",
                    fix: "orientationctl display")
            }
            return .note(
                "\(server) has no internal output", "No display rotates with the device, unless --output names one",
                fix: "orientation-autorotate --output NAME")
        }
        let text = "\(output) (\(reason ?? "internal"))"
        if agentText != nil, isMirrored {
            return .note(
                "\(output) is mirrored and does not rotate",
                "orientation-autorotate keeps a flipped transform: configure one that is not flipped")
        }
        if let agentText, agentRotates, let failure {
            return .problem(
                "\(agentText) cannot rotate \(output)", failure,
                fix: autostart == .unit ? "journalctl --user -u orientation-autorotate" : nil)
        }
        if let agentText, agentRotates, let obstacle {
            let finding = Finding.note("\(agentText) does not rotate \(text) now", obstacle)
            // No option ends a wait for the device or its lock.
            return obstacleKind == .laptop ? finding.adding(autostart.edit) : finding
        }
        if let agentText {
            return agentRotates
                ? .ok("\(agentText) rotates \(text)")
                : .note("\(agentText) does not rotate \(text)", "Its options are --when never or --dry-run")
                    .adding(autostart.edit)
        }
        return .problem("no program rotates \(text)", "\(server) does not rotate the display itself")
            .adding(autostart.start)
    }
}
