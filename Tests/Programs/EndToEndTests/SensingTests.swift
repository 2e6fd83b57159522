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

    @Test(arguments: [("5000", "980000"), ("0.000001", "0"), ("0.15", "29")])
    func `readings that no known error of a scale explains are a fault`(
        scale: String, reading: String
    ) throws {
        var device = chip
        device.attributes["in_accel_scale"] = scale
        let daemon = try RunningDaemon([], devices: [device])
        let watch = try daemon.tool("watch", "--json")
        let reason = "the sensor has no gravity: readings of \(reading) m/s² instead of 9.8"
        #expect(try eventually { try daemon.runTool("status").output.contains { $0.contains(reason) } })
        _ = try watch.lines { $0.contains("\(reason); check its scale and its mount matrix") }
    }

    @Test func `a chip on a slow bus is read at rest mostly along the two axes that a turn changes most`() throws {
        let faults = try Faults()
        try faults.set("slow", "_raw", 1)
        var device = chip
        device.attributes.merge(["in_accel_x_raw": "10", "in_accel_y_raw": "190", "in_accel_z_raw": "45"]) { $1 }
        let daemon = try RunningDaemon([], devices: [device], faults: faults)
        let watch = try daemon.watch(until: "portrait")
        /// Whether the last reads are those of a device at rest: the axis along gravity in one of four readings.
        func isAtRest(across least: String, _ middle: String, along most: String) throws -> Bool {
            let last = try faults.reads.suffix(16)
            return [least, middle, most].map { axis in last.count { $0 == "in_accel_\(axis)_raw" } } == [8, 6, 2]
        }
        #expect(try eventually { try isAtRest(across: "x", "z", along: "y") })
        let resting = try faults.reads.count
        try daemon.machine?.set(device, ["in_accel_x_raw": 190, "in_accel_y_raw": 10])
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(try eventually { try isAtRest(across: "y", "z", along: "x") })
        // In motion each reading has all axes.
        let axes = try faults.reads.dropFirst(resting).compactMap { $0.dropFirst("in_accel_".count).first }
        #expect(String(axes).contains("xyzxyzxyz"))
    }
}
