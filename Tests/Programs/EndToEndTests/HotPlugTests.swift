// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Sensors that appear, disappear, change and fail while a client is subscribed.
@Suite(.serialized) struct HotPlugTests {
    private let chip = Machine.Device.upright

    private func other(_ label: String = "accel-display") -> Machine.Device {
        var other = chip
        other.number = 1
        other.attributes["name"] = "bmi160"
        other.attributes["label"] = label
        return other
    }

    @Test func `repeated unplugging and plugging leaks no descriptor and no thread`() throws {
        let bed = try Testbed([chip])
        let watch = try bed.watch(until: "portrait")
        var open: [Int] = []
        for _ in 0..<10 {
            try bed.unplug(chip)
            let gone = try watch.state { $0.orientation == "unknown" }
            #expect(gone.lastEdge == "portrait")
            #expect(gone.reason?.isEmpty == false)
            try bed.plug(chip)
            #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
            open.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bed.daemon)/fd").count)
        }
        // A few are open temporarily; a leak would add one for each round.
        #expect((open.last ?? .max) < (open.first ?? 0) + open.count / 2)
    }

    /// Files of udev, of the sensor and of a device above it.
    @Test(arguments: ["/uevent", "/label", "/name", "/in_accel_scale", "/removable"])
    func `what cannot be read leaves the orientation unknown, with the reason, and is read again`(file: String) throws {
        var device = chip
        device.usb = Machine.USBDevice(removable: "fixed")
        let bed = try Testbed([device])
        // Without its matrix from udev the orientation would be another one.
        try bed.setFault("open", file, EMFILE)
        let watch = try bed.tool("watch", "--json")
        let states = try watch.lines { $0.contains("Too many open files") }
        #expect(try states.map { try WireState($0) }.allSatisfy { $0.orientation == "unknown" })
        try bed.clearFaults()
        #expect(try watch.state { $0.orientation != "unknown" }.orientation == "portrait")
    }

    @Test func `a failing sensor is replaced by the next one, and the list gives the reason`() throws {
        let second = other()
        let bed = try Testbed([chip, second])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
        try bed.set(chip, "in_accel_x_raw", to: "garbage")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device1")
        let list = try bed.tool("sensors").lines { $0.contains("recent failure") }
        #expect(list.last?.contains("in_accel_x_raw: invalid value 'garbage'") == true)
    }

    @Test func `a sensor that reads exact zeros is replaced by the next one`() throws {
        let second = other()
        let bed = try Testbed([chip, second])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
        try bed.set(chip, "in_accel_y_raw", to: "0")
        let states = try watch.states(until: "portrait")
        #expect(states.first?.reason == "kxcjk1013: no reading for 5 seconds")
        #expect(states.last?.sensor == "iio:device1")
    }
}
