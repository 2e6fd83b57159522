// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import Varlink

/// The daemon as a service: recordings, subscribers, signals, sockets.
@Suite(.serialized) struct ServiceTests {
    /// Returns a recording with a quarter turn each second.
    private func recording(turns: Int) -> String {
        var lines = ""
        let poses = [(0.0, 9.8), (9.8, 0.0), (0.0, -9.8), (-9.8, 0.0)]
        for turn in 0...turns {
            for step in 0..<25 {
                let (x, y) = poses[turn % poses.count]
                lines += "\(Double(turn) + Double(step) / 25),\(x),\(y),0.1\n"
            }
        }
        return lines
    }

    private func changes(of file: String) throws -> [String] {
        try RunningProgram.run(Programs.tool, ["classify", file]).output.map {
            String($0.split(separator: ",")[1])
        }
    }

    @Test func `a subscriber receives every change of a recording at full speed, in order`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(recording(turns: 1_200), to: "turns.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        let watch = try daemon.tool("watch", "--json")
        var states: [WireState] = []
        while states.last?.reason != "end of recording" { states.append(try watch.state()) }
        let expected = try changes(of: file)
        #expect(expected.count > 1_200)
        #expect(states.first?.reason == "starting")
        #expect(states.dropFirst().dropLast().map(\.orientation) == expected)
        #expect(zip(states, states.dropFirst()).allSatisfy { $1.sequence == $0.sequence + 1 })
        #expect(Set(states.map(\.instance)).count == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the daemon with status 0 and removes its socket`(signal: Int32) throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let watch = try daemon.watch(until: "portrait")
        defer { withExtendedLifetime(watch) {} }
        daemon.program.send(signal)
        #expect(daemon.program.wait() == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    @Test func `SIGHUP reopens the source, and subscriptions continue`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("0,0,9.8,0\n0.1,0,9.8,0\n", to: "still.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        let watch = try daemon.tool("watch", "--json")
        _ = try watch.lines { $0.contains("end of recording") }
        _ = try folder.write("0,9.8,0,0\n0.1,9.8,0,0\n", to: "still.csv")
        daemon.program.send(SIGHUP)
        #expect(try watch.state().reason == "starting")
        #expect(try watch.state().orientation == "landscapeLeft")
    }

    @Test func `the umask does not change the socket's mode`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c", "umask 077; exec \"$@\"", "sh", Programs.daemon, "--sensor", "fake:", "--socket", socket,
                "--state-directory", folder.path,
            ])
        guard eventually({ (try? StreamSocket.connect(to: socket)) != nil }) else {
            throw TestFailure("no listener at the socket")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: socket)
        #expect(attributes[.posixPermissions] as? Int == 0o666)
        let umask = try String(contentsOfFile: "/proc/\(daemon.identifier)/status", encoding: .utf8)
        #expect(umask.contains("Umask:\t0077"))
    }
}
