// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Buffered capture: its samples, when it is not used, and the state in which it leaves the buffer.
@Suite(.serialized) struct CaptureTests {
    private let chip = Machine.Device.buffered

    /// Starts a capturing daemon and a subscriber. The chip has delivered scans of portrait, so that the capture does
    /// not time out, and then none.
    private func capturing(_ faults: Faults? = nil) throws -> (
        daemon: RunningDaemon, machine: Machine, watch: RunningProgram, scans: Scans
    ) {
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let machine = try #require(daemon.machine)
        let scans = try Scans(machine, chip)
        let measuring = MeasuringChip(scans)
        let watch = try daemon.tool("watch", "--json")
        #expect(try eventually { try machine.value(chip, "buffer/enable") == "1" })
        measuring.stop()
        return (daemon, machine, watch, scans)
    }

    @Test func `scans keep their own timestamps, and the end of the last subscription restores the settings`() throws {
        let (daemon, machine, watch, scans) = try capturing()
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device0")
        #expect(try machine.value(chip, "current_timestamp_clock") == "boottime")
        // Two seconds of samples at once: only their timestamps distinguish them from a knock.
        try scans.hold(-1, 0, 0)
        #expect(try watch.state().orientation == "landscapeRight")
        #expect(FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record"))
        watch.send(SIGTERM)
        #expect(try eventually { try machine.value(chip, "buffer/enable") == "0" })
        #expect(try eventually { try machine.value(chip, "current_timestamp_clock") == "realtime" })
        #expect(eventually { !FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record") })
    }

    @Test(arguments: [true, false])
    func `SIGTERM and a fatal error of the event loop stop the buffer`(isFatal: Bool) throws {
        let faults = try Faults()
        let (daemon, machine, watch, _) = try capturing(faults)
        _ = try watch.states(until: "portrait")
        let enable = "\(machine.root)/sys\(chip.path)/buffer/enable"
        let kept = try FileHandle(forReadingFrom: URL(fileURLWithPath: enable))
        if isFatal {
            try faults.set("loop", "daemon", EINVAL)
            // Wakes the loop.
            _ = try daemon.runTool("status")
            #expect(daemon.program.wait() == 1)
            #expect(daemon.program.errorText.contains("cannot run the event loop: Invalid argument"))
        } else {
            daemon.end()
        }
        // umockdev removes its files with the daemon; the open file still has what was written last.
        #expect(String(decoding: try #require(try kept.readToEnd()), as: UTF8.self).hasPrefix("0"))
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record"))
    }

    @Test func `a buffer that is silent while the device moves is polled, and captured again later`() throws {
        let (daemon, machine, watch, scans) = try capturing()
        _ = try watch.states(until: "portrait")
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        // The scans differ from the attributes.
        let measuring = MeasuringChip(scans)
        measuring.hold(-1, 0, 0)
        _ = try watch.states(until: "landscapeRight")
        // Now a late scan does not end the capture.
        try machine.hold(chip, -1, 0, 0)
        #expect(try daemon.sensors.contains("captured from its buffer, trigger kxcjk1013-dev0"))
        #expect(daemon.end().contains("polled: timed out waiting for a sample from the buffer"))
    }

    @Test func `a hub with cached attributes is captured from the start, and its turns are followed`() throws {
        var hub = chip
        hub.driver = "hid_sensor_accel_3d"
        hub.properties = [:]
        hub.attributes["name"] = "accel_3d"
        hub.attributes["trigger/current_trigger"] = "accel_3d-dev0"
        hub.trigger = "accel_3d-dev0"
        let daemon = try RunningDaemon([], devices: [hub])
        let scans = try Scans(try #require(daemon.machine), hub)
        // At rest a hub sends no scans, and the attributes never change.
        let watch = try daemon.watch(until: "portraitUpsideDown")
        let status = try StatusClient(daemon)
        let measuring = MeasuringChip(scans)
        for (pose, (x, y)) in [("landscapeLeft", (-1, 0)), ("portrait", (0, -1))] {
            measuring.hold(x, y, 0)
            #expect(try watch.state().orientation == pose)
            measuring.stop()
            let before = try status.samples
            #expect(try eventually { try status.samples >= before + 2 })
        }
        #expect(try daemon.sensors.contains("captured from its buffer, trigger accel_3d-dev0"))
        #expect(!daemon.end().contains("polled"))
    }

    @Test func `a buffer that another program stops is not started again`() throws {
        let (daemon, machine, watch, _) = try capturing()
        _ = try watch.states(until: "portrait")
        try machine.set(chip, ["buffer/enable": 0])
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        #expect(daemon.end().contains("polled: another program stopped the buffer"))
    }

    private static let formats = [
        "", "garbage", "le:s16/0>>0", "le:s16/7>>0", "le:s200/16>>0", "le:s16/16>>4", "le:s16/16>>4294967295",
        "le:s16/16X9>>0",
    ].map { format -> ([String: String?], String) in
        (
            ["scan_elements/in_accel_y_type": format, "scan_elements/in_timestamp_type": format],
            "invalid scan format 'le:"
        )
    }
    private static let unknownIndex = "cannot read the index of a channel in scan_elements"

    @Test(
        arguments: formats + [
            (["scan_elements/in_accel_x_index": nil], unknownIndex),
            (["scan_elements/in_timestamp_index": nil], unknownIndex),
            (["scan_elements/in_voltage0_en": "0", "scan_elements/in_voltage0_type": "le:s16/32>>0"], unknownIndex),
        ])
    func `a sensor with an unknown format or position of a channel in scans is polled`(
        changes: [String: String?], reason: String
    ) throws {
        var device = chip
        for (name, text) in changes { device.attributes[name] = text }
        let daemon = try RunningDaemon([], devices: [device])
        #expect(daemon.shows("top edge up: display needs no rotation"))
        #expect(try daemon.sensors.contains("polled: \(reason)"))
    }

    @Test func `a start after SIGKILL stops the buffer of the killed daemon, and no other`() throws {
        var other = chip
        other.number = 1
        other.attributes["buffer/enable"] = "1"
        let folder = try TemporaryDirectory()
        let arguments = "--socket '\(folder.path)/socket' --state-directory '\(folder.path)'"
        // Two runs in one emulated machine, which exists longer than the first run.
        let run = "'\(Programs.daemon)' \(arguments)"
        let machine = try Machine(
            [chip, other], in: folder,
            running: "\(run) & echo $!; wait; echo over; read line; exec \(run)", input: true)
        let first = try #require(try machine.program.line().flatMap { Int32($0) })
        let socket = folder.path + "/socket"
        #expect(eventually { FileManager.default.fileExists(atPath: socket) })
        let measuring = MeasuringChip(try Scans(machine, chip))
        let watch = try RunningProgram(Programs.tool, toolOptions(socket, for: "watch") + ["watch", "--json"])
        #expect(try eventually { try machine.value(chip, "buffer/enable") == "1" })
        kill(first, SIGKILL)
        _ = try machine.program.lines { $0 == "over" }
        #expect(try machine.value(chip, "buffer/enable") == "1")
        watch.send(SIGTERM)
        machine.program.write("\n")
        #expect(try eventually { try machine.value(chip, "buffer/enable") == "0" })
        #expect(try machine.value(other, "buffer/enable") == "1")
        #expect(eventually { !FileManager.default.fileExists(atPath: folder.path + "/restore-record") })
        withExtendedLifetime(measuring) {}
    }
}
