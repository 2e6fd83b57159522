// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about the rotation of the display.
@Suite struct DisplayFindingTests {
    private func finding(_ display: DisplayFacts, _ autostart: Autostart = .unit) -> Finding? {
        var facts = MachineFacts.good
        facts.display = display
        facts.autostart = autostart
        return Examination(facts).findings.first { $0.check == "display" }
    }

    private static func session(_ change: (inout DisplayFacts.Session) -> Void = { _ in }) -> DisplayFacts.Session {
        var session = DisplayFacts.Session(server: "sway", agent: 42, output: "eDP-1", reason: "internal connector")
        change(&session)
        return session
    }

    @Test(arguments: [
        (session { $0.agent = nil }, Finding.Level.problem, "no program rotates eDP-1 (internal connector)"),
        (session(), .ok, "orientation-autorotate (process 42) rotates eDP-1 (internal connector)"),
        (session { $0.desktop = "GNOME (mutter)" }, .ok, "GNOME (mutter) rotates the display itself"),
        (
            session { $0.agentOptions = ["--output", "eDP-1"] }, .ok,
            "orientation-autorotate --output eDP-1 (process 42) rotates eDP-1 (internal connector)"
        ),
        (
            session { ($0.agentOptions, $0.agentRotates) = (["--when", "never"], false) }, .note,
            "orientation-autorotate --when never (process 42) does not rotate eDP-1 (internal connector)"
        ),
        (
            session { $0.failure = "eDP-1: cannot rotate to 90°: refused" }, .problem,
            "orientation-autorotate (process 42) cannot rotate eDP-1"
        ),
        (session { $0.isMirrored = true }, .note, "eDP-1 is mirrored and does not rotate"),
        (
            session { ($0.obstacle, $0.obstacleKind) = ("waits for the next turn of the device", .otherProgram) },
            .note,
            "orientation-autorotate (process 42) does not rotate eDP-1 (internal connector) now"
        ),
    ])
    func `the verdict on a session is that of what rotates it`(
        session: DisplayFacts.Session, level: Finding.Level, summary: String
    ) {
        let finding = finding(.listed(session))
        #expect(finding?.level == level && finding?.summary == summary)
        #expect(session.failure ?? session.obstacle == nil || finding?.detail == session.failure ?? session.obstacle)
        let start = "systemctl --user enable --now orientation-autorotate"
        #expect(finding?.fix?.command == (session.agent == nil ? start : nil))
    }

    @Test(arguments: [(90, Finding.Level.ok), (0, .note)])
    func `an orientation that an app or an option keeps is a note with the agent's sentence`(
        rotation: Int, level: Finding.Level
    ) {
        let sentence = "The display stays in landscape-primary because a hold began."
        var facts = MachineFacts.good
        facts.daemon.state?.lastEdge = .portrait
        facts.daemon.state?.natural = .landscapeLeft
        facts.display = .listed(Self.session { ($0.rotation, $0.sentence) = (rotation, sentence) })
        let finding = Examination(facts).findings.first { $0.check == "display" }
        #expect(finding?.level == level)
        #expect(finding?.detail == (level == .note ? sentence : nil))
    }

    @Test func `the rotation of an agent of another daemon is not compared`() {
        var facts = MachineFacts.good
        facts.daemon.state?.lastEdge = .portrait
        facts.daemon.state?.natural = .landscapeLeft
        let keeps = Self.session { ($0.rotation, $0.sentence) = (0, "The display stays.") }
        facts.display = .listed(keeps)
        let level = { Examination(facts).findings.first { $0.check == "display" }?.level }
        #expect(level() == .note)
        facts.daemon.socket = "/tmp/own/socket"
        #expect(level() == .ok)
        var same = keeps
        same.agentOptions = ["--socket=/tmp/own/socket"]
        facts.display = .listed(same)
        #expect(level() == .note)
    }

