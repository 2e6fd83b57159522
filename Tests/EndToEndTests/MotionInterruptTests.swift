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
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        #expect(try machine.value(chip, Self.value) == "1")
        return (daemon, watch, machine)
    }

    private func sensors(_ daemon: RunningDaemon) throws -> String {
        try daemon.runTool("sensors").output.joined(separator: "\n")
    }

    @Test func `an event is answered at once, the chip's settings are restored, and the event is armed again`() throws {
        let faults = try Faults()
        let (daemon, watch, machine) = try start(faults)
        #expect(try sensors(daemon).contains("at rest: motion event in_accel_x_thresh_either"))
        for (x, y, name) in [(1, 0, "landscapeLeft"), (0, 1, "portrait")] {
            try machine.hold(chip, x, y, 0)
            try faults.reportMotion()
            #expect(try watch.state().orientation == name)
            #expect(eventually { (try? machine.value(chip, Self.value)) == "9" })
            #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        }
        watch.send(SIGTERM)
        #expect(eventually { (try? machine.value(chip, Self.value)) == "9" })
        #expect(try machine.value(chip, Self.enable) == "0")
    }

    @Test
    func `a turn that the interrupt does not report is answered by the next reading, and the event is not used again`()
        throws
    {
        let (daemon, watch, machine) = try start(try Faults())
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "0" })
        #expect(
            eventually { (try? sensors(daemon).contains("motion event not used: it did not report a turn")) == true })
        #expect(try machine.value(chip, Self.enable) == "0")
    }

    @Test(arguments: [ENOTTY, ENODEV, EACCES])
    func `a refused event is reported, and the sensor is polled`(code: Int32) throws {
        let faults = try Faults()
        try faults.set("ioctl", "/iio:device0", code)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        #expect(
            eventually { (try? sensors(daemon).contains("motion event not used: cannot open the events")) == true })
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(try machine.value(chip, Self.enable) == "0")
    }

    @Test func `an event that another program uses is left as it is`() throws {
        var used = chip
        used.attributes[Self.enable] = "1"
        let daemon = try RunningDaemon([], devices: [used], faults: try Faults())
        let machine = try #require(daemon.machine)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try machine.hold(used, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(try machine.value(used, Self.value) == "9")
        #expect(try machine.value(used, Self.enable) == "1")
    }

    @Test func `after SIGKILL the next start restores the settings of the chip`() throws {
        let state = try TemporaryDirectory()
        let options = ["--state-directory", state.path]
        let faults = try Faults()
        defer { withExtendedLifetime(faults) {} }
        let daemon = try RunningDaemon(options, devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
        let record = try state.text(of: "restore-record")
        #expect(record.contains("event \(Self.enable.dropFirst(7)) 0\nevent \(Self.value.dropFirst(7)) 9\n"))
        withExtendedLifetime(watch) { daemon.program.send(SIGKILL) }
        _ = daemon.program.wait()
        var left = chip
        left.attributes.merge([Self.enable: "1", Self.value: "1"]) { $1 }
        let next = try RunningDaemon(options, devices: [left])
        let second = try #require(next.machine)
        #expect(eventually { (try? second.value(left, Self.enable)) == "0" })
        #expect(eventually { (try? second.value(left, Self.value)) == "9" })
    }

    @Test func `a motion subscriber gets its samples although the device is at rest`() throws {
        let faults = try Faults()
        let (daemon, watch, machine) = try start(faults)
        defer { withExtendedLifetime((faults, watch)) {} }
        let record = try daemon.runTool("record", "--duration", "1", "-")
        #expect(record.status == 0)
        #expect(record.output.count > 10)
        #expect(eventually { (try? machine.value(chip, Self.enable)) == "1" })
    }
}
