// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

/// The rotation lock and the simulated device, from the command line.
@Suite(.serialized) struct RotationLockTests {
    @Test func `the commands of README for the orientation and the lock do what it says`() throws {
        let readme = try String(contentsOfFile: Programs.packageFolder + "/README.md", encoding: .utf8)
        let daemon = try RunningDaemon(["--sensor", "fake:natural=landscapeLeft"])
        try daemon.simulate("portrait")
        // A call waits only 1 s for a sensor that starts.
        let watch = try daemon.watch(until: "portrait")
        defer { withExtendedLifetime(watch) {} }
        var printed: [String: [String]] = [:]
        for line in readme.split(separator: "\n") where line.hasPrefix("    orientationctl ") {
            let words = line.prefix { $0 != "#" }.split(separator: " ").dropFirst().map(String.init)
            guard ["status", "lock", "unlock", "sensors", nil].contains(words.first) else { continue }
            let run = try daemon.runTool(words)
            #expect(run.status == 0 && run.errors == "", "\(words) \(run.errors)")
            printed[words.joined(separator: " ")] = run.output
        }
        #expect(printed[""]?.first?.hasSuffix(": display needs 90° counter-clockwise") == true)
        #expect(printed["status"]?.first == "display        needs 90° counter-clockwise")
        #expect(printed["lock natural"] == ["rotation lock: on (top edge up)"])
        #expect(printed["unlock"] == ["rotation lock: off"])
    }

    @Test func `lock --cycle turns a device without a sensor by a quarter each time, also after a restart`() throws {
        let folder = try TemporaryDirectory()
        for edges in [["left", "bottom"], ["right", "top"]] {
            let daemon = try RunningDaemon(["--sensor", "iio:", "--state-directory", folder.path])
            for edge in edges {
                #expect(try daemon.runTool("lock", "--cycle").output == ["rotation lock: on (\(edge) edge up)"])
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a lock persists across the end of the daemon by any signal`(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let state = folder.path + "/state/of/daemon"
        do {
            let daemon = try RunningDaemon(["--sensor", "fake:", "--state-directory", state])
            #expect(try daemon.runTool("lock", "portrait-secondary").status == 0)
            daemon.program.send(signal)
            _ = daemon.program.wait()
        }
        let daemon = try RunningDaemon(["--sensor", "fake:", "--state-directory", state])
        let first = try daemon.tool("watch", "--json").state()
        #expect(first.locked)
        #expect(first.lockedTo == "portraitUpsideDown")
    }
}
