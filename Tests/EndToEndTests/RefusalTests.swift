// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the kernel refuses, each told apart, in words for people, and got over once it refuses no more.
@Suite(.serialized) struct Refusals {
    private let chip = Machine.Device.upright

    @Test(arguments: [
        (EBUSY, "the buffer is in use by another program"),
        (EPERM, "cannot open the buffer's device node: denied by the service's device policy"),
        (EACCES, "cannot open the buffer's device node: permission denied; install orientationd's udev rule"),
    ])
    func `a buffer's node that cannot be opened is not captured from, it is said why, and it is tried again`(
        code: Int32, reason: String
    ) throws {
        let faults = try Faults()
        try faults.set("open", "/dev/iio:device0", code)
        let daemon = try RunningDaemon([], devices: [.speaking], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        let list = try daemon.runTool("sensors").output.joined(separator: "\n")
        #expect(list.contains("polled: \(reason)"))
        #expect(list.contains("warning: not captured: \(reason)"))
        #expect(try daemon.machine?.value(.speaking, "buffer/enable") == "0")
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record"))
        let chip = MeasuringChip(try Scans(try #require(daemon.machine), .speaking))
        try faults.clear()
        #expect(try eventually { try daemon.machine?.value(.speaking, "buffer/enable") == "1" })
        let after = try daemon.runTool("sensors").output
        #expect(after.contains { $0.contains("captured from its buffer") })
        #expect(!after.contains { $0.contains("warning: not captured") })
        withExtendedLifetime(chip) {}
    }

    @Test(arguments: [
        ("open", EACCES, "cannot read in_accel_y_raw: Permission denied"),
        ("read", EPERM, "cannot read in_accel_y_raw: Operation not permitted"),
        ("read", EBUSY, "cannot poll the sensor while another program captures from it"),
        ("read", EIO, "cannot read in_accel_y_raw: Input/output error"),
        ("read", ENODEV, "the sensor was disconnected (in_accel_y_raw: No such device)"),
    ])
    func `a reading that is refused makes the state unknown, and it recovers by itself`(
        call: String, code: Int32, reason: String
    ) throws {
        let faults = try Faults()
        try faults.set(call, "/in_accel_y_raw", code)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        let told = try watch.state { $0.reason?.hasPrefix(reason) == true }
        #expect(told.orientation == "unknown")
        let list = try daemon.runTool("sensors").output
        #expect(list.contains { $0.hasPrefix("    last error: \(reason)") })
        #expect(!list.contains { $0.contains("last vector") })
        try faults.clear()
        _ = try watch.states(until: "portrait")
        let after = try daemon.runTool("sensors").output
        #expect(after.contains("    last vector: 0.0, 9.8, 0.0 m/s²"))
        #expect(after.contains { $0.hasPrefix("    last error: \(reason)") })
    }

    @Test func `a board that nobody answers for is told in words of our own`() throws {
        let daemon = try RunningDaemon(["--sensor", "iio:ip:127.0.0.1:\(try freePort())"])
        let state = try WireState(try #require(try daemon.runTool("status", "--json").output.first))
        #expect(state.reason?.hasSuffix("connection refused; start iiod on the host") == true)
    }

    @Test func `what libiio prints by itself is for those who look closely`() throws {
        for level in ["info", "debug"] {
            let daemon = try RunningDaemon(["--log-level", level], devices: [.speaking])
            let watch = try daemon.tool("watch", "--json")
            _ = try watch.states(until: "portrait")
            daemon.program.send(SIGTERM)
            #expect(daemon.program.wait() == 0)
            let lines = daemon.program.errorText.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("orientationd: ") })
            #expect(lines.contains { $0.hasPrefix("orientationd: debug: libiio: WARNING: ") } == (level == "debug"))
        }
    }

    @Test func `a sensor that cannot be opened is left for the next one`() throws {
        let faults = try Faults()
        try faults.set("open", "iio:device0/in_accel_x_raw", EACCES)
        var other = chip
        other.number = 1
        let daemon = try RunningDaemon([], devices: [chip, other], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "iio:device1")
    }

    @Test func `while a reading hangs everybody is answered, and told once it takes too long`() throws {
        let faults = try Faults()
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try faults.set("read", "/in_accel_x_raw", Faults.hang)
        // The reading does not come back before the test says so; the answers do.
        for _ in 0..<5 {
            let state = try WireState(try #require(try daemon.runTool("status", "--json").output.first))
            #expect(state.sequence > 0)
        }
        #expect(try watch.state().reason == "iio:device0 has not answered for 5 seconds")
        try faults.clear()
        #expect(try watch.state().orientation == "portrait")
    }

    @Test(arguments: [
        ("sampling_frequency", "garbage"), ("sampling_frequency_available", "\u{1}[;"), ("location", "\u{FFFD}"),
        ("in_accel_x_offset", "nan"), ("in_accel_y_offset", "0x10"), ("in_accel_x_scale", "1e999"),
        ("label", String(repeating: "x", count: 300)), ("current_timestamp_clock", "sundial"),
        ("trigger/current_trigger", "nobody's"), ("buffer/enable", "perhaps"), ("mount_matrix", "1,2"),
        ("scan_elements/in_accel_x_type", "le:s16/16>>0"),
    ])
    func `nonsense in an attribute costs a warning at most`(attribute: String, text: String) throws {
        var device = Machine.Device.speaking
        device.attributes[attribute] = text
        if attribute == "mount_matrix" { device.properties = [:] }
        let daemon = try RunningDaemon([], devices: [device])
        let watch = try daemon.tool("watch", "--json")
        let pose = attribute == "mount_matrix" ? "portraitUpsideDown" : "portrait"
        #expect(try watch.states(until: pose).last?.sensor == "iio:device0")
        #expect(try daemon.runTool("sensors").status == 0)
    }
}
