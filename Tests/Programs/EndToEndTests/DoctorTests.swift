// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl doctor` on emulated machines, each with one fault.
@Suite(.serialized) struct DoctorTests {
    private let chip: Machine.Device = {
        var chip = Machine.Device.upright
        chip.attributes["in_accel_scale"] = "0.05"
        return chip
    }()

    private func chip(_ change: (inout Machine.Device) -> Void) -> Machine.Device {
        var chip = chip
        change(&chip)
        return chip
    }

    // MARK: Machine

    @Test func `a machine without an accelerometer is a problem with a remedy and status 2`() throws {
        let run = try ExaminedMachine([]).doctor()
        #expect(run.status == 2)
        let text = run.output.joined(separator: "\n").replacing("\n         ", with: " ")
        #expect(text.contains("problem  The kernel reports no accelerometer."))
        #expect(text.contains("A simulated device works without one: see orientationd(8), fake:."))
        #expect(run.output.last?.contains("problems, ") == true)
        #expect(run.errors == "")
    }

    @Test(arguments: [("xterm-256color", true), ("dumb", false)])
    func `on a terminal levels have colours, which only a dumb one lacks`(terminal: String, isColoured: Bool) throws {
        let machine = try ExaminedMachine([])
        let window = try TerminalWindow(
            80, 60, [Programs.tool] + machine.arguments([]),
            environment: machine.environment.merging(["TERM": terminal]) { $1 })
        let screen = try window.until("problem ", "checks passed").joined(separator: "\n")
        #expect(!screen.contains("[m") && !screen.contains("·"))
        #expect(try window.written.contains("\u{1B}[1;31mproblem\u{1B}[m") == isColoured)
        #expect(try window.end() == 2)
    }

