// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// The rotation lock and the simulated device, from the command line.
@Suite(.serialized) struct RotationLockTests {
    @Test func `lock without an edge uses the current edge, also if the sensor was off`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeLeft")
        // A call waits only 1 s for the sensor.
        #expect(try eventually(despite: 1) { try daemon.runTool("lock").status == 0 })
        #expect(try daemon.runTool("status", "--json").output.first?.contains(#""lockedTo":"landscapeLeft""#) == true)
    }

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

    @Test func `lock --toggle turns the lock on at the current edge, then off`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeRight")
        let watch = try daemon.watch(until: "landscapeRight")
        defer { withExtendedLifetime(watch) {} }
        #expect(try daemon.runTool("lock", "--toggle").output == ["rotation lock: on (left edge up)"])
        try daemon.simulate("portrait")
        _ = try watch.states(until: "portrait")
        #expect(try daemon.runTool("lock", "--toggle").output == ["rotation lock: off"])
        #expect(
            try daemon.runTool("lock", "--toggle", "--json").output
                == [#"{"locked":true,"lockedTo":"portrait","panelEdge":"top"}"#])
        #expect(try daemon.runTool("lock", "--toggle", "--json").output == [#"{"locked":false}"#])
    }

    @Test func `lock --toggle with an older daemon says so`() throws {
        let folder = try TemporaryDirectory()
        // It serves org.orientationd.Orientation only.
        let daemon = try StubDaemon(at: folder.path("socket"), state: .number(1))
        let run = try RunningProgram.run(Programs.tool, toolOptions(folder.path("socket")) + ["lock", "--toggle"])
        withExtendedLifetime(daemon) {}
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("orientationctl: orientationd: cannot toggle: it is older than orientationctl "))
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

    @Test func `on a full disk a lock holds until the daemon ends, and unlock is stored`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("closed portrait\n", to: "rotation-lock")
        let socket = folder.path + "/socket"
        // RLIMIT_FSIZE has the effect of a full disk.
        let full = try RunningProgram(
            "/bin/sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", Programs.daemon, "--sensor", "fake:", "--socket",
                socket, "--state-directory", folder.path,
            ])
        let watch = try RunningProgram(Programs.tool, toolOptions(socket) + ["watch", "--json"])
        _ = try watch.state { $0.lockedTo == "portrait" }
        let lock = try RunningProgram.run(Programs.tool, toolOptions(socket) + ["lock", "landscape-primary"])
        #expect(lock.status == 1)
        #expect(lock.errors.hasPrefix("orientationctl: rotation lock: on, but not stored: cannot write"))
        _ = try watch.state { $0.lockedTo == "landscapeLeft" }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "closed portrait\n")
        #expect(try RunningProgram.run(Programs.tool, toolOptions(socket) + ["unlock"]).status == 0)
        _ = try watch.state { !$0.locked }
        full.send(SIGTERM)
        #expect(full.wait() == 0)
        #expect(full.errorText.contains("cannot store the rotation lock"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.allSatisfy { !$0.hasPrefix("rotation-lock") })
    }

    @Test func `clients that toggle the lock continuously delay no other client, and change it once a second`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:", "--log-level", "debug"])
        let start = Date()
        let call = #"{"method":"org.orientationd.Control.SetRotationLock","parameters":{"locked":"#
        let flips = call + #"true,"edge":"portrait"}}|"# + call + "false}}|"
        let flippers = try (0..<20).map { _ in
            try InteractiveProgram(
                Programs.python,
                [
                    "-c",
                    """
                    import socket, sys
                    client = socket.socket(socket.AF_UNIX)
                    client.connect(sys.argv[1])
                    while True:
                        client.sendall(sys.argv[2].replace("|", "\\0").encode())
                        print(client.recv(4096).count(0), flush=True)
                    """, daemon.socket, flips,
                ])
        }
        for flipper in flippers { #expect(try flipper.program.line() != nil) }
        var other = try RawClient(to: daemon.socket)
        for _ in 0..<100 {
            try other.send(#"{"method":"org.varlink.service.GetInfo"}|"#)
            #expect(try other.message()?.contains("vendor") == true)
        }
        let written = daemon.program.errorText.components(separatedBy: "debug: the rotation lock is now").count - 1
        // As many as are made at once, and one a second after that: RotationLockKeeper.
        #expect((1...4 + 1 + Int(Date().timeIntervalSince(start))).contains(written))
        for flipper in flippers { flipper.program.send(SIGKILL) }
        daemon.end()
    }

    @Test func `simulate holds, turns and shakes the device, and lets it fail`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeLeft")
        let watch = try daemon.watch(until: "landscapeLeft")
        try daemon.simulate("turn", "portrait", "--duration", "0.2")
        _ = try watch.states(until: "portrait")
        try daemon.simulate("shake", "--duration", "0.1")
        try daemon.simulate("read", "0", "0", "9.81")
        _ = try watch.states(until: "faceUp")
        try daemon.simulate("fail", "gone", "--duration", "3600")
        #expect(try watch.state { $0.orientation == "unknown" }.reason?.contains("removal") == true)
        try daemon.simulate("fail", "gone", "--duration", "0")
        _ = try watch.states(until: "faceUp")
    }

    @Test func `simulate without a simulated device is an error`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("0,0,9.8,0\n0.1,0,9.8,0\n", to: "still.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)"])
        let run = try daemon.runTool("simulate", "portrait")
        #expect(run.status == 1)
        #expect(run.errors.contains("use 'orientationd --sensor fake:'"))
    }
}
