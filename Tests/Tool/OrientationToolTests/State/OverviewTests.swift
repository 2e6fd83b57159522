// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// What `orientationctl` prints without a command, and times of `daemon`.
@Suite struct OverviewTests {
    private static func state(_ change: (inout OrientationState) -> Void = { _ in }) -> OrientationState {
        var state = OrientationState(orientation: .landscapeLeft, sequence: 2, instance: "one")
        (state.lastEdge, state.sensor) = (.landscapeLeft, "iio:device0")
        change(&state)
        return state
    }

    private static let report = "sudo orientationctl doctor --report FILE"

    @Test(arguments: [
        (state(), ["orientationctl watch", "orientationctl display", "sudo orientationctl calibrate --write"]),
        (state { $0.isLocked = true }, ["orientationctl unlock", "orientationctl watch", "orientationctl display"]),
        (
            state { ($0.sensor, $0.orientation, $0.reason) = (nil, .unknown, "no accelerometer found") },
            ["orientationctl doctor", "orientationctl sensors", report]
        ),
        (
            state { $0.sensor = "fake:" },
            ["orientationctl simulate turn POSE", "orientationctl watch", "orientationctl lock"]
        ),
        (nil, ["orientationctl doctor", "sudo rc-service orientationd restart", report]),
    ])
    func `the state chooses three next commands`(state: OrientationState?, commands: [String]) {
        let overview = Overview(state: state, start: "sudo rc-service orientationd restart", desktop: nil)
        #expect(overview.next.map(\.command) == commands)
        let onDesktop = Overview(state: state, desktop: "Phosh").next.map(\.command)
        #expect(!onDesktop.contains("orientationctl lock"))
    }

    @Test func `the rotation lock changes what the display needs, except on a desktop that rotates it`() {
        let locked = Self.state { ($0.isLocked, $0.lockedTo) = (true, .portrait) }
        #expect(locked.displayText(on: nil) == "locked at 0°; would need 270°")
        #expect(locked.displayText(on: "Phosh") == "needs 270° counter-clockwise")
    }

    @Test(arguments: [
        (DisplayFacts.noSession, nil), (.failed("no outputs"), nil),
        (.notInstalled(desktop: "sway", isNeeded: true), "install the package orientation-autorotate"),
        (.listed(.init(server: "sway", output: "eDP-1")), "setsid -f orientation-autorotate"),
        (.listed(.init(server: "sway", agent: 9, output: "eDP-1")), nil),
        // An external display does not turn.
        (.listed(.init(server: "sway")), nil), (.listed(.init(server: "GNOME", desktop: "GNOME")), nil),
    ])
    func `a display that lacks the session agent has its command first`(display: DisplayFacts, command: String?) {
        let overview = Overview(state: Self.state(), missingAgent: display.missingAgent(.unknown))
        let next = overview.next.map(\.command)
        let expected = command.map { [$0, "orientationctl doctor", "orientationctl watch"] }
        #expect(next == expected ?? Overview(state: Self.state()).next.map(\.command))
    }

    @Test(arguments: [state { $0.isLocked = true }, state { $0.sensor = "fake:" }, state { $0.sensor = nil }])
    func `a lock, a simulated device and a missing sensor come before the session agent`(state: OrientationState) {
        let overview = Overview(state: state, missingAgent: "setsid -f orientation-autorotate")
        #expect(overview.next.map(\.command) == Overview(state: state).next.map(\.command))
    }

    @Test func `a user who may not move a simulated device gets no command that does`() {
        let overview = Overview(state: Self.state { $0.sensor = "fake:" }, maySimulate: false, desktop: nil)
        #expect(
            overview.next.map(\.command) == ["orientationctl doctor", "orientationctl watch", "orientationctl lock"])
    }

    @Test(arguments: [
        (DisplayFacts.noSession, false as Bool?, true), (.noSession, true, false), (.noSession, nil, false),
        (.listed(.init(server: "sway")), false, true),
        // A keyboard is attached.
        (.listed(.init(server: "sway", agent: 9, obstacleKind: .laptop)), nil, true),
        // --when always.
        (.listed(.init(server: "sway", agent: 9)), false, false),
    ])
    func `in laptop mode the text says that the display does not turn`(
        display: DisplayFacts, mode: Bool?, isKept: Bool
    ) {
        let state = Self.state { $0.tabletMode = mode }
        let text = Overview(state: state, laptopNote: display.laptopNote(state)).text
        #expect(
            text.hasPrefix("In laptop mode the display does not turn; 'orientationctl display' says why.\n\nNext:\n")
                == isKept)
    }

    @Test func `without a daemon and a known service manager there are three commands, too`() {
        #expect(
            Overview(state: nil).next.map(\.command)
                == ["orientationctl doctor", "orientationctl display", Self.report])
    }

    @Test func `the text has the state, aligned commands and the way to all of them`() {
        #expect(
            Overview.head(Self.state()) == """
                right edge up: display needs 270° counter-clockwise
                sensor: iio:device0

                """)
        #expect(
            Overview(state: Self.state()).text == """
                Next:
                  orientationctl watch                    Show the orientation live
                  orientationctl display                  Print the outputs of this session and what rotates them
                  sudo orientationctl calibrate --write   Fix a picture that turns the wrong way

                'orientationctl --help' lists all commands.
                """)
    }

    @Test(arguments: [
        (true, 195, "yes"), (nil, 195, "unknown: the lid angle alone does not decide it"), (nil, nil, nil),
    ])
    func `status has the tablet mode, or why a lid angle does not decide it`(mode: Bool?, angle: Int?, text: String?) {
        let lines = Self.state { ($0.tabletMode, $0.lidAngle) = (mode, angle) }.report.split(separator: "\n")
        #expect(lines.first { $0.hasPrefix("tablet mode") } == text.map { "tablet mode    \($0)" })
    }

    @Test func `control characters in the name of the sensor are replaced`() {
        let text = Overview.head(Self.state { $0.sensor = "a\u{1B}[2Jb" })
        #expect(text.contains("sensor: a·[2Jb\n"), "\(text)")
    }

    @Test(arguments: [
        (-1.0, "0 s"), (0.9, "0 s"), (119.9, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"),
        (172_799, "47 h"), (172_800, "2 d"), (1e300, "1000000 d"),
    ])
    func `times have a unit that gives them two digits or three`(seconds: Double, text: String) {
        #expect(DaemonStatus.time(seconds) == text)
    }
}
