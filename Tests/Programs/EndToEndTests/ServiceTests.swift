// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

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

    @Test func `a slow subscriber receives every change of a recording`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(recording(turns: 1_200), to: "turns.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        // More changes are pending than the socket's buffer holds.
        let script = """
            import json, socket, sys, time
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1])
            client.sendall(b'{"method":"org.orientationd.Orientation.Monitor","more":true}\\0')
            count = last = 0
            pending = b""
            while True:
                if count % 500 == 0:
                    time.sleep(0.3)
                pending += client.recv(65536)
                *whole, pending = pending.split(b"\\0")
                for message in whole:
                    state = json.loads(message)["parameters"]["state"]
                    if last and state["sequence"] != last + 1:
                        print("gap", last, state["sequence"], flush=True)
                    count, last = count + 1, state["sequence"]
                    if state.get("reason") == "end of recording":
                        print("end", count, flush=True)
                        sys.exit()
            """
        let reader = try RunningProgram(Programs.python, ["-c", script, daemon.socket])
        let first = try reader.line()
        let expected = try changes(of: file).count + 2
        #expect(first == "end \(expected)")
    }

    @Test func `a subscriber that does not read delays no other, also with a recording`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(recording(turns: 1_200), to: "turns.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        let stuck = try daemon.tool("watch", "--json")
        _ = try stuck.state()
        stuck.send(SIGSTOP)
        defer { stuck.send(SIGCONT) }
        let reader = try daemon.tool("watch", "--json")
        var last = try reader.state()
        while last.reason != "end of recording" { last = try reader.state() }
        stuck.send(SIGCONT)
        var newest = try stuck.state()
        while newest.sequence < last.sequence { newest = try stuck.state() }
        #expect(newest.sequence == last.sequence)
        #expect(newest.orientation == last.orientation)
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

    @Test func `a damaged recording plays up to the damage, and its line is reported`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("0,0,9.8,0\n0.1,0,9.8,0\n0.2,what\n", to: "damaged.csv")
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)?speed=max"])
        let watch = try daemon.tool("watch", "--json")
        let states = try watch.lines { $0.contains("line 3") }.map { try WireState($0) }
        #expect(states.contains { $0.orientation == "portrait" })
        #expect(states.last?.orientation == "unknown")
    }

    @Test func `a second daemon at the same socket fails, and the first continues`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let second = try RunningProgram.run(Programs.daemon, ["--socket", daemon.socket])
        #expect(second.status == 1)
        #expect(second.errors.contains("another process is listening there"))
        #expect(try daemon.runTool("status").status == 0)
    }
}
