// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl doctor` on emulated machines, each with one fault.
@Suite(.serialized) struct DoctorTests {
    private let chip = Machine.Device.upright

    @Test func `a machine without an accelerometer is a problem with a remedy and status 2`() throws {
        let run = try ExaminedMachine([]).doctor()
        #expect(run.status == 2)
        let text = run.output.joined(separator: "\n").replacing("\n         ", with: " ")
        #expect(text.contains("problem  The kernel reports no accelerometer."))
        #expect(text.contains("A simulated device works without one: see --sensor fake: in orientationd(8)."))
        #expect(run.output.last?.contains("problems, ") == true)
        #expect(run.errors == "")
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

    @Test func `a helper program that fails without output is reported with its status`() throws {
        let machine = try ExaminedMachine([chip])
        try machine.program("systemctl", "exit 3")
        #expect(try machine.findings(of: "service").first?.summary.contains("systemctl: exited with status 3") == true)
    }
}
