// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The lid angle of laptops, from the real daemon over umockdev's devices.
@Suite struct LidAngleTests {
    /// Whether the state soon has this mode and angle.
    private func reaches(_ daemon: RunningDaemon, _ isTablet: Bool?, _ angle: Int?) -> Bool {
        eventually {
            let state = try? daemon.state
            return state?.tabletMode == isTablet && state?.lidAngle == angle
        }
    }

    private var base: Machine.Device {
        var base = Machine.Device.upright
        base.number = 1
        base.attributes["label"] = "accel-base"
        // Flat on a table.
        base.attributes["in_accel_y_raw"] = "0"
        base.attributes["in_accel_z_raw"] = "196"
        return base
    }

    @Test func `a pair of accelerometers measures the lid angle`() throws {
        let display = Machine.Device.upright
        let daemon = try RunningDaemon([], devices: [display, base])
        let machine = try #require(daemon.machine)
        #expect(reaches(daemon, false, 90))
        #expect(try daemon.state.sensor == "iio:device0")
        // A display that hangs down from a base on a table is no tablet, a stand with the keyboard down is one.
        try machine.hold(display, 0, -1, 0)
        #expect(reaches(daemon, false, 270))
        try machine.hold(base, 0, 0, -1)
        try machine.hold(display, 0, 1, 0)
        #expect(reaches(daemon, true, 270))
        #expect(try eventually { try daemon.runTool("status").output.contains("lid angle      270°") })
        let sensors = try daemon.sensors
        #expect(sensors.contains("* hinge: iio:device1: kxcjk1013"))
        #expect(sensors.contains("used for the tablet mode: against iio:device0 (kxcjk1013)"))
    }

    @Test func `the tablet mode of the lid angle reaches commands and waybar's module`() throws {
        let daemon = try RunningDaemon([], devices: [.upright, base])
        let machine = try #require(daemon.machine)
        let tool = { try RunningProgram(Programs.tool, toolOptions(daemon.socket, for: "watch") + ["watch"] + $0) }
        let command = try tool(["--json", "--debounce", "0", "--exec", "echo mode=$TABLET_MODE >&2"])
        let module = try tool(["--waybar"])
        #expect(eventually { command.errorText.hasPrefix("mode=0\n") })
        #expect(try module.lines { $0.contains("laptop mode") }.count >= 1)
        try machine.hold(base, 0, 0, -1)
        #expect(try module.lines { $0.contains(#""tablet""#) }.count >= 1)
        #expect(eventually { command.errorText.hasSuffix("mode=0\nmode=1\n") })
    }

    @Test func `the lid angle of a Chromebook's controller is used, and a shut lid means laptop`() throws {
        let controller = Machine.Device(
            number: 1, driver: "cros-ec-lid-angle", attributes: ["name": "cros-ec-lid-angle", "in_angl_raw": "270"])
        let daemon = try RunningDaemon([], devices: [.upright, controller])
        #expect(reaches(daemon, true, 270))
        // Folded back at the start, with the display upright.
        var folded = controller
        folded.attributes["in_angl_raw"] = "358"
        let back = try RunningDaemon([], devices: [.upright, folded])
        let watch = try RunningProgram(Programs.tool, toolOptions(back.socket, for: "watch") + ["watch", "--json"])
        #expect(try watch.state { $0.lidAngle == 360 && $0.tabletMode == true }.locked == false)
        var lid = Machine.InputDevice()
        lid.name = "Lid Switch"
        lid.properties = ["ID_INPUT_SWITCH": "1"]
        lid.isShutLid = true
        let shut = try RunningDaemon([], devices: [.upright, controller], inputs: [lid])
        #expect(reaches(shut, false, 0))
        #expect(try shut.sensors.contains("with the lid switch"))
    }
}
