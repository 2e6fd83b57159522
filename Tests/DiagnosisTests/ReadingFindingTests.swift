// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel
import Testing

/// What a sensor reads, bad readings first.
@Suite struct ReadingFindingTests {
    private func machine(_ vectors: [[Double]], scale: String? = "0.01") -> MachineFacts {
        .good.butDevice {
            $0.attributes["in_accel_scale"] = scale.map { .init(text: $0) }
            $0.readings.vectors = vectors
        }
    }

    @Test func `zeros along all axes are a problem, and the mend loads the driver anew`() throws {
        let finding = try #require(machine([[0, 0, 0], [0, 0, 0]]).trouble("reading"))
        #expect(finding.level == .problem)
        #expect(finding.seen.contains("reads zero along all three axes"))
        #expect(finding.mend == "sudo modprobe -r kxcjk_1013 && sudo modprobe kxcjk_1013")
    }

    @Test(arguments: ["10", "0.0001", "1e300", "-3"])
    func `a scale that no device at rest can have is a problem that shows the numbers`(scale: String) throws {
        let finding = try #require(machine([[0, 980, 0], [1, 981, 2]], scale: scale).trouble("reading"))
        #expect(finding.level == .problem)
        #expect(finding.mend?.hasSuffix("in_accel*_scale") == true)
    }

    @Test(arguments: [nil, "nonsense", "0", ""])
    func `without a usable scale the raw numbers are shown`(scale: String?) {
        let finding = machine([[0, 980, 0], [1, 981, 2]], scale: scale).trouble("reading")
        #expect(finding?.level == .note)
        #expect(finding?.meaning?.contains("1, 981, 2") == true)
    }

    @Test func `a device that is moved is a note, one at rest is in order`() {
        #expect(
            machine([[0, 980, 0], [1, 600, 2]]).trouble("reading")?.meaning?.contains("was it being moved") == true)
        #expect(machine([[0, 980, 0], [1, 981, 2]]).troubles() == [])
    }

    @Test func `a chip with fine steps that never trembles is noted, a coarse one that repeats itself is not`() {
        let repeated = [[Double]](repeating: [0, 1962, 0], count: 10)
        #expect(
            machine(repeated, scale: "0.005").trouble("reading")?.seen.contains("exactly the same 10 times") == true)
        let hub = machine(repeated, scale: "0.005").butDevice { $0.driver = "hid_sensor_accel_3d" }
        #expect(hub.troubles() == [])
        let coarse = [[Double]](repeating: [0, 49, 0], count: 10)
        #expect(machine(coarse, scale: "0.2").troubles() == [])
    }

    @Test func `offset and scale of each axis count`() {
        let facts = machine([[7, 49, 5]], scale: nil).butDevice {
            for (axis, scale) in zip(DeviceFacts.axes, ["0.1", "0.2", "0.3"]) {
                $0.attributes["in_accel_\(axis)_scale"] = .init(text: scale)
            }
            $0.attributes["in_accel_x_offset"] = .init(text: "-7")
            $0.attributes["in_accel_z_offset"] = .init(text: "-5")
        }
        let found = Examination(facts).findings.first { $0.check == "reading" }
        #expect(found?.seen == "iio:device0 (kxcjk1013) reads 0, 9.8, 0 m/s², 9.8 in all")
    }

    @Test func `a reading that takes seconds is a problem whatever it says`() {
        let slow = MachineFacts.good.butDevice { $0.readings.longest = 5.01 }
        #expect(slow.trouble("reading")?.seen.contains("took 5.01 s") == true)
    }

    @Test func `a reading that fails is told from one that the caller may not make`() {
        let failing = MachineFacts.good.butDevice {
            $0.readings.vectors = []
            $0.readings.failure = "in_accel_x_raw: Input/output error"
        }
        #expect(failing.trouble("reading")?.level == .problem)
        let refused = failing.butDevice { $0.readings.isRefused = true }
        #expect(refused.trouble("reading")?.mend == "sudo orientationctl doctor")
    }

    @Test func `a device that only captures is in order`() {
        let buffered = MachineFacts.good.butDevice { device in
            for axis in DeviceFacts.axes { device.attributes["in_accel_\(axis)_raw"] = nil }
            device.readings.vectors = []
        }
        #expect(buffered.troubles() == [])
    }
}
