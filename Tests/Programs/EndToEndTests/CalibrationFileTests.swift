// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl calibrate --write` with systemd's hardware database compiler and the daemon under umockdev. The test
/// acts as udev.
@Suite(.serialized) struct CalibrationFileTests {
    private static let dmi = "dmi:bvnTest:bvr1.0(b):svnMaker:pnTablet(2):pvr1:rvnMaker:rnBoard:rvr1:cvnMaker:ct1:cvr:"

    /// A system root with one chip, which is mounted upright and has a wrong matrix.
    private final class System {
        let folder: TemporaryDirectory
        let bed: Testbed
        let chip: Machine.Device
        var file: String { folder.path + "/etc/udev/hwdb.d/61-orientationd-calibration.hwdb" }
        private var trigger: String { folder.path + "/trigger" }
        private var failed: String { folder.path + "/failed" }

        init() throws {
            var chip = Machine.Device.upright
            chip.modalias = "i2c:kxcjk1013"
            chip.properties = ["ACCEL_MOUNT_MATRIX": "0, 1, 0; 1, 0, 0; 0, 0, 1"]
            self.chip = chip
            folder = try TemporaryDirectory()
            bed = try Testbed([chip])
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/sys", withDestinationPath: bed.root + "/sys")
            let id = bed.root + "/sys/class/dmi/id"
            try FileManager.default.createDirectory(atPath: id, withIntermediateDirectories: true)
            try (CalibrationFileTests.dmi + "\n").write(toFile: id + "/modalias", atomically: true, encoding: .utf8)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/bin", withIntermediateDirectories: true)
        }

        /// Writes a recording of the chip in the six poses.
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

        /// Starts the tool with a fake udevadm, which stores its arguments and fails at the command `failing`, once or always.
        func tool(
            _ arguments: String..., failing: String = "nothing", always: Bool = false
        ) throws -> RunningProgram {
            try? FileManager.default.removeItem(atPath: failed)
            let script = """
                #!/bin/sh
                if [ "$1" = '\(failing)' ] && { \(always) || [ ! -e '\(failed)' ]; }; then
                    touch '\(failed)'
                    echo "udevadm: $1 fails" >&2; exit 1
                fi
                if [ "$1" = trigger ]; then echo "$*" > '\(trigger).new'; mv '\(trigger).new' '\(trigger)'; fi
                """
            try Programs.write(script, to: folder.path("bin/udevadm"))
            return try RunningProgram(
                Programs.tool,
                toolOptions(bed.folder.path + "/socket") + ["calibrate", "--sysroot", folder.path] + arguments,
                environment: ["PATH": folder.path + "/bin:/usr/bin:/bin"])
        }

        /// Acts as udev after `udevadm trigger`: looks the chip up in the database and sends a change event.
        func applyTrigger() throws {
            guard eventually({ FileManager.default.fileExists(atPath: trigger) }) else {
                throw TestFailure("udevadm trigger was not run")
            }
            let words = try String(contentsOfFile: trigger, encoding: .utf8)
            #expect(words.contains("--action=change") && words.contains("--subsystem-match=iio"))
            let dmi = CalibrationFileTests.dmi.replacing("(", with: "_").replacing(")", with: "_")
            let found = try RunningProgram.run(
                "/usr/bin/systemd-hwdb",
                ["--root", folder.path, "query", "sensor:accel-display:modalias:i2c:kxcjk1013:\(dmi)"])
            let matrix = found.output.first { $0.hasPrefix("ACCEL_MOUNT_MATRIX=") }.map { $0.dropFirst(19) }
            try bed.change(
                chip, "ACCEL_MOUNT_MATRIX",
                to: matrix.map(String.init) ?? chip.properties["ACCEL_MOUNT_MATRIX"] ?? "")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func `a read-only file system is reported before the poses, with the place of the entry`() throws {
        let system = try System()
        let folder = system.folder.path + "/etc"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let command =
            "mount -t tmpfs -o ro tmpfs \(folder) && exec \(Programs.tool) calibrate --write --sysroot \(system.folder.path)"
        let run = try RunningProgram.run("/usr/bin/unshare", ["--mount", "sh", "-c", command])
        #expect(run.status == 1 && run.output == [])
        #expect(run.errors.contains("/etc/udev/hwdb.d: read-only file system: omit --write: the printed entry"))
        #expect(run.errors.contains("(NixOS: services.udev.extraHwdb)"))
    }

    @Test func `the running daemon uses a written calibration, and the former matrix after --undo`() throws {
        let system = try System()
        let watch = try system.bed.tool("watch", "--json")
        _ = try watch.states(until: "landscapeRight")
        let write = try system.tool("--from", try system.recording(), "--write")
        try system.applyTrigger()
        let (status, output, errors) = try write.finish()
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
        try system.applyTrigger()
        let undone = try undo.finish()
        #expect(undone.status == 0)
        #expect(
            undone.errors.contains(
                "iio:device0: mount matrix now from udev ACCEL_MOUNT_MATRIX: 0, 1, 0; 1, 0, 0; 0, 0, 1."))
        #expect(!FileManager.default.fileExists(atPath: system.file))
        #expect(try watch.state().orientation == "landscapeRight")

        let again = try system.tool("--undo").finish()
        #expect(again.status == 1)
        #expect(again.errors.contains("not found: no calibration to undo"))
    }

