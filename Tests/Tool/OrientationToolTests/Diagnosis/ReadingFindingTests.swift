// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Findings about readings.
@Suite struct ReadingFindingTests {
    private func machine(_ vectors: [[Double]], scale: String? = "0.01") -> MachineFacts {
        .good.withDevice {
            $0.attributes.contents["in_accel_scale"] = scale.map { .text($0) }
            $0.readings.vectors = vectors
        }
    }

    @Test func `zero on all axes is a problem, fixed by reloading the driver`() throws {
        let finding = try #require(machine([[0, 0, 0], [0, 0, 0]]).fault("reading"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains("reads zero on all three axes"))
        #expect(finding.fix?.command == "sudo modprobe -r kxcjk_1013 && sudo modprobe kxcjk_1013")
    }

    @Test(arguments: ["0.00001", "0.00125", "0.04", "0.098", "10"])
    func `a scale with a known error is a note that asks for a report`(scale: String) throws {
        let finding = try #require(machine([[0, 980, 0], [1, 981, 2]], scale: scale).fault("reading"))
        #expect(finding.level == .note)
        #expect(finding.detail?.contains("looks wrong by a factor of") == true)
        #expect(finding.fix == nil && finding.detail?.hasSuffix("--report") == true)
    }

    @Test(arguments: ["4000", "1e-9", "1e300", "0.05", "0.0001"])
    func `a magnitude that no known error of the scale explains is no gravity, a problem`(scale: String) throws {
        let finding = try #require(machine([[0, 980, 0], [1, 981, 2]], scale: scale).fault("reading"))
        #expect(finding.level == .problem)
        #expect(finding.summary.hasSuffix(": no gravity"))
        #expect(finding.fix == nil)
    }

    @Test(arguments: [nil, "nonsense", "0", "-0.08", "", "nan", "0x1p-7"])
    func `without a valid scale the raw numbers are shown`(scale: String?) {
        let finding = machine([[0, 980, 0], [1, 981, 2]], scale: scale).fault("reading")
        #expect(finding?.level == .note)
        #expect(finding?.detail?.contains("1, 981, 2") == true)
    }

    @Test func `an axis without a valid scale has that of another axis`() {
        let machine = machine([[0, 980, 0], [1, 981, 2]], scale: "nonsense").withDevice {
            $0.attributes.contents["in_accel_y_scale"] = .text("0.01")
        }
        #expect(machine.faults() == [])
    }

    @Test func `a magnitude in motion is a note, and one at rest is ok`() {
        #expect(
            machine([[0, 980, 0], [1, 600, 2]]).fault("reading")?.detail?.contains("if the device was not moved")
                == true)
        #expect(machine([[0, 980, 0], [1, 981, 2]]).faults() == [])
    }

    @Test func `identical readings are a note for a fine resolution, and ok for a coarse one`() {
        let repeated = [[Double]](repeating: [0, 1962, 0], count: 10)
        #expect(
            machine(repeated, scale: "0.005").fault("reading")?.summary.contains("identical in 10 readings") == true)
        let hub = machine(repeated, scale: "0.005").withDevice { $0.attributes.driver = "hid_sensor_accel_3d" }
        #expect(hub.faults() == [])
        let coarse = [[Double]](repeating: [0, 49, 0], count: 10)
        #expect(machine(coarse, scale: "0.2").faults() == [])
    }

    @Test func `offset and scale of each axis are applied`() {
        let facts = machine([[7, 49, 5]], scale: nil).withDevice {
            for (axis, scale) in zip(DeviceFacts.axes, ["0.1", "0.2", "0.3"]) {
                $0.attributes.contents["in_accel_\(axis)_scale"] = .text(scale)
            }
            $0.attributes.contents["in_accel_x_offset"] = .text("-7")
            $0.attributes.contents["in_accel_z_offset"] = .text("-5")
        }
        let found = Examination(facts).findings.first { $0.check == "reading" }
        #expect(found?.summary == "iio:device0 (kxcjk1013) reads 0, 9.8, 0 m/s², magnitude 9.8")
    }

    @Test(arguments: [("kxcjk1013", "-0.05, 9.8, -0.02"), ("hid_sensor_accel_3d", "-0.05, 9.8, 0.02")])
    func `a reading is shown in the device frame, as the daemon reports it`(driver: String, vector: String) {
        let facts = machine([[-1023, 5, 2]], scale: "0.00958").withDevice {
            $0.attributes.driver = driver
            $0.set("ACCEL_MOUNT_MATRIX", "0,1,0;1,0,0;0,0,-1")
        }
        let found = Examination(facts).findings.first { $0.check == "reading" }
        #expect(found?.summary.contains(" reads \(vector) m/s², magnitude 9.8") == true)
    }

    @Test func `a reading that takes seconds is a problem`() {
        let slow = MachineFacts.good.withDevice { $0.readings.longest = 5.01 }
        #expect(slow.fault("reading")?.summary.contains("took 5.01 s") == true)
    }

    @Test func `a failed reading is a problem, and one without permission a note`() {
        let failing = MachineFacts.good.withDevice {
            $0.readings.vectors = []
            $0.readings.failure = "in_accel_x_raw: Input/output error"
        }
        #expect(failing.fault("reading")?.level == .problem)
        let refused = failing.withDevice { $0.readings.isRefused = true }
        #expect(refused.fault("reading")?.fix?.command == "sudo orientationctl doctor")
    }

    @Test func `a device with a buffer only is ok`() {
        let buffered = MachineFacts.good.withDevice { device in
            for axis in DeviceFacts.axes { device.files["in_accel_\(axis)_raw"] = nil }
            device.readings.vectors = []
        }
        #expect(buffered.faults() == [])
    }
}
