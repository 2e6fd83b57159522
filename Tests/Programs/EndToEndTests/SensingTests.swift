// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// From an IIO accelerometer to a subscriber, with the real libiio and the real programs.
@Suite(.serialized) struct SensingTests {
    private let chip = Machine.Device.upright

    @Test func `offset and scale of each axis apply before the matrix`() throws {
        var device = chip
        device.properties = [:]
        device.attributes["in_accel_scale"] = nil
        device.attributes.merge(
            [
                // Swaps x and y; the sign follows the direction of the field: the device's x is minus the sensor's y.
                "mount_matrix": "0, 1, 0; 1, 0, 0; 0, 0, 1",
                "in_accel_x_scale": "0.1", "in_accel_y_scale": "0.2", "in_accel_z_scale": "0.3",
                "in_accel_x_offset": "-7", "in_accel_x_raw": "7", "in_accel_y_raw": "-49", "in_accel_z_raw": "0",
            ]) { $1 }
        let daemon = try RunningDaemon([], devices: [device])
        let state = try daemon.state
        #expect(state.orientation == "landscapeLeft")
        #expect(state.tilt == 0)
    }

    @Test func `a udev property tunes the classifier of one device, and an invalid value is reported`() throws {
        var device = chip
        device.properties["ORIENTATIOND_CLASSIFIER"] = "quick"
        do {
            let daemon = try RunningDaemon([], devices: [device])
            let watch = try daemon.watch(until: "portrait")
            // 8.5° past the diagonal: beyond the margin of the preset quick, within that of standard.
            try daemon.machine?.set(device, ["in_accel_x_raw": 157, "in_accel_y_raw": 116])
            #expect(try watch.state().orientation == "landscapeLeft")
        }
        device.properties["ORIENTATIOND_CLASSIFIER"] = "quick,edgeMargin=99"
        let daemon = try RunningDaemon([], devices: [device])
        _ = try daemon.state
        let log = daemon.end()
        #expect(log.contains("udev ORIENTATIOND_CLASSIFIER"))
        #expect(log.contains("edgeMargin"))
    }
}
