// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl calibrate` with recordings.
@Suite struct CalibrateTests {
    /// The readings in the six poses of a chip with x to the top and y to the left of the device.
    private static let chip: [[Double]] = [
        [9.8, 0, 0], [0, -9.8, 0], [-9.8, 0, 0], [0, 9.8, 0], [0, 0, 9.8], [0, 0, -9.8],
    ]
    private static let header = """
        # device: kxcjk1013
        # scale: 1 1 1
        # matrix: 1 0 0 0 1 0 0 0 1
        # sense: specific force
        # hwdb match: sensor:modalias:i2c:kxcjk1013:dmi:*:svnMaker:pnTablet:*

        """

    private func recording(
        _ poses: [[Double]] = chip, header: String = header, raw: Bool = true, hertz: Double = 25
    ) -> String {
        var text = "# orientationd recording 1\n\(header)t,x,y,z,raw_x,raw_y,raw_z\n"
        var count = 0
        for (index, pose) in poses.enumerated() {
            for tick in 0..<Int(1.6 * hertz) {
                let vector = pose.map { "\($0)" }.joined(separator: ",")
                // The daemon's matrix is the identity, which negates x and y.
                let framed = "\(-pose[0]),\(-pose[1]),\(pose[2])"
                text += "\(Double(index) * 2 + Double(tick) / hertz),\(framed),\(raw ? vector : ",,")\n"
                count += 1
            }
        }
        return text + "# samples: \(count)\n"
    }

    private func calibrate(_ text: String, _ arguments: String...) throws -> Run {
        let folder = try TemporaryDirectory()
        return try Run(
            ["calibrate", "--sysroot", folder.url.path, "--from", folder.file("poses.rec", text)] + arguments)
    }

    @Test(arguments: [
        (Array(chip.dropLast(3)), "3 still periods found"), ([], "poses.rec: no samples"),
        ([chip[0], chip[3], chip[2], chip[1], chip[4]], "the poses form a mirrored frame"),
    ])
    func `impossible poses are refused in one line`(poses: [[Double]], complaint: String) throws {
        let run = try calibrate(poses.isEmpty ? "" : recording(poses))
        #expect(run.status == 1)
        #expect(run.error.contains(complaint), "\(run.error)")
        #expect(run.error.count { $0.isNewline } == 1 && run.output.isEmpty)
    }

    @Test func `input without sensor facts is refused`() throws {
        let csv = (0..<500).map { "\(Double($0) / 25),0,9.8,0\n" }.joined()
        for text in [csv, recording(header: ""), recording(header: "# sense: HID\n", raw: false)] {
            let run = try calibrate(text)
            #expect(run.status == 1)
            #expect(run.error.contains("cannot calibrate: the samples have neither raw values"), "\(run.error)")
            #expect(run.error.contains("; use a recording that 'orientationctl record' made"), "\(run.error)")
        }
        let absent = try Run(["calibrate", "--from", "/nonexistent/file"])
        #expect(absent.status == 1)
        #expect(absent.error == "orientationctl: /nonexistent/file: cannot open: No such file or directory\n")
        let damaged = try calibrate(recording() + "more\n")
        #expect(damaged.status == 1 && damaged.error.contains("after the end of the recording"))
    }

    @Test(arguments: [true, false], [12.5, 100])
    func `a recording of the poses gives the entry for its machine`(raw: Bool, hertz: Double) throws {
        let run = try calibrate(recording(raw: raw, hertz: hertz))
        #expect(run.status == 0, "\(run.error)")
        #expect(
            run.output == """
                sensor:modalias:i2c:kxcjk1013:dmi:*:svnMaker:pnTablet:*
                 ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1

                """)
    }

    @Test func `standard error says where to propose the entry`() throws {
        let run = try calibrate(recording())
        let sentence = "propose its first two lines for systemd's hwdb.d/60-sensor.hwdb: https://github.com/systemd/"
        #expect(run.error.replacing("\n", with: " ").contains(sentence))
        #expect(try calibrate(recording(), "--json").error.isEmpty)
    }

    @Test func `--json prints the whole result`() throws {
        struct Found: Decodable, Equatable {
            struct Pose: Decodable, Equatable {
                var pose: String
                var degreesOff: Double
                var magnitude: Double
            }
            var device: String
            var matrix: String
            var faceSign: Int?
            var axisAligned: Bool
            var mount: String
            var faceMeasured: Bool
            var poses: [Pose]
            var margin: Double
            var entry: String
        }
        var poses = Self.chip.map { [$0[0] * 1.02, $0[1] + 0.3, $0[2]] }
        poses[0][2] += 0.5
        let run = try calibrate(recording(poses), "--json")
        let found = try JSONDecoder().decode(Found.self, from: Data(run.output.utf8))
        #expect(found.mount == "the sensor's x to the top, y to the left, z out of the screen")
        #expect(found.axisAligned && found.faceMeasured && found.faceSign == nil)
        #expect(found.poses.map(\.pose) == ["top", "right", "bottom", "left", "faceUp", "faceDown"])
        #expect((found.poses[0].degreesOff - 3.3).magnitude < 0.1)
        #expect(found.margin > 30)
        #expect(found.entry.hasSuffix(" ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1\n"))
    }

    @Test
    func `an unusual sign of the driver is corrected with --mirrored`()
        throws
    {
        let hub = recording(Self.chip.map { $0.map { -$0 } })
        #expect(try calibrate(hub).error.contains("use --mirrored"))
        let run = try calibrate(hub, "--mirrored")
        #expect(run.output.hasSuffix(" ACCEL_MOUNT_MATRIX=0, -1, 0; 1, 0, 0; 0, 0, -1\n ORIENTATIOND_FACE_SIGN=-1\n"))
    }
}
