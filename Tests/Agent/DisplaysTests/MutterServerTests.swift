// SPDX-License-Identifier: Apache-2.0

import SystemdTestSupport
import TestSupport
import Testing

@testable import Displays

/// A session bus with mutter's service, in Python. `screen-test` has the real one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MutterServerTests {
    private let bus: PrivateBus
    private let service: RunningProgram
    private var environment: [String: String] { ["DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": bus.address] }

    init() throws {
        bus = try PrivateBus()
        service = try RunningProgram(
            "/usr/bin/python3", [Programs.packageFolder + "/Tests/Agent/DisplaysTests/Python/mutter.py", bus.address],
            keepsInput: true)
        _ = try service.lines { $0 == "ready" }
    }

    private func open() throws -> DisplayBench {
        let bench = try DisplayBench(.mutter, environment: environment)
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    /// Sends the service a command and waits until it is done.
    private func command(_ line: String) throws {
        service.write(line + "\n")
        _ = try service.lines { $0 == "done" }
    }

    private static let panel = Output(
        name: "eDP-1", label: "Built-in display", mode: PixelSize(width: 1280, height: 800), scale: 2)
    private static let monitor = Output(
        name: "HDMI-1", label: "ACME Model HDMI-1", mode: PixelSize(width: 1920, height: 1080),
        position: LayoutPoint(x: 640, y: 0))

    @Test func `an opened server reports that it rotates, and sends its outputs`() throws {
        let bench = try open()
        #expect(
            bench.takeEvents() == [.rotatedBy("GNOME (mutter)"), .outputs([Self.panel, Self.monitor])])
        #expect(bench.server?.name == "GNOME (mutter)")
    }

    @Test func `a rotation is applied with all monitors, their modes and scales`() throws {
        let bench = try open()
        let wanted = Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)
        #expect(try bench.apply(wanted) == .applied)
        #expect(bench.outputs == wanted)
        let line = try service.line()
        #expect(
            line == "1 {'layout-mode': 1} [(0, 0, 2.0, 1, True, [('eDP-1', '1280x800@60', {})]), "
                + "(400, 0, 1.0, 0, False, [('HDMI-1', '1920x1080@60', {})])]")
    }

    @Test func `a refused configuration fails with the reason`() throws {
        let bench = try open()
        try command("refuse")
        #expect(
            try bench.apply(Layout.rotating("eDP-1", to: .rotated180, in: bench.outputs))
                == .failed("Logical monitors not adjacent"))
        #expect(bench.outputs == [Self.panel, Self.monitor])
    }

    @Test func `a monitor that is switched off is sent`() throws {
        let bench = try open()
        try command("change")
        try bench.run { bench.outputs.last?.isEnabled == false }
        #expect(
            bench.outputs == [Self.panel, Output(name: "HDMI-1", label: "ACME Model HDMI-1", isEnabled: false)])
    }

    @Test func `a configuration from before a change of the monitors is outdated`() throws {
        let bench = try open()
        let wanted = Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)
        try command("change")
        #expect(try bench.apply(wanted) == .outdated)
        #expect(bench.outputs.last?.isEnabled == false)
    }

    @Test func `an invalid state ends the server`() throws {
        let bench = try open()
        try command("malformed")
        try bench.run { bench.events.last == .lost("GetCurrentState: invalid reply") }
    }

    @Test func `the end of the service, or of the bus, is reported once`() throws {
        let bench = try open()
        service.write("end\n")
        try bench.run { bench.events.last == .ended("GNOME (mutter) left the session bus") }
        bus.stop()
        bench.server?.apply([])
        try bench.runReady()
        #expect(bench.events.count == 3)
    }

    @Test func `the end of the bus is reported`() throws {
        let bench = try open()
        bus.stop()
        try bench.run { bench.events.last == .ended("the bus closed the connection") }
    }

    @Test func `a session without GNOME has no such server`() throws {
        service.write("end\n")
        _ = service.wait()
        #expect(try DisplayBench(.mutter, environment: environment).server == nil)
        bus.stop()
        #expect(try DisplayBench(.mutter, environment: environment).server == nil)
        #expect(try DisplayBench(.mutter, environment: [:]).server == nil)
    }
}
