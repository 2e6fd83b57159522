// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClient
@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct OrientationServiceTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `calls return the reply or the error of the daemon`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        let service = OrientationService(socketPath: path, timeout: .seconds(60))
        #expect(try await service.state() == .number(3))
        let info = try await service.call("org.varlink.service.GetInfo")
        #expect(info["vendor"] == "orientationd")
        await #expect(throws: OrientationServiceError.sensorUnavailable(reason: "none was found")) {
            try await service.sensors()
        }
        await #expect(throws: OrientationServiceError.refused(.methodNotFound("org.orientationd.Orientation.Turn"))) {
            try await service.call("org.orientationd.Orientation.Turn")
        }
        while daemon.peerCount > 0 { await Task.yield() }
    }

    @Test func `a call without a daemon is an error with the path`() async throws {
        let service = OrientationService(socketPath: path, timeout: .seconds(60))
        let reason = "cannot connect to \(path): no service is listening"
        await #expect(throws: OrientationServiceError.notConnected(reason: reason)) { try await service.state() }
    }

    @Test func `PermissionDenied is an error with the required permission`() async throws {
        let interface = try ControlInterface.description()
        let service = Service(Service.Identity(vendor: "", product: "", version: "", url: ""), interfaces: [interface])
        let server = try PollServer(at: path, service: service) { _ in
            [EncodedMessage(error: .permissionDenied(ControlInterface.name, needs: "root"))]
        }
        let refusal = OrientationServiceError.permissionDenied(needs: "root")
        await #expect(throws: refusal) {
            try await OrientationService(socketPath: path, timeout: .seconds(60)).call(ControlInterface.status)
        }
        #expect(refusal.description == "orientationd: permission denied: requires root")
        #expect(OrientationServiceError(ErrorReply.permissionDenied) == .refused(.permissionDenied))
        server.stop()
    }

    @Test func `a reply of another type is an error with the path`() async throws {
        let interface = try OrientationInterface.description()
        let service = Service(Service.Identity(vendor: "", product: "", version: "", url: ""), interfaces: [interface])
        let server = try PollServer(at: path, service: service) { _ in [EncodedMessage(reply: ["state": 7])] }
        await #expect(
            throws: OrientationServiceError.notUnderstood(reason: "state: expected an object, found an integer")
        ) {
            try await OrientationService(socketPath: path, timeout: .seconds(60)).state()
        }
        server.stop()
    }

    @Test(arguments: [-1, 0, 1])
    func `a reply of the maximum size is returned, a longer one is an error`(excess: Int) async throws {
        let interface = try OrientationInterface.description()
        let service = Service(Service.Identity(vendor: "", product: "", version: "", url: ""), interfaces: [interface])
        let frame = EncodedMessage(reply: ["x": ""]).byteCount - 1
        let text = String(repeating: "x", count: Limits.replies.messageBytes - frame + excess)
        let server = try PollServer(at: path, service: service) { _ in [EncodedMessage(reply: ["x": .string(text)])] }
        let answer = await Task { [path] in
            try await OrientationService(socketPath: path, timeout: .seconds(60)).call(OrientationInterface.get)
        }.result
        switch answer {
        case .success(let reply): #expect(excess <= 0 && reply == ["x": .string(text)])
        case .failure(let error as OrientationServiceError):
            guard case .notUnderstood = error else { throw error }
            #expect(excess > 0)
        case .failure(let error): throw error
        }
        server.stop()
    }

    @Test func `a connection closed before the reply is an error`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = OrientationService(socketPath: path, timeout: .seconds(60))
        let task = Task { try await service.state() }
        while true {
            if (try listener.accept()) != nil { break }
            await Task.yield()
        }
        await #expect(throws: OrientationServiceError.notConnected(reason: "connection closed by peer")) {
            try await task.value
        }
    }

    @Test func `a call without a reply times out`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = OrientationService(socketPath: path, timeout: .milliseconds(50))
        let timedOut = OrientationServiceError.timedOut(after: .milliseconds(50))
        await #expect(throws: timedOut) { try await service.state() }
        await #expect(throws: timedOut) { try await service.call(ControlInterface.status) }
        #expect(timedOut.description == "orientationd: timed out: no reply within 0.05 s")
        withExtendedLifetime(listener) {}
    }

    @Test func `a call with a timeout of 95 years returns its reply`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        let service = OrientationService(socketPath: path, timeout: .seconds(3_000_000_000))
        #expect(try await service.state() == .number(3))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a cancelled call ends`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = OrientationService(socketPath: path, timeout: .seconds(60))
        let task = Task { try await service.state() }
        while true {
            if (try listener.accept()) != nil { break }
            await Task.yield()
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func `replies returns each reply, then the error or the end`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let service = OrientationService(socketPath: path, timeout: .seconds(60))
        var replies = service.replies(to: OrientationInterface.monitor).makeAsyncIterator()
        #expect(try await replies.next() == ["state": .object(OrientationState.number(1).json)])
        daemon.publish(.number(2))
        #expect(try await replies.next() == ["state": .object(OrientationState.number(2).json)])
        daemon.disconnectAll()
        await #expect(throws: OrientationServiceError.notConnected(reason: "connection closed by peer")) {
            try await replies.next()
        }
        #expect(try await replies.next() == nil)

        var single = service.replies(to: OrientationInterface.listSensors).makeAsyncIterator()
        await #expect(throws: OrientationServiceError.sensorUnavailable(reason: "none was found")) {
            try await single.next()
        }
        #expect(try await single.next() == nil)
    }

    @Test func `replies are read only as they are taken`() async throws {
        let description = try InterfaceDescription(parsing: "interface a.b\nmethod Count() -> (n: int)")
        let service = Service(
            Service.Identity(vendor: "", product: "", version: "", url: ""), interfaces: [description])
        let server = try PollServer(at: path, service: service) { _ in
            (1...1000).map { EncodedMessage(reply: ["n": .integer($0)], continues: $0 < 1000) }
        }
        var count: Int64 = 0
        for try await reply in OrientationService(socketPath: path, timeout: .seconds(60)).replies(to: "a.b.Count") {
            count += 1
            #expect(reply == ["n": .integer(count)])
        }
        #expect(count == 1000)
        server.stop()
    }

    @Test func `leaving the loop over the replies closes the socket`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        for try await _ in OrientationService(socketPath: path, timeout: .seconds(60)).replies(
            to: OrientationInterface.monitor)
        { break }
        while daemon.peerCount > 0 { await Task.yield() }
    }
}
