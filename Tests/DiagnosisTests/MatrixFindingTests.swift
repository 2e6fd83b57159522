// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel
import Testing

/// Mount matrices, bad ones first.
@Suite struct MatrixFindingTests {
    private func machine(_ matrix: String?, kernel: String? = nil) -> MachineFacts {
        .good.butDevice { device in
            device.set("ACCEL_MOUNT_MATRIX", matrix)
            device.attributes["mount_matrix"] = kernel.map { .init(text: $0) }
        }
    }

    @Test(arguments: [
        ("1,0,0;0,2,0;0,0,0", "is singular"),
        ("2,0,0;0,1,0;0,0,1", "is no rotation"),
        ("1,0,0;0.5,0.9,0;0,0,1", "is no rotation"),
        ("1,1,0;0,1,0;0,0,1", "is no rotation"),
    ])
    func `a matrix whose first two rows are unusable is a problem that quotes it`(text: String, kind: String) throws {
        let finding = try #require(machine(text).trouble("matrix"))
        #expect(finding.level == .problem)
        #expect(finding.seen.contains(kind))
        #expect(finding.seen.contains(text))
        #expect(finding.seen.contains("from udev ACCEL_MOUNT_MATRIX"))
        #expect(finding.mend == "sudo orientationctl calibrate --write")
    }

    @Test(arguments: [
        "", "upside down", "1,0,0;0,1,0", "1,0,0;0,1,0;0,0,nan", "1,0;0,1;0,0", "1e99,0,0;0,1,0;0,0,1",
        "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "0,0,0;0,1,0;0,0,1",
    ])
    func `a text that is no matrix is a problem, and the next place is named`(text: String) throws {
        let finding = try #require(machine(text, kernel: "1,0,0;0,1,0;0,0,1").trouble("matrix"))
        #expect(finding.level == .problem)
        #expect(finding.meaning?.contains("mount_matrix is used") == true)
        #expect(finding.mend?.contains("grep -rn ACCEL_MOUNT_MATRIX") == true)
        // Without a next place there is one thing more to be said.
        #expect(machine(text).troubles("matrix").map(\.level) == [.problem, .note])
    }

    @Test func `nonsense in the kernel's file is not looked for in udev's`() {
        let finding = machine(nil, kernel: "oops").troubles("matrix").first
        #expect(finding?.seen.hasPrefix("mount_matrix of") == true)
        #expect(finding?.mend == "sudo orientationctl calibrate --write")
    }

    @Test func `no matrix at all is a note with the mend for an upside-down screen`() {
        #expect(machine(nil).trouble("matrix")?.level == .note)
        #expect(machine(nil).trouble("matrix")?.mend == "sudo orientationctl calibrate --write")
    }

    @Test(arguments: [
        ("-1,0,0;0,-1,0;0,0,1", "is a rotation"), ("0,1,0;1,0,0;0,0,1", "has determinant -1"),
        ("1,0,0;0,1,0;0,0,0", "is singular, but only in its third row"),
    ])
    func `what is odd only in the third row is in order, since nothing is read there`(text: String, remark: String) {
        #expect(machine(text).troubles() == [])
        let found = Examination(machine(text)).findings.first { $0.check == "matrix" }
        #expect(found?.seen.contains(remark) == true)
    }

    @Test func `the places are asked in the daemon's order`() {
        var device = DeviceFacts.good
        device.attributes["in_mount_matrix"] = .init(text: "0,1,0;1,0,0;0,0,1")
        device.attributes["in_accel_mount_matrix"] = .init(text: "1,0,0;0,1,0;0,0,1")
        device.attributes["mount_matrix"] = .init(text: "1,0,0;0,0,1;0,1,0")
        var sources: [String?] = [device.mount.source]
        device.set("ACCEL_MOUNT_MATRIX", nil)
        sources.append(device.mount.source)
        for name in ["mount_matrix", "in_accel_mount_matrix", "in_mount_matrix"] {
            device.attributes[name] = nil
            sources.append(device.mount.source)
        }
        #expect(
            sources
                == ["udev ACCEL_MOUNT_MATRIX", "mount_matrix", "in_accel_mount_matrix", "in_mount_matrix", nil])
    }
}
