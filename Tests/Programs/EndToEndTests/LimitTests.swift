// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// The daemon with too many clients, and with clients that misbehave.
@Suite(.serialized) struct LimitTests {
    private static let ping = #"{"method":"org.varlink.service.GetInfo"}|"#

    private func serves(_ daemon: RunningDaemon) throws -> Bool {
        var client = try RawClient(to: daemon.socket)
        try client.send(Self.ping)
        return try client.message()?.contains("vendor") == true
    }

    @Test func `the limit of open files is raised to fit the connections`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c", "ulimit -Sn 64; exec \"$@\"", "sh", Programs.daemon, "--sensor", "fake:", "--socket", socket,
                "--state-directory", folder.path, "--connections", "500", "--connections-per-user", "500",
            ])
        var clients = 0
        try withClients(200, at: socket) { clients = $0 }
        #expect(clients == 200)
        let limits = try String(contentsOfFile: "/proc/\(daemon.identifier)/limits", encoding: .utf8)
        let files = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        #expect(files?.split(separator: " ").dropFirst(3).first == "628")
    }

    @Test func `fewer connections are accepted if the limit of open files cannot be raised, with a warning`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c", "ulimit -n 138; exec \"$@\"", "sh", Programs.daemon, "--sensor", "fake:", "--socket",
                socket, "--state-directory", folder.path,
            ])
        try withClients(10, at: socket) { count in
            #expect(count == 10)
            var eleventh = try RawClient(to: socket)
            #expect(try eleventh.message()?.contains(#""maximum":10"#) == true)
        }
        #expect(daemon.errorText.contains("limiting connections to 10 instead of 256"))
    }

    /// Connects up to `count` clients, waits for a reply to each, and passes the number of connected clients to `body`.
    private func withClients(_ count: Int, at socket: String, _ body: (Int) throws -> Void) throws {
        guard eventually({ (try? StreamSocket.connect(to: socket)) != nil }) else {
            throw TestFailure("no listener at the socket")
        }
        try withMore(count, at: socket, having: 0, body)
    }

    private func withMore(_ count: Int, at socket: String, having: Int, _ body: (Int) throws -> Void) throws {
        guard count > 0 else { return try body(having) }
        var client = try RawClient(to: socket)
        try client.send(Self.ping)
        let isServed = try client.message()?.contains("vendor") == true
        try withMore(count - 1, at: socket, having: having + (isServed ? 1 : 0), body)
        withExtendedLifetime(client.socket.descriptor) {}
    }

    @Test func `without a free descriptor the daemon idles, and accepts the waiting clients when one is free`()
        throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        var subscriber = try RawClient(to: daemon.socket)
        try subscriber.send(#"{"method":"org.orientationd.Orientation.Monitor","more":true}|"#)
        while try #require(try subscriber.message()).contains(#""orientation":"portrait""#) == false {}
        var simulator = try RawClient(to: daemon.socket)
        try simulator.send(Self.ping)
        #expect(try simulator.message() != nil)
        // Fewer than are open: whatever the daemon still closes makes no room.
        try limitFiles(of: daemon, to: 8)
        var waiting = try RawClient(to: daemon.socket)
        try waiting.send(Self.ping)
        // It logs once and idles during two slow turns.
        #expect(eventually { daemon.program.errorText.contains("cannot accept connections") })
        let before = try daemon.processorTime()
        for pose in ["landscapeLeft", "faceUp"] {
            try simulator.send(
                #"{"method":"org.orientationd.Simulator.Turn","parameters":{"to":"\#(pose)","duration":1}}|"#)
            while try #require(try subscriber.message()).contains(#""orientation":"\#(pose)""#) == false {}
        }
        #expect(try daemon.processorTime() - before < 0.2)
        #expect(daemon.program.errorText.components(separatedBy: "cannot accept connections").count == 2)
        try limitFiles(of: daemon, to: 1_000)
        #expect(try waiting.message()?.contains("vendor") == true)
        #expect(try serves(daemon))
    }

    private func limitFiles(of daemon: RunningDaemon, to count: Int) throws {
        let run = try RunningProgram.run(
            "/usr/bin/prlimit", ["--pid", String(daemon.program.identifier), "--nofile=\(count):1000"])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func `thousands of clients that disconnect at every stage of a call leak nothing`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        #expect(try serves(daemon))
        let open = try daemon.openFiles()
        let call = #"{"method":"org.orientationd.Orientation.Monitor","more":true}|"#
        for round in 0..<3_000 {
            let client = try RawClient(to: daemon.socket)
            try? client.send(String(call.prefix(round % (call.utf8.count + 1))))
            if round % 3 == 0 { client.socket.shutdownSending() }
        }
        // The last of them may not be closed yet.
        #expect(eventually { (try? serves(daemon)) == true })
        #expect(try eventually { try daemon.openFiles() <= open })
    }
}

extension RunningDaemon {
    /// The used CPU time in seconds.
    func processorTime() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(program.identifier)/stat", encoding: .utf8)
        // The name in parentheses may have spaces; user and system time are the 12th and 13th fields after it.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw TestFailure("/proc/PID/stat: invalid value: \(text)")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The number of open descriptors.
    func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd").count
    }
}