    @Test func `--undo removes the entry and the rule of a sensor core`() throws {
        let system = try System()
        let files = ["hwdb.d/61-orientationd-calibration.hwdb", "rules.d/99-orientationd-calibration.rules"].map {
            system.folder.path + "/etc/udev/" + $0
        }
        for file in files {
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try "# no entry\n".write(toFile: file, atomically: true, encoding: .utf8)
        }
        let undo = try system.tool("--undo").finish()
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(!files.contains(where: FileManager.default.fileExists))
    }

    @Test(arguments: ["control", "trigger"], [false, true])
    func `a failure of udevadm restores the former file, and a second one is reported`(
        step: String, always: Bool
    ) throws {
        let system = try System()
        let recording = try system.recording()
        let first = try system.tool("--from", recording, "--write", failing: step, always: always).finish()
        #expect(first.status == 1)
        let failure = ", but cannot apply that: 'udevadm \(step)"
        #expect(first.errors.contains(always ? "; removed the new file\(failure)" : "; nothing was changed"))
        #expect(first.errors.contains("; run 'sudo systemd-hwdb update && ") == always)
        #expect(!FileManager.default.fileExists(atPath: system.file))

        let remarks = String(repeating: "# a comment of the administrator\n", count: 500)
        let former = "\(remarks)sensor:modalias:x:*\n ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1\n"
        try former.write(toFile: system.file, atomically: true, encoding: .utf8)
        let runs = [
            try system.tool("--from", recording, "--write", failing: step, always: always).finish(),
            try system.tool("--undo", failing: step, always: always).finish(),
        ]
        for run in runs {
            #expect(run.status == 1)
            #expect(
                run.errors.contains(
                    always ? "; restored the previous file\(failure)" : "; restored the previous calibration"))
            #expect(try String(contentsOfFile: system.file, encoding: .utf8) == former)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: system.folder.path + "/etc/udev/hwdb.d")
        #expect(left == ["61-orientationd-calibration.hwdb"])
    }

    @Test func `an entry that another file overrides is reported with the command to remove it`() throws {
        let system = try System()
        let write = try system.tool("--from", try system.recording(), "--write")
        // The lookup has another result: no change event is sent.
        let (status, _, errors) = try write.finish()
        #expect(status == 1)
        #expect(
            errors.contains("but the mount matrix is from udev ACCEL_MOUNT_MATRIX: 0, 1, 0; 1, 0, 0; 0, 0, 1"))
        #expect(errors.contains("remove the entry with --undo"))
    }

    @Test func `a recording of a sensor that is not in this machine installs nothing`() throws {
        let system = try System()
        let recording = try system.recording()
        let text = try String(contentsOfFile: recording, encoding: .utf8).replacing("kxcjk1013", with: "bma250")
        let other = try system.folder.write(text, to: "other.rec")
        let run = try system.tool("--from", other, "--write").finish()
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot install: this machine has no such sensor"))
        #expect(!FileManager.default.fileExists(atPath: system.file))
    }
}
