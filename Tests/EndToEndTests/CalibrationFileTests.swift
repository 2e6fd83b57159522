// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `orientationctl calibrate` writes down: systemd's own compiler of the hardware database, the daemon under umockdev,
/// and in udev's place the test, which does what udev does.
@Suite(.serialized) struct CalibrationFiles {
    private static let dmi = "dmi:bvnTest:bvr1.0(b):svnMaker:pnTablet(2):pvr1:rvnMaker:rnBoard:rvr1:cvnMaker:ct1:cvr:"

    /// A system in a folder, and a chip that lies upright in it, with the matrix of one that does not.
    private final class System {
        let folder: TemporaryFolder
        let bed: MockedMachine
        let chip: Machine.Device
        var file: String { folder.path + "/etc/udev/hwdb.d/61-orientationd-calibration.hwdb" }
        private var trigger: String { folder.path + "/trigger" }

        init() throws {
            var chip = Machine.Device.upright
            chip.modalias = "i2c:kxcjk1013"
            chip.properties = ["ACCEL_MOUNT_MATRIX": "0, 1, 0; 1, 0, 0; 0, 0, 1"]
            self.chip = chip
            folder = try TemporaryFolder()
            bed = try MockedMachine([chip])
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/sys", withDestinationPath: bed.root + "/sys")
            let id = bed.root + "/sys/class/dmi/id"
            try FileManager.default.createDirectory(atPath: id, withIntermediateDirectories: true)
            try (CalibrationFiles.dmi + "\n").write(toFile: id + "/modalias", atomically: true, encoding: .utf8)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/bin", withIntermediateDirectories: true)
        }

        /// The chip in the six poses, one after another, as `record` writes it.
        func recording(_ change: (inout [[Double]]) -> Void = { _ in }) throws -> String {
            var poses: [[Double]] = [
                [0, 196, 0], [196, 0, 0], [0, -196, 0], [-196, 0, 0], [0, 0, 196], [0, 0, -196],
            ]
            change(&poses)
            var text = """
                # orientationd recording 1
                # device: kxcjk1013
                # scale: 0.05 0.05 0.05
                # matrix: 0 1 0 1 0 0 0 0 1
                # matrix source: udev ACCEL_MOUNT_MATRIX
                # sense: specific force
                t,x,y,z,raw_x,raw_y,raw_z

                """
            for (index, raw) in poses.enumerated() {
                for tick in 0..<40 {
                    let time = Double(index) * 2 + Double(tick) / 25
                    text += "\(time),0,9,0,\(raw.map { "\($0)" }.joined(separator: ","))\n"
                }
            }
            return try folder.write(text + "# samples: \(poses.count * 40)\n", to: "poses.rec")
        }

        /// In udevadm's place: notes what it was asked for, and fails where it is to.
        func tool(_ arguments: String..., failing: String = "nothing") throws -> RunningProgram {
            try tool(arguments, failing: failing)
        }

        func tool(_ arguments: [String], failing: String) throws -> RunningProgram {
            let script = """
                #!/bin/sh
                if [ "$1" = '\(failing)' ]; then echo "udevadm: $1 fails" >&2; exit 1; fi
                if [ "$1" = trigger ]; then echo "$*" > '\(trigger).new'; mv '\(trigger).new' '\(trigger)'; fi
                """
            let udevadm = try folder.write(script, to: "bin/udevadm")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: udevadm)
            return try RunningProgram(
                Programs.tool,
                ["--socket", bed.folder.path + "/socket", "calibrate", "--sysroot", folder.path] + arguments,
                environment: ["PATH": folder.path + "/bin:/usr/bin:/bin"])
        }