    @Test func `a device without a loaded driver is found by modules.alias`() throws {
        let machine = try ExaminedMachine([])
        let release = try #require(try RunningProgram.run("/bin/uname", ["-r"]).output.first)
        try machine.add("lib/modules/\(release)/modules.dep", "kernel/drivers/iio/accel/kxcjk-1013.ko.xz:\n")
        try machine.add("lib/modules/\(release)/modules.alias", "alias acpi*:KIOX010A:* kxcjk_1013\n")
        for bus in ["i2c", "acpi"] {
            try machine.add("sys/bus/\(bus)/devices/\(bus)-KIOX010A:00/modalias", "acpi:KIOX010A:KIOX010A:\n")
        }
        // A device that firmware reports as absent, and one with a driver.
        try machine.add("sys/bus/acpi/devices/absent/modalias", "acpi:KIOX010A:\n")
        try machine.add("sys/bus/acpi/devices/absent/status", "0\n")
        try machine.add("sys/bus/i2c/devices/driven/modalias", "acpi:KIOX010A:\n")
        try machine.link("sys/bus/i2c/devices/driven/driver", to: "../../drivers/kxcjk1013")
        let found = try machine.findings(of: "drivers")
        #expect(found.map(\.level) == ["problem", "problem"])
        #expect(
            found.map(\.summary) == ["i2c-KIOX010A:00 (i2c) has no driver", "acpi-KIOX010A:00 (acpi) has no driver"])
        #expect(found.allSatisfy { $0.fix == "sudo modprobe kxcjk_1013" })
    }

    @Test(.enabled(if: geteuid() == 0, "only root can hide the system's service"))
    func `a missing permission is reported with the file and its mode`() throws {
        let machine = try ExaminedMachine([chip])
        #expect(try machine.findings(of: "permissions") == [])
        try machine.setMode(0o600, of: "sys\(chip.path)/in_accel_y_raw")
        // A user's daemon runs as that user; the system's runs as its own user, which cannot read this file.
        let unit = "Id=orientationd.service\nLoadState=loaded\nActiveState=inactive\nUser=orientationd\n"
        try machine.program("systemctl", "printf '\(unit.replacing("\n", with: "\\n"))'")
        let run = try RunningProgram.runWithoutService(
            Programs.tool,
            ["--socket", "/run/orientationd/orientationd.sock", "doctor", "--sysroot", machine.root],
            environment: machine.environment)
        let text = run.output.joined(separator: " ")
        #expect(text.contains("The user orientationd cannot read in_accel_y_raw of iio:device0"))
        #expect(run.output.contains { $0.contains("> sudo chmod a+r /sys/bus/iio/devices/iio:device0/in_accel_*") })
        #expect(run.status == 2)
    }

    @Test func `a buffer that another program runs is reported with the program's name`() throws {
        var device = Machine.Device.buffered
        device.attributes["buffer/enable"] = "1"
        let machine = try ExaminedMachine([device])
        #expect(try machine.findings(of: "buffer").first?.summary.contains("no program has it open") == true)
        try machine.addProcess(42, "iio_readdev", executable: "usr/bin/iio_readdev", holding: "iio:device0")
        try machine.addProcess(43, "bash")
        let found = try machine.findings(of: "buffer")
        #expect(found.map(\.summary) == ["the program iio_readdev (process 42) captures from iio:device0 (kxcjk1013)"])
        #expect(found.first?.fix == "sudo sh -c 'kill 42'")
    }

    @Test func `iio-sensor-proxy is found as a process and as a unit`() throws {
        let machine = try ExaminedMachine([chip])
        #expect(try machine.findings(of: "proxy") == [])
        try machine.link("run/systemd/units/invocation:iio-sensor-proxy.service", to: "0123")
        #expect(try machine.findings(of: "proxy").map(\.summary) == ["iio-sensor-proxy runs"])
        try machine.addProcess(9, "iio-sensor-prox", executable: "usr/libexec/iio-sensor-proxy")
        #expect(try machine.findings(of: "proxy").map(\.summary) == ["the program iio-sensor-proxy (process 9) runs"])
    }

    @Test func `a program is identified by its unit if its executable cannot be read`() throws {
        let machine = try ExaminedMachine([chip])
        try machine.addProcess(9, "renamed", unit: "/system.slice/iio-sensor-proxy.service", user: 990)
        #expect(try machine.findings(of: "proxy").map(\.summary) == ["the program iio-sensor-proxy (process 9) runs"])
    }

    /// Names, paths and units that a user can give a process.
    @Test(
        arguments: [
            (nil, nil, 0), ("home/user/iio-sensor-proxy", nil, 65534), ("usr/bin/passwd", nil, 0),
            (nil, "/user.slice/user-1000.slice/user@1000.service/app.slice/iio-sensor-proxy.service", 65534),
            (nil, "/system.slice/cron.service", 65534), (nil, "/system.slice/iio-sensor-proxy.service/x", 65534),
        ] as [(String?, String?, uid_t)])
    func `a process named iio-sensor-proxy in another unit or path is not taken for it`(
        executable: String?, unit: String?, user: uid_t
    ) throws {
        let machine = try ExaminedMachine([chip])
        try machine.addProcess(9, "iio-sensor-prox", executable: executable, unit: unit, user: user)
        #expect(try machine.findings(of: "proxy") == [])
    }

    @Test func `a matrix in sysfs may have a line for each row`() throws {
        let machine = try ExaminedMachine([chip { $0.properties["ACCEL_MOUNT_MATRIX"] = nil }])
        try machine.add("sys\(chip.path)/in_mount_matrix", "0, 1, 0\n-1, 0, 0\n0, 0, 1\n")
        let found = try machine.examine().findings.filter { $0.check == "matrix" }
        #expect(found.map(\.level) == ["ok"])
        #expect(found.first?.summary.hasSuffix("in_mount_matrix, 0, 1, 0; -1, 0, 0; 0, 0, 1, is a rotation") == true)
    }

    @Test func `a helper program that fails without output is reported with its status`() throws {
        let machine = try ExaminedMachine([chip])
        try machine.program("systemctl", "exit 3")
        #expect(try machine.findings(of: "service").first?.summary.contains("systemctl: exited with status 3") == true)
    }

    // MARK: Daemon
}
