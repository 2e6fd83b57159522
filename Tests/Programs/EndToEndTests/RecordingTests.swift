// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl record`, and replay of its recordings.
@Suite(.serialized) struct RecordingTests {
    @Test func `a recording of the daemon's sensor gives the daemon's orientations when replayed and classified`()
        throws
    {
        var chip = Machine.Device.upright
        chip.attributes["sampling_frequency"] = "25"
        let daemon = try RunningDaemon([], devices: [chip])
        let file = daemon.folder.path + "/lived.rec"
        let record = try daemon.tool("record", file)
        let watch = try daemon.watch(until: "portrait")
        let recorded = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        #expect(eventually { recorded().split(separator: "\n").last?.first?.isNumber == true })
        try daemon.machine?.hold(.upright, 1, 0, 0)
        _ = try watch.states(until: "landscapeLeft")
        // The samples of the last change are in the file after the classifier's longest delay.
        let lines = recorded().count
        #expect(eventually { recorded().count > lines * 2 })
        record.send(SIGINT)
        #expect(record.wait() == 0)

        let text = recorded()
        #expect(text.contains("# device: kxcjk1013"))
        #expect(text.contains("# matrix source: udev ACCEL_MOUNT_MATRIX"))
        #expect(text.contains("# scale: 0.05 0.05 0.05"))
        #expect(text.contains("# sense: specific force"))
        #expect(text.contains("# rate: 25"))
        #expect(text.split(separator: "\n").contains { $0.hasSuffix(",0.0,196.0,0.0") })
        let changes = try RunningProgram.run(Programs.tool, ["classify", file])
        #expect(changes.status == 0)
        #expect(changes.output.map { $0.split(separator: ",").last } == ["portrait", "landscapeLeft"])

        let replay = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        let again = try replay.tool("watch", "--json")
        let states = try again.lines { $0.contains("end of recording") }.map { try WireState($0) }
        #expect(states.map(\.orientation) == ["unknown", "portrait", "landscapeLeft", "landscapeLeft"])
    }

    @Test func `without a sensor a recording prints the reason, and writes no file`() throws {
        let daemon = try RunningDaemon(["--sensor", "iio:nothing-of-this-name"], devices: [])
        let recording = try daemon.tool("record", daemon.folder.path + "/file")
        #expect(eventually { recording.errorText.contains("\n") })
        recording.send(SIGINT)
        let record = try recording.finish()
        #expect(record.status == 1)
        #expect(record.errors.hasPrefix("orientationctl: waiting for samples: no IIO devices found on this machine"))
        #expect(record.errors.contains("no samples received; nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/file"))
    }

    @Test func `on a full disk a recording leaves no empty file`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let file = daemon.folder.path + "/walk.rec"
        // RLIMIT_FSIZE has the effect of a full disk.
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\""
        let run = try RunningProgram.run(
            "/bin/sh", ["-c", script, "sh", Programs.tool] + toolOptions(daemon.socket) + ["record", file])
        #expect(run.status == 1)
        #expect(run.errors == "orientationctl: \(file): cannot write: File too large\n")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(arguments: [[], ["--overwrite"]])
    func `a recording is written to no FIFO, also if it replaces the file while samples are missing`(
        options: [String]
    ) throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let file = daemon.folder.path + "/walk.rec"
        try daemon.simulate("fail", "failed", "--duration", "3600")
        let record = try RunningProgram(Programs.tool, toolOptions(daemon.socket) + ["record", file] + options)
        #expect(eventually { record.errorText.contains("waiting for samples") })
        #expect(mkfifo(file, 0o600) == 0)
        try daemon.simulate("fail", "failed", "--duration", "0")
        let end = try record.finish()
        #expect(end.status == 1)
        #expect(end.errors.contains("\(file): cannot write: "))
        for path in [file, "/dev/null"] {
            let refused = try daemon.runTool(["record", path] + options)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("\(path): cannot write: not a regular file"))
        }
    }

    @Test func `a recording to the name of an open descriptor is written to its pipe`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let record = try daemon.tool("record", "/dev/stdout")
        _ = try record.lines { $0.first?.isNumber == true }
        record.send(SIGINT)
        let end = try record.finish()
        #expect(end.status == 0)
        #expect(end.output.contains { $0.hasPrefix("# samples: ") })
    }
}
