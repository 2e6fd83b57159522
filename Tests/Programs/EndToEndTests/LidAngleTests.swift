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
}