        /// What udev does once it is told to: looks the chip up, and tells its listeners.
        func beUdev() throws {
            guard eventually({ FileManager.default.fileExists(atPath: trigger) }) else {
                throw Surprise("nobody triggered udev")
            }
            let words = try String(contentsOfFile: trigger, encoding: .utf8)
            #expect(words.contains("--action=change") && words.contains("--subsystem-match=iio"))
            let dmi = CalibrationFiles.dmi.replacing("(", with: "_").replacing(")", with: "_")
            let found = try RunningProgram.run(
                "/usr/bin/systemd-hwdb",
                ["--root", folder.path, "query", "sensor:accel-display:modalias:i2c:kxcjk1013:\(dmi)"])
            let matrix = found.output.first { $0.hasPrefix("ACCEL_MOUNT_MATRIX=") }.map { $0.dropFirst(19) }
            try bed.change(
                chip, "ACCEL_MOUNT_MATRIX",
                to: matrix.map(String.init) ?? chip.properties["ACCEL_MOUNT_MATRIX"] ?? "")
        }
    }

    private func finish(_ program: RunningProgram) throws -> (status: Int32, output: [String], errors: String) {
        var lines: [String] = []
        while let line = try program.line() { lines.append(line) }
        return (program.wait(), lines, program.errorText)
    }

    @Test func `what is written is taken up by the running daemon, and undone again`() throws {
        let system = try System()
        let watch = try system.bed.tool("watch", "--json")
        _ = try watch.states(until: "landscapeRight")
        let write = try system.tool("--from", try system.recording(), "--write")
        try system.beUdev()
        let (status, output, errors) = try finish(write)
        #expect(status == 0, "\(errors)")
        #expect(
            output.first
                == "sensor:accel-display:modalias:i2c:kxcjk1013:dmi:*:svnMaker:pnTablet?2?:pvr1:rvnMaker:rnBoard:*")
        #expect(
            errors.contains(
                "The daemon uses the entry: iio:device0, mount matrix from udev ACCEL_MOUNT_MATRIX: -1, 0, 0; 0, -1, 0; 0, 0, 1."
            ))
        #expect(
            try String(contentsOfFile: system.file, encoding: .utf8).hasSuffix(output.joined(separator: "\n") + "\n"))
        #expect(try watch.state().orientation == "portrait")

        try FileManager.default.removeItem(atPath: system.folder.path + "/trigger")
        let undo = try system.tool("--undo")
        try system.beUdev()
        let undone = try finish(undo)
        #expect(undone.status == 0)
        #expect(
            undone.errors.contains(
                "iio:device0: mount matrix now from udev ACCEL_MOUNT_MATRIX: 0, 1, 0; 1, 0, 0; 0, 0, 1."))
        #expect(!FileManager.default.fileExists(atPath: system.file))
        #expect(try watch.state().orientation == "landscapeRight")

        let again = try finish(try system.tool("--undo"))
        #expect(again.status == 1)
        #expect(again.errors.contains("not found: no calibration to undo"))
    }

    @Test(arguments: ["control", "trigger"])
    func `when udev does not take it, everything is as it was before`(step: String) throws {
        let system = try System()
        let first = try finish(try system.tool("--from", try system.recording(), "--write", failing: step))
        #expect(first.status == 1)
        #expect(first.errors.contains("nothing was changed"))
        #expect(!FileManager.default.fileExists(atPath: system.file))

        let remarks = String(repeating: "# somebody's own remark\n", count: 500)
        let former = "\(remarks)sensor:modalias:x:*\n ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1\n"
        try former.write(toFile: system.file, atomically: true, encoding: .utf8)
        for arguments in [["--from", try system.recording(), "--write"], ["--undo"]] {
            let run = try finish(try system.tool(arguments, failing: step))
            #expect(run.status == 1)
            #expect(try String(contentsOfFile: system.file, encoding: .utf8) == former)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: system.folder.path + "/etc/udev/hwdb.d")
        #expect(left == ["61-orientationd-calibration.hwdb"])
    }

    @Test func `where another file overrules the entry it is said, and how to remove it`() throws {
        let system = try System()
        let write = try system.tool("--from", try system.recording(), "--write")
        // udev has looked, and found something else.
        let (status, _, errors) = try finish(write)
        #expect(status == 1)
        #expect(
            errors.contains("but the mount matrix is from udev ACCEL_MOUNT_MATRIX: 0, 1, 0; 1, 0, 0; 0, 0, 1"))
        #expect(errors.contains("remove the entry with --undo"))
    }

    @Test func `for a sensor that this machine has not nothing is installed`() throws {
        let system = try System()
        let recording = try system.recording()
        let text = try String(contentsOfFile: recording, encoding: .utf8).replacing("kxcjk1013", with: "bma250")
        let other = try system.folder.write(text, to: "other.rec")
        let run = try finish(try system.tool("--from", other, "--write"))
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot install: this machine has no such sensor"))
        #expect(!FileManager.default.fileExists(atPath: system.file))
    }
}
