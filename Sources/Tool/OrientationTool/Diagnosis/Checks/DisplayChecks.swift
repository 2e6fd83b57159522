// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire

extension Check {
    /// Checks that a program rotates the display of the caller's session.
    static let display = single("display") { facts in
        switch facts.display {
        case .noSession: nil
        case .notChecked:
            .note(
                "the display is not checked: root cannot use the session of a user",
                "Run the doctor without sudo, as the user of the session")
        case .notInstalled(let desktop?, isNeeded: true):
            .problem(
                "orientation-autorotate is not installed",
                "\(desktop) does not rotate the display itself: \(Fix.installAgent)")
        case .notInstalled(let desktop, _):
            .note(
                "orientation-autorotate is not installed",
                "GNOME, Phosh and KDE Plasma rotate the display themselves; "
                    + (desktop.map { "\($0) may not" } ?? "other sessions do not") + ": \(Fix.installAgent)")
        case .failed(let reason): .note("the outputs of the display cannot be listed", reason)
        case .listed(let session): session.finding(facts.autostart, facts.daemon)
        }
    }
}

extension DisplayFacts.Session {
    /// The running agent with its options; nil without one.
    private var agentText: String? {
        agent.map { "orientation-autorotate\(agentOptions.map { " \($0)" }.joined()) (process \($0))" }
    }

    fileprivate func finding(_ autostart: Autostart, _ daemon: DaemonFacts) -> Finding {
        if let desktop { return .ok("\(desktop) rotates the display itself") }
        guard let output else { return withoutOutput(autostart) }
        let text = "\(output) (\(reason ?? "internal"))"
        if agentText != nil, isMirrored {
            return .note(
                "\(output) is mirrored and does not rotate",
                "orientation-autorotate keeps a flipped transform: configure one that is not flipped")
        }
        if let agentText, agentRotates, let failure {
            return .problem("\(agentText) cannot rotate \(output)", failure)
        }
        if let agentText, agentRotates, let obstacle {
            let finding = Finding.note("\(agentText) does not rotate \(text) now", obstacle)
            // No option ends a wait for the device or its lock.
            return obstacleKind == .laptop ? finding.adding(autostart.edit) : finding
        }
        // An agent with another socket follows another device.
        let socket = agentOptions.value(of: "--socket") ?? OrientationInterface.systemSocket
        if let agentText, agentRotates, socket == daemon.socket, let rotation, let sentence,
            let needed = daemon.state?.panelEdge?.rotation, rotation != needed
        {
            return .note("\(agentText) keeps \(text) at \(rotation)°, and the device needs \(needed)°", sentence)
        }
        if let agentText {
            return agentRotates
                ? .ok("\(agentText) rotates \(text)")
                : .note("\(agentText) does not rotate \(text)", "Its options are --when never or --dry-run")
                    .adding(autostart.edit)
        }
        return .problem("no program rotates \(text)", "\(server) does not rotate the display itself")
            .adding(autostart.start.instruction, autostart.start.fix)
    }

    /// Reports that no output rotates, and names those of which the user has to choose one.
    private func withoutOutput(_ autostart: Autostart) -> Finding {
        guard let first = outputs.first else {
            return .note("\(server) has no output", "No display rotates with the device")
        }
        let (list, remedy) = (outputs.joined(separator: ", "), autostart.rotate(first, replacing: agent))
        let choice = outputs.count == 1 ? "" : "if the panel is not \(first), name another one; "
        let finding =
            agentText.map {
                .problem("\($0) finds no output to rotate", "\(server) has \(list): --output names the panel")
            }
            ?? Finding.note(
                "\(server) has no internal output, only \(list)", "No display rotates, unless --output names one")
        // The name is the compositor's.
        return finding.adding(choice + remedy.instruction, first.allSatisfy(Fix.isPlain) ? remedy.fix : nil)
    }
}
