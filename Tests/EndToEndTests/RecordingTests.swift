// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the daemon's sensor measures, kept and played again.
@Suite(.serialized) struct Recordings {
    @Test func `a recording of the daemon's sensor is played and classified as it was lived`() throws {
        var chip = Machine.Device.upright
        chip.attributes["sampling_frequency"] = "25"
        let daemon = try RunningDaemon([], devices: [chip])
        let file = daemon.folder.path + "/lived.rec"
        let record = try daemon.tool("record", file)
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        let recorded = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        #expect(eventually { recorded().split(separator: "\n").last?.first?.isNumber == true })
        try daemon.machine?.hold(.upright, 1, 0, 0)
        _ = try watch.states(until: "landscapeLeft")
        // As long again as the classifier may have needed: whatever it decided on has been written by then.
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

    @Test func `a recording ends by itself after its duration, whole`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:poses"])
        let record = try daemon.runTool("record", "--duration", "0.2", "-")
        #expect(record.status == 0)
        let count = record.output.filter { $0.first?.isNumber == true }.count
        #expect(count > 0)
        #expect(record.output.last == "# samples: \(count)")
    }

    @Test func `without a sensor nothing is written, and it is said`() throws {
        let daemon = try RunningDaemon([], devices: [])
        let file = daemon.folder.path + "/nothing.rec"
        let record = try daemon.runTool("record", "--duration", "0.2", file)
        #expect(record.status == 1)
        #expect(record.errors.contains("no samples received"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
