// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What holds after the machine has slept, by a clock that has gone on for an hour while the other stood still.
@Suite(.serialized) struct Sleep {
    private static let hour: Int32 = 3600

    /// A chip that is set to a frequency, with all that is done to it in use.
    private func tunable(_ chip: Machine.Device) -> Machine.Device {
        var chip = chip
        chip.attributes["sampling_frequency"] = "1"
        chip.attributes["sampling_frequency_available"] = "1 5 12.5 25"
        return chip
    }

    @Test(arguments: [Machine.Device.speaking, .upright])
    func `the sensor is set up anew, and its first sample decides`(chip: Machine.Device) throws {
        let faults = try Faults()
        let chip = tunable(chip)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let scans = chip.hasNode ? try Scans(machine, chip) : nil
        try scans?.write(0, 196, 0)
        let watch = try daemon.tool("watch", "--json")
        let before = try #require(try watch.states(until: "portrait").last)
        #expect(try machine.value(chip, "sampling_frequency") == "12.5")

        // The driver has forgotten what it was told, and nothing is left of the scan elements that were chosen.
        try machine.set(chip, "sampling_frequency", to: "5")
        if chip.hasNode { try machine.set(chip, ["scan_elements/in_accel_x_en": 0, "buffer/enable": 0]) }
        // Whoever reads does not learn of the turn before the clock has jumped.
        try faults.sleep(seconds: Self.hour)
        try machine.hold(chip, -1, 0, 0)
        #expect(try eventually { try machine.value(chip, "sampling_frequency") == "12.5" })
        // One scan: enough for a classifier that starts afresh, and not for one that goes on.
        try scans?.write(-196, 0, 0)
        let after = try watch.state()
        #expect(after.orientation == "landscapeRight")
        #expect(after.sequence == before.sequence + 1)
        #expect(after.timestamp - before.timestamp > Int(Self.hour) * 1_000_000)
        if chip.hasNode { #expect(try eventually { try machine.value(chip, "scan_elements/in_accel_x_en") == "1" }) }
    }

    @Test func `a clock that somebody sets is no sleep`() throws {
        let faults = try Faults()
        let chip = tunable(.upright)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try machine.set(chip, "sampling_frequency", to: "5")
        for _ in 0..<3 { try faults.jump() }
        // Whoever is answered is answered after the jumps were heard.
        #expect(try daemon.runTool("status").status == 0)
        #expect(try machine.value(chip, "sampling_frequency") == "5")
    }
}
