// SPDX-License-Identifier: Apache-2.0

import Displays
import Foundation
import InterfaceRotation
import OrientationClientCore
import OrientationModel
import OrientationRules
import OrientationWire
import SystemdTestSupport
import TestServer
import TestSupport
import Testing
import Varlink

@testable import Autorotate

/// Apps of a session and the real agent, without a daemon: the display is not rotated at first.
@Suite(.timeLimit(.minutes(10))) struct DisplayServiceTests {
    private nonisolated static let interface = "org.orientationd.Display"

    /// A `Hold` with `more`, as a message of ``RawClient``.
    private nonisolated static func hold(_ parameters: String) -> String {
        #"{"method":"\#(interface).Hold","parameters":{\#(parameters)},"more":true}|"#
    }

    /// The parameters of a reply.
    private nonisolated static func parameters(_ message: String?) throws -> JSONObject {
        try JSONObject(json: JSONValue(parsing: Array((message ?? "").utf8))).value("parameters")
    }

    @Test func `a hold turns the display while its connection lasts, and Explain has the reason`() throws {
        let found = try SessionBench().run { session in
            var found: [JSONObject] = []
            do {
                var client = try RawClient(to: session.socket)
                try client.send(Self.hold(#""supported":["portrait"]"#))
                found.append(try Self.parameters(client.message()))
                found.append(try session.explain())
            }
            _ = try eventually { try session.explain()["orientation"] == "landscapeRight" }
            return found + [try session.explain()]
        }
        #expect(found[0]["orientation"] == "portrait" && found[0]["rotation"] == 90 && found[0]["applies"] == true)
        #expect(found[1]["output"] == "eDP-1" && found[1]["allowed"] == ["portrait", "portraitUpsideDown"])
        #expect(found[1]["sentence"] == found[0]["sentence"])
        #expect(found.compactMap { ObstacleKind(in: $0) } == [.noState, .noState, .noState])
        #expect(found[1]["answers"].map { "\($0)".contains("hold 1 (process \(getpid()))") } == true)
        #expect(found[2]["orientation"] == "landscapeRight" && found[2]["rotation"] == 0)
    }

    @Test func `a hold survives a lost connection to the display server, and turns the next display`() throws {
        let bench = try SessionBench(listens: true)
        let messages = bench.messages
        let answers = try bench.run { session in
            var client = try RawClient(to: session.socket)
            try client.send(Self.hold(#""supported":["portrait"]"#))
            _ = try client.message()
            try session.loseDisplay()
            let turn = "eDP-1: rotated to 90° counter-clockwise"
            _ = eventually { messages.texts.count { $0 == turn } == 2 }
            return try session.explain()["answers"]
        }
        #expect(answers.map { "\($0)".contains("hold 1 (process \(getpid()))") } == true)
        #expect(messages.texts.count { $0 == "display server: no memory; connected again" } == 1)
        #expect(messages.texts.last == "display server: the test is over")
    }

    @Test
    func `after a turn of the device and a call, no timer runs: the agent does not wake up while nothing changes`()
        throws
    {
        let bench = try SessionBench()
        let state = OrientationState(orientation: .landscapeLeft, sequence: 1, instance: "one")
        let daemon = try StubDaemon(at: bench.daemonSocket, state: state)
        let (hasTurned, timers) = try bench.run { session in
            let hasTurned = try eventually { try session.explain()["rotation"] == 270 }
            return (hasTurned, try session.runningTimers())
        }
        #expect(hasTurned)
        withExtendedLifetime(daemon) {}
        #expect(timers == 0)
    }

    /// Asks as `--list` does; again without a reply within its 2 s.
    private nonisolated static func ask(in folder: String, agent: Int32) -> ExplainOutcome {
        var outcome = ExplainOutcome.failed("not asked")
        _ = eventually(despite: 2) {
            outcome = ServicePlace.agent(runtimeDirectory: folder).explain(byProcess: agent)
            guard case .failed(let reason) = outcome else { return true }
            return !reason.contains("timed out")
        }
        return outcome
    }

    @Test func `--list asks only the agent of its own session`() throws {
        let bench = try SessionBench()
        let folder = bench.directory.path
        let found = try bench.run { _ in
            [getpid(), 1].map { Self.ask(in: folder, agent: $0) }
        }
        guard case .reply(let reply) = found[0] else { throw TestFailure("\(found[0])") }
        #expect(reply["output"] == "eDP-1")
        let path = bench.socket
        #expect(
            found[1] == .failed("\(path) belongs to the agent of another session (process \(getpid()))"))
    }

    @Test func `--list has the reason why an agent does not reply`() throws {
        let folder = try TemporaryDirectory()
        let reason = "\(folder.path)/orientation-autorotate/socket: cannot connect: no service is listening"
        #expect(
            ServicePlace.agent(runtimeDirectory: folder.path).explain(byProcess: getpid())
                == .failed("not connected: \(reason)"))
    }

    /// Reads a reply with this orientation, after one with that of the device: if finding the desktop file takes 2 s, as on a
    /// loaded machine, the window is first without one.
    private nonisolated static func reply(
        with orientation: JSONValue, to client: inout RawClient
    ) throws -> JSONObject {
        let reply = try parameters(client.message())
        return reply["orientation"] == "landscapeRight" ? try parameters(client.message()) : reply
    }

    @Test func `two apps take turns in front: each hold is notified, and the desktop file counts`() throws {
        let bench = try SessionBench()
        try bench.install("film", "X-SupportedInterfaceOrientations=landscapeLeft;landscapeRight;\nbroken line")
        let found = try bench.run { session in
            var reader = try RawClient(to: session.socket)
            try reader.send(Self.hold(#""appId":"Reader","supported":["portrait"]"#))
            var replies = [try Self.parameters(reader.message())]
            try session.show("reader")
            replies.append(try Self.reply(with: "portrait", to: &reader))
            try session.show("film")
            replies.append(try Self.reply(with: "landscapeLeft", to: &reader))
            replies.append(try session.explain())
            return replies
        }
        #expect(found.map { $0["applies"] } == [false, true, false, nil])
        #expect(found.map { $0["orientation"] } == ["landscapeRight", "portrait", "landscapeLeft", "landscapeLeft"])
        #expect(
            found[3]["app"]
                == ["appId": "film", "desktopFile": "film.desktop", "declared": ["landscapeLeft", "landscapeRight"]])
    }

    @Test
    func `a call without more replies once, holds as long as the connection, and the next call replaces it`() throws {
        let found = try SessionBench().run { session in
            var client = try RawClient(to: session.socket)
            return try ["portrait", "landscapeRight", "portraitUpsideDown"].map { name in
                let replies = try client.call(Call("\(Self.interface).Hold", ["supported": [.string(name)]]))
                return [JSONValue.integer(Int64(replies.count)), replies[0]["orientation"] ?? .null]
            }
        }
        #expect(found == [[1, "portrait"], [1, "landscapeRight"], [1, "portraitUpsideDown"]])
    }

    @Test(arguments: [
        (#""supported":[]"#, "supported"), (#""supported":["sideways"]"#, "supported"), ("", "supported"),
        (#""supported":["portrait"],"preferred":"landscapeLeft""#, "preferred"),
        (#""supported":["portrait"],"appId":"""#, "appId"),
        (#""supported":["portrait"],"appId":"a\n""#, "appId"), (#""supported":["portrait"],"locked":1"#, "locked"),
    ])
    func `invalid parameters are refused by name`(parameters: String, name: String) throws {
        let found = try SessionBench().run { session in
            var client = try RawClient(to: session.socket)
            try client.send(Self.hold(parameters))
            return try client.message()
        }
        #expect(found?.contains("InvalidParameter") == true && found?.contains("\"\(name)") == true)
    }

    @Test func `the socket and its directory are those of this user only`() throws {
        let bench = try SessionBench()
        var status = stat()
        #expect(stat(bench.socket, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(stat(bench.directory.path("orientation-autorotate"), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }
}
