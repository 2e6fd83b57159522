// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The motion interrupt of a chip, by which a device at rest is not polled.
@Suite(.serialized) struct MotionInterruptTests {
    private static let enable = "events/in_accel_x_thresh_either_en"
    private static let value = "events/in_accel_x_thresh_either_value"

    private var chip: Machine.Device {
        var chip = Machine.Device.upright
        chip.attributes.merge([Self.enable: "0", Self.value: "9"]) { $1 }
        chip.hasNode = true
        return chip
    }

    /// Starts a daemon whose chip is at rest, and waits until its event is armed.
    private func start(_ faults: Faults) throws -> (daemon: RunningDaemon, watch: RunningProgram, machine: Machine) {
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let watch = try daemon.watch(until: "portrait")
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        #expect(try machine.value(chip, Self.value) == "1")
        return (daemon, watch, machine)
    }

    @Test func `an event is answered at once, the chip's settings are restored, and the event is armed again`() throws {
        let faults = try Faults()
        let (daemon, watch, machine) = try start(faults)
        #expect(try daemon.sensors.contains("at rest: motion event in_accel_x_thresh_either"))
        for (x, y, name) in [(1, 0, "landscapeLeft"), (0, 1, "portrait")] {
            // Not armed again before the restored settings were seen.
            try faults.set("ioctl", "/iio:device0", EBUSY)
            try machine.hold(chip, x, y, 0)
            try faults.reportMotion()
            #expect(try watch.state().orientation == name)
            #expect(eventually { (try? machine.value(chip, Self.value)) == "9" })
            try faults.clear()
            #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        }
        watch.send(SIGTERM)
        #expect(eventually { (try? machine.value(chip, Self.value)) == "9" })
        #expect(try machine.value(chip, Self.enable) == "0")
    }

    @Test func `a captured chip waits for its event at rest, and its buffer is read again after it`() throws {
        var chip = Machine.Device.buffered
        chip.attributes.merge([Self.enable: "0", Self.value: "9"]) { $1 }
        let faults = try Faults()
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let measuring = MeasuringChip(try Scans(machine, chip))
        let watch = try daemon.watch(until: "portrait")
        #expect(try daemon.sensors.contains("captured"))
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        #expect(try machine.value(chip, "buffer/enable") == "0")
        // Not armed again before the buffer was seen to run.
        try faults.set("ioctl", "/iio:device0", EBUSY)
        measuring.hold(1, 0, 0)
        try machine.hold(chip, 1, 0, 0)
        try faults.reportMotion()
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(eventually { (try? machine.value(chip, "buffer/enable")) == "1" })
        try faults.clear()
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
    }

    @Test func `all axes of a chip on a slow bus are read at rest, so that the next reading shows a turn`() throws {
        let faults = try Faults()
        try faults.set("slow", "_raw", 1)
        let (daemon, watch, machine) = try start(faults)
        let status = try StatusClient(daemon)
        let armed = try status.samples
        // A polled chip is read by two axes at a time.
        #expect(try eventually { try status.samples >= armed + 2 })
        // The end of the rest hangs: no sample follows the one that shows the turn.
        try faults.add("open", "/in_accel_x_raw", Faults.hang)
        let resting = try status.samples
        // x does not change.
        try machine.hold(chip, 0, 0, 1)
        #expect(try watch.state().orientation == "faceUp")
        #expect(try status.samples - resting <= 1)
        try faults.clear()
    }

    @Test func `the list of sensors names the event while the sensor is off, and another user of the event`() throws {
        let idle = try RunningDaemon([], devices: [chip])
        #expect(try idle.sensors.contains("at rest: motion event in_accel_x_thresh_either"))
        var used = chip
        used.attributes[Self.enable] = "1"
        let faults = try Faults()
        let daemon = try RunningDaemon([], devices: [used], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        defer { withExtendedLifetime((faults, watch)) {} }
        _ = try watch.states(until: "portrait")
        let reason = "motion event not used now: another program uses the event in_accel_x_thresh_either"
        #expect(eventually { (try? daemon.sensors.contains(reason)) == true })
        #expect(try daemon.machine?.value(used, Self.value) == "9")
        #expect(try daemon.machine?.value(used, Self.enable) == "1")
        try daemon.machine?.set(used, Self.enable, to: "0")
        #expect(eventually { (try? daemon.sensors.contains("at rest: motion event")) == true })
    }

    /// Starts a daemon with the record of another process that armed the event, and with a fault of this call.
    private func startBeside(_ call: String) throws -> (machine: Machine, keptAlive: [Any]) {
        let state = try TemporaryDirectory()
        _ = try state.write(
            "boot\ndevice=iio:device0\n\(Self.enable)=0\n\(Self.value)=9\n",
            to: "restore-record")
        var left = chip
        left.attributes.merge([Self.enable: "1", Self.value: "1"]) { $1 }
        let faults = try Faults()
        try faults.set(call, "/iio:device0", EBUSY)
        let daemon = try RunningDaemon(
            ["--state-directory", state.path], devices: [left], faults: faults,
            environment: ["ORIENTATIOND_BOOT_ID": "boot"])
        return (try #require(daemon.machine), [state, faults, daemon])
    }

    @Test func `after SIGKILL the event is restored although another program has the node open`() throws {
        let (machine, kept) = try startBeside("open")
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "0" })
        #expect(eventually { (try? machine.value(chip, Self.value)) == "9" })
        withExtendedLifetime(kept) {}
    }

    @Test func `a daemon with the same state directory does not end the event of one that runs`() throws {
        let (machine, kept) = try startBeside("ioctl")
        let daemon = try #require(kept.last as? RunningDaemon)
        // The list follows the restoring scan.
        _ = try daemon.sensors
        #expect(try machine.value(chip, Self.enable) == "1")
        #expect(try machine.value(chip, Self.value) == "1")
    }
}
