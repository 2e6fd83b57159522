// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Findings about mount matrices.
@Suite struct MatrixFindingTests {
    private func machine(_ matrix: String?, kernel: String? = nil) -> MachineFacts {
        .good.withDevice { device in
            device.set("ACCEL_MOUNT_MATRIX", matrix)
            device.places = [.mountMatrix: ["/usr/lib/udev/hwdb.d/60-sensor.hwdb"]]
            device.attributes.contents["mount_matrix"] = kernel.map { .text($0) }
        }
    }

    @Test(arguments: [
        ("1,0,0;0,2,0;0,0,0", "is singular"),
        ("2,0,0;0,1,0;0,0,1", "is not a rotation"),
        ("1,0,0;0.5,0.9,0;0,0,1", "is not a rotation"),
        ("1,1,0;0,1,0;0,0,1", "is not a rotation"),
    ])
    func `a matrix with unusable first two rows is a problem that quotes it`(text: String, kind: String) throws {
        let finding = try #require(machine(text).fault("matrix"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains(kind))
        #expect(finding.summary.contains(try MountMatrix(parsing: text).text))
        #expect(finding.summary.contains("from udev ACCEL_MOUNT_MATRIX"))
        #expect(finding.fix?.command == "sudo orientationctl calibrate --write")
    }

    @Test(arguments: [
        "", "upside down", "1,0,0;0,1,0", "1,0,0;0,1,0;0,0,nan", "1,0;0,1;0,0", "1e99,0,0;0,1,0;0,0,1",
        "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "0,0,0;0,1,0;0,0,1",
    ])
    func `an invalid matrix is a problem that names the next source`(text: String) throws {
        let finding = try #require(machine(text, kernel: "1,0,0;0,1,0;0,0,1").fault("matrix"))
        #expect(finding.level == .problem)
        #expect(finding.detail?.contains("mount_matrix is used. It") == true)
        #expect(finding.detail?.hasSuffix("It is set in /usr/lib/udev/hwdb.d/60-sensor.hwdb") == true)
        #expect(finding.fix == .calibrate)
        // A calibration would have no effect.
        for file in ["/etc/udev/hwdb.d/61-sensor-local.hwdb", "/etc/udev/rules.d/60-own.rules"] {
            let later = machine(text).withDevice { $0.places = [.mountMatrix: [file]] }.faults("matrix").first
            #expect(later?.fix == nil && later?.detail?.hasSuffix("It is set in \(file)") == true)
        }
        // Without another source it is the only finding: no note says that there is no matrix.
        #expect(machine(text).faults().map(\.check) == ["matrix"])
    }

    @Test func `an invalid matrix of the kernel is not searched in udev's files`() {
        let finding = machine(nil, kernel: "oops").faults("matrix").first
        #expect(finding?.summary.hasPrefix("mount_matrix of") == true)
        #expect(finding?.fix?.command == "sudo orientationctl calibrate --write")
    }

    @Test func `two matrices that differ are a note with the poses they give and the rule that chooses`() throws {
        // The database has one for all machines with this chip, the device tree that of this one.
        let found = try #require(machine("0,1,0;-1,0,0;0,0,1", kernel: "0,-1,0;1,0,0;0,0,1").fault("matrix"))
        #expect(found.level == .note)
        #expect(found.summary.contains("0, 1, 0; -1, 0, 0; 0, 0, 1 from udev ACCEL_MOUNT_MATRIX, which is used"))
        #expect(found.summary.contains("0, -1, 0; 1, 0, 0; 0, 0, 1 from mount_matrix, which is not"))
        let poses = ["left edge of the panel up", "right edge of the panel up"]
        #expect(poses.allSatisfy { found.detail?.contains($0) == true })
        #expect(found.fix?.command.contains("ENV{ACCEL_MOUNT_MATRIX}=\"0, -1, 0; 1, 0, 0; 0, 0, 1\"") == true)
    }

    @Test(arguments: ["1,0,0;0,1,0;0,0,1", "0,1,0;-1,0,0;0,0,-1", "0, 1.0, 0; -1, 0, 0; 0, 0, 1;", "oops"])
    func `a matrix that gives the same poses, or that firmware does not state, is not compared`(kernel: String) {
        #expect(machine("0,1,0;-1,0,0;0,0,1", kernel: kernel).faults("matrix") == [])
    }

    @Test func `a missing matrix is a note, fixed by a calibration`() {
        #expect(machine(nil).fault("matrix")?.level == .note)
        #expect(machine(nil).fault("matrix")?.fix?.command == "sudo orientationctl calibrate --write")
    }

    @Test(arguments: [
        ("-1,0,0;0,-1,0;0,0,1", "is a rotation"), ("0,1,0;1,0,0;0,0,1", "has determinant -1"),
        ("1,0,0;0,1,0;0,0,0", "is singular, but only in its third row"),
        ("-2,0,0;0,-2,0;0,0,2", "is a rotation; its factor 2 is not used"),
    ])
    func `an unusual third row is ok, because it is not used`(text: String, remark: String) {
        #expect(machine(text).faults() == [])
        let found = Examination(machine(text)).findings.first { $0.check == "matrix" }
        #expect(found?.summary.contains(remark) == true)
    }
}
