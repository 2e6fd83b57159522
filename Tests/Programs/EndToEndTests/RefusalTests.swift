// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Errors of the kernel: each has its own message, and the daemon recovers when it ends.
@Suite(.serialized) struct RefusalTests {
    private let chip = Machine.Device.upright

    @Test(arguments: [
        (EBUSY, "the buffer is in use by another program"),
        (EPERM, "cannot open the buffer's device node: denied by the service's device policy"),
        (EACCES, "cannot open the buffer's device node: permission denied; install orientationd's udev rule"),
    ])
    func `a buffer whose node cannot be opened is polled with the reason logged, and retried`(
        code: Int32, reason: String
    ) throws {
        let faults = try Faults()
        try faults.set("open", "/dev/iio:device0", code)
        let daemon = try RunningDaemon([], devices: [.buffered], faults: faults)
        let watch = try daemon.watch(until: "portrait")
        defer { withExtendedLifetime(watch) {} }
        let list = try daemon.sensors
        #expect(list.contains("polled: \(reason)"))
        #expect(list.contains("warning: not captured: \(reason)"))
        #expect(try daemon.machine?.value(.buffered, "buffer/enable") == "0")
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/restore-record"))
        let chip = MeasuringChip(try Scans(try #require(daemon.machine), .buffered))
        try faults.clear()
        // It is listed with its first scan.
        #expect(try eventually { try daemon.sensors.contains("captured from its buffer") })
        #expect(try daemon.machine?.value(.buffered, "buffer/enable") == "1")
        #expect(try !daemon.sensors.contains("warning: not captured"))
        withExtendedLifetime(chip) {}
    }

    @Test(arguments: [
        ("open", EACCES, "cannot read in_accel_y_raw: Permission denied"),
        ("read", EPERM, "cannot read in_accel_y_raw: Operation not permitted"),
        ("read", EBUSY, "cannot poll the sensor while another program captures from it"),
        ("read", EIO, "cannot read in_accel_y_raw: Input/output error"),
        ("read", ENODEV, "the sensor was disconnected (in_accel_y_raw: No such device)"),
    ])
    func `a failing read makes the state unknown until it succeeds`(
        call: String, code: Int32, reason: String
    ) throws {
        let faults = try Faults()
        try faults.set(call, "/in_accel_y_raw", code)
        let daemon = try RunningDaemon([], devices: [chip], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        let failed = try watch.state { $0.reason?.hasPrefix(reason) == true }
        #expect(failed.orientation == "unknown")
        let list = try daemon.runTool("sensors").output
        #expect(list.contains { $0.hasPrefix("    last error: \(reason)") })
        #expect(!list.contains { $0.contains("last vector") })
        try faults.clear()
        _ = try watch.states(until: "portrait")
        let after = try daemon.runTool("sensors").output
        #expect(after.contains("    last vector: 0.0, 9.8, 0.0 m/s²"))
        #expect(after.contains { $0.hasPrefix("    last error: \(reason)") })
    }

    @Test func `messages of libiio are logged at debug level`() throws {
        for level in ["info", "debug"] {
            let daemon = try RunningDaemon(["--log-level", level], devices: [.buffered])
            _ = try daemon.watch(until: "portrait")
            let lines = daemon.end().split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("orientationd: ") })
            #expect(lines.contains { $0.hasPrefix("orientationd: debug: libiio: WARNING: ") } == (level == "debug"))
        }
    }

    @Test(arguments: [
        ("sampling_frequency", "garbage"), ("sampling_frequency_available", "\u{1}[;"), ("location", "\u{FFFD}"),
        ("in_accel_x_offset", "nan"), ("in_accel_y_offset", "0x10"), ("in_accel_x_scale", "1e999"),
        ("label", String(repeating: "x", count: 300)), ("current_timestamp_clock", "sundial"),
        ("trigger/current_trigger", "unknown"), ("buffer/enable", "perhaps"), ("mount_matrix", "1,2"),
        ("scan_elements/in_accel_x_type", "le:s16/16>>0"),
    ])
    func `an invalid attribute causes a warning at most`(attribute: String, text: String) throws {
        var device = Machine.Device.buffered
        device.attributes[attribute] = text
        if attribute == "mount_matrix" { device.properties = [:] }
        let daemon = try RunningDaemon([], devices: [device])
        let watch = try daemon.tool("watch", "--json")
        let pose = attribute == "mount_matrix" ? "portraitUpsideDown" : "portrait"
        #expect(try watch.states(until: pose).last?.sensor == "iio:device0")
        #expect(try daemon.runTool("sensors").status == 0)
    }
}
