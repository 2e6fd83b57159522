// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Sensors that come, go, change and fail while a client watches.
@Suite(.serialized) struct HotPlug {
    private let chip = Machine.Device.upright

    private func other(_ label: String = "accel-display") -> Machine.Device {
        var other = chip
        other.number = 1
        other.attributes["name"] = "bmi160"
        other.attributes["label"] = label
        return other
    }

    @Test func `a sensor that is plugged in is used at once`() throws {
        let bed = try MockedMachine([])
        let watch = try bed.tool("watch", "--json")
        _ = try watch.lines { $0.contains("no usable accelerometer") || $0.contains("no IIO devices") }
        try bed.plug(chip)
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
    }

    @Test func `a sensor may go and come back any number of times while a client watches`() throws {
        let bed = try MockedMachine([chip])
        let watch = try bed.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
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
        // Some are on their way to being closed at any moment; what is lost in each round would be as many as rounds.
        #expect((open.last ?? .max) < (open.first ?? 0) + open.count / 2)
    }

    @Test func `an edited hardware database works at once, and nobody hears of unknown`() throws {
        let bed = try MockedMachine([chip])
        let watch = try bed.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try bed.change(chip, "ACCEL_MOUNT_MATRIX", to: "0, 1, 0; -1, 0, 0; 0, 0, 1")
        #expect(try watch.state().orientation == "landscapeRight")
    }

    @Test func `a buffer whose node gets its rights late is captured from, though nobody says so`() throws {
        let bed = try MockedMachine([.speaking])
        try FileManager.default.createDirectory(atPath: bed.root + "/dev", withIntermediateDirectories: true)
        let node = bed.root + "/dev/iio:device0"
        try #require(mkfifo(node, 0o600) == 0, "\(node): errno \(errno)")
        try bed.refuse("open", "/dev/iio:device0", EACCES)
        let watch = try bed.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        let refused = "polled: cannot open the buffer's device node: permission denied"
        _ = try bed.tool("sensors").lines { $0.contains(refused) }
        try bed.refuseNothing()
        // Captured, or given up again since nothing comes: the pipe has no chip behind it.
        #expect(
            try eventually {
                try bed.tool("sensors").lines { $0.contains("used: ") }.allSatisfy { !$0.contains(refused) }
            })
    }

    @Test func `a better sensor that appears later takes over, and the state says so`() throws {
        let second = other()
        let bed = try MockedMachine([second])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device1")
        try bed.plug(chip)
        let state = try watch.state()
        #expect(state.sensor == "iio:device0")
        #expect(state.orientation == "portrait")
    }

    @Test func `when a sensor fails the next one is used, and the choice is explained`() throws {
        let second = other()
        let bed = try MockedMachine([chip, second])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
        try bed.set(chip, "in_accel_x_raw", to: "garbage")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device1")
        let list = try bed.tool("sensors").lines { $0.contains("recent failure") }
        #expect(list.last?.contains("in_accel_x_raw: invalid value 'garbage'") == true)
    }

    @Test func `a sensor that answers with exact zeros is left for the next one`() throws {
        let second = other()
        let bed = try MockedMachine([chip, second])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
        try bed.set(chip, "in_accel_y_raw", to: "0")
        let states = try watch.states(until: "portrait")
        #expect(states.first?.reason == "kxcjk1013: no reading for 5 seconds")
        #expect(states.last?.sensor == "iio:device1")
    }
}
