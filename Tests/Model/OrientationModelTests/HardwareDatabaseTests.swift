// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

/// Checks DeviceFrame against every mount matrix of systemd's hardware database.
@Suite struct HardwareDatabaseTests {
    /// The file as installed by the package udev.
    private static let file = "/usr/lib/udev/hwdb.d/60-sensor.hwdb"

    private static func matrices() throws -> [(line: Int, text: String)] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let parts = line.split(separator: "=", maxSplits: 1)
            guard line.hasPrefix(" "), parts.count == 2, parts[0].contains("ACCEL_MOUNT_MATRIX") else { return nil }
            return (index + 1, String(parts[1]))
        }
    }

    @Test func `every matrix of systemd's hardware database gives a right-handed frame, for chips and hubs`()
        throws
    {
        let matrices = try Self.matrices()
        #expect(matrices.count >= 100)
        let (x, y, z) = (
            Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: 1, z: 0), Acceleration(x: 0, y: 0, z: 1)
        )
        for (line, text) in matrices {
            let matrix = try MountMatrix(parsing: text)
            for (sense, handedness) in [(DeviceFrame.SensorSense.specificForce, 1.0), (.gravity, -1.0)] {
                let frame = DeviceFrame(matrix: matrix, sense: sense)
                #expect(frame.faceRule == .crossProduct, "line \(line): \(text)")
                // A hub has the opposite sign: its right-handed frame has a determinant of −1.
                let determinant = frame(x).cross(frame(y)).dot(frame(z))
                #expect((determinant - handedness).magnitude < 0.1, "line \(line): \(text)")
            }
        }
    }
}