    @Test func `without graphical-session.target, details name the compositor's file, and fixes are commands`() {
        let autostart = Autostart.line("exec orientation-autorotate", in: "~/.config/sway/config")
        let session = DisplayFacts.Session(server: "sway", output: "eDP-1", reason: "internal connector")
        let fix = "setsid -f orientation-autorotate"
        #expect(finding(.listed(session), autostart)?.fix?.command == fix)
        #expect(
            finding(.listed(session), autostart)?.detail
                == "sway does not rotate the display itself; for each login: add 'exec orientation-autorotate' to "
                + "~/.config/sway/config; if it is missing, copy the system's file there first")
        let withoutSystemd = MachineFacts.good.with {
            $0.initSystem = .openrc
            $0.display = .listed(session)
            $0.autostart = autostart
        }
        #expect(Examination(withoutSystemd).findings.first { $0.check == "display" }?.fix?.command == fix)
        var running = session
        running.agent = 42
        (running.obstacle, running.obstacleKind) = ("the device is not in tablet mode", .laptop)
        #expect(finding(.listed(running), autostart)?.fix == nil)
        #expect(
            finding(.listed(running), autostart)?.detail
                == "the device is not in tablet mode; change the options of orientation-autorotate in "
                + "~/.config/sway/config")
        running.failure = "refused"
        #expect(finding(.listed(running), autostart)?.fix == nil)
        #expect(finding(.listed(running))?.fix == nil)
    }

    @Test func `an agent that does not rotate now is a note with the reason and the override`() {
        let session = DisplayFacts.Session(
            server: "sway", agent: 42, output: "eDP-1", reason: "internal connector",
            obstacle: "the device is not in tablet mode; --when always rotates it in every mode", obstacleKind: .laptop)
        let found = finding(.listed(session))
        #expect(found?.level == .note && found?.detail?.hasPrefix(session.obstacle ?? "-") == true)
        #expect(
            found?.summary == "orientation-autorotate (process 42) does not rotate eDP-1 (internal connector) now")
        #expect(found?.fix == nil && found?.detail?.hasSuffix("user unit orientation-autorotate.service") == true)
    }

    @Test func `a missing agent is a problem where the compositor is known not to rotate, and a note elsewhere`() {
        let sway = SessionDisplay.withoutProgram(desktops: "") { $0 == "SWAYSOCK" ? "/run/sway" : nil }
        #expect(finding(sway)?.level == .problem)
        #expect(
            finding(sway)?.detail
                == "sway does not rotate the display itself: install the package orientation-autorotate")
        #expect(finding(.notInstalled(desktop: "Unknown", isNeeded: false))?.level == .note)
        #expect(finding(.failed("timed out"))?.level == .note)
    }

    @Test func `outputs of which none is internal are named, with the command that rotates one`() {
        var session = DisplayFacts.Session(server: "sway", outputs: ["DP-1", "HDMI-A-1"])
        let without = finding(.listed(session), .unknown)
        #expect(without?.level == .note && without?.summary == "sway has no internal output, only DP-1, HDMI-A-1")
        #expect(without?.fix?.command == "setsid -f orientation-autorotate --output DP-1")
        #expect(without?.detail?.contains("if the panel is not DP-1, name another one") == true)
        (session.agent, session.agentOptions) = (42, ["--output", "eDP-1"])
        let beside = finding(.listed(session), .line("exec orientation-autorotate", in: "~/.config/sway/config"))
        #expect(beside?.level == .problem)
        #expect(beside?.fix?.command == "kill 42 && sleep 1 && setsid -f orientation-autorotate --output DP-1")
        #expect(
            beside?.detail?.hasSuffix(
                "add '--output DP-1': change the options of orientation-autorotate in ~/.config/sway/config") == true)
        #expect(finding(.listed(session), .unit)?.fix == nil)
        #expect(finding(.listed(session), .unit)?.detail?.hasSuffix("user unit orientation-autorotate.service") == true)
        session.outputs = ["$(reboot)"]
        #expect(finding(.listed(session), .unknown)?.fix == nil)
    }

    @Test(arguments: [
        ("GNOME", "GNOME"), ("ubuntu:GNOME", "GNOME"), ("Phosh:GNOME", "Phosh"), ("KDE", "KDE"),
        ("Budgie:GNOME", "Budgie"), ("sway", nil), ("phosh-antispam", nil), ("", nil),
    ])
    func `a desktop that rotates the display itself needs no agent`(desktops: String, rotator: String?) {
        let finding = finding(SessionDisplay.withoutProgram(desktops: desktops))
        let note = "orientation-autorotate is not installed"
        #expect(finding?.summary == rotator.map { "\($0) rotates the display itself" } ?? note)
        #expect(finding?.level == (rotator != nil ? .ok : desktops == "sway" ? .problem : .note))
        #expect(finding?.detail?.hasSuffix(": install the package orientation-autorotate") ?? false == (rotator == nil))
    }

    @Test func `root without a graphical session gets a note that the display is not checked`() {
        #expect(finding(.notChecked)?.level == .note && finding(.notChecked)?.fix == nil)
    }

    @Test func `without a graphical session there is no finding`() {
        #expect(finding(.noSession) == nil)
    }
}
