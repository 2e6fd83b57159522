// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A sleep of the machine, simulated by a CLOCK_BOOTTIME that advances by an hour.
@Suite(.serialized) struct SleepTests {
    private static let hour: Int32 = 3600

    /// Adds a frequency that the daemon changes.
    private func tunable(_ chip: Machine.Device) -> Machine.Device {
        var chip = chip
        chip.attributes["sampling_frequency"] = "1"
        chip.attributes["sampling_frequency_available"] = "1 5 25 50"
        return chip
    }

    @Test(arguments: [Machine.Device.buffered, .upright])
    func `a sleep sets the sensor up again, and the first sample decides`(chip: Machine.Device) throws {
        let faults = try Faults()
        let chip = tunable(chip)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let scans = chip.hasNode ? try Scans(machine, chip) : nil
        try scans?.write(0, 196, 0)
        let watch = try daemon.tool("watch", "--json")
        let before = try #require(try watch.states(until: "portrait").last)
        #expect(try machine.value(chip, "sampling_frequency") == "25")

        // The driver has lost its frequency and the enabled scan elements.
        try machine.set(chip, "sampling_frequency", to: "5")
        if chip.hasNode { try machine.set(chip, ["scan_elements/in_accel_x_en": 0, "buffer/enable": 0]) }
        // The turn is read after the clock has jumped.
        try faults.sleep(seconds: Self.hour)
        try machine.hold(chip, -1, 0, 0)
        #expect(try eventually { try machine.value(chip, "sampling_frequency") == "25" })
        // One scan suffices for a reset classifier only.
        try scans?.write(-196, 0, 0)
        let after = try watch.state()
        #expect(after.orientation == "landscapeRight")
        #expect(after.sequence == before.sequence + 1)
        #expect(after.timestamp - before.timestamp > Int(Self.hour) * 1_000_000)
        if chip.hasNode { #expect(try eventually { try machine.value(chip, "scan_elements/in_accel_x_en") == "1" }) }
    }

    @Test func `a change of the wall clock is not a sleep`() throws {
        let faults = try Faults()
        let chip = tunable(.upright)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let watch = try daemon.watch(until: "portrait")
        defer { withExtendedLifetime(watch) {} }
        try machine.set(chip, "sampling_frequency", to: "5")
        for _ in 0..<3 { try faults.jump() }
        // A reply follows the handling of the jumps.
        #expect(try daemon.runTool("status").status == 0)
        #expect(try machine.value(chip, "sampling_frequency") == "5")
    }
}
