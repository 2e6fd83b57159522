// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import TestServer
import Testing
import Varlink

@testable import OrientationClient

@Suite(.timeLimit(.minutes(1))) struct OrientationServiceTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a question is answered`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        let service = OrientationService(socketPath: path)
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

    @Test func `a question to nobody says where nobody is`() async throws {
        let service = OrientationService(socketPath: path)
        await #expect(throws: OrientationServiceError.notConnected(reason: "nobody listens at \(path)")) {
            try await service.state()
        }
    }

    @Test func `an answer that is none is not understood`() async throws {
        let interface = try OrientationInterface.description()
        let service = Service(Service.Identity(vendor: "", product: "", version: "", url: ""), interfaces: [interface])
        let server = try PollServer(at: path, service: service) { _ in [EncodedMessage(reply: ["state": 7])] }
        await #expect(
            throws: OrientationServiceError.notUnderstood(reason: "state: expected an object, found an integer")
        ) {
            try await OrientationService(socketPath: path).state()
        }
        server.stop()
    }

    @Test func `a daemon that closes instead of answering is not connected`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = OrientationService(socketPath: path)
        let task = Task { try await service.state() }
        while true {
            if (try listener.accept()) != nil { break }
            await Task.yield()
        }
        await #expect(throws: OrientationServiceError.notConnected(reason: "the connection was closed")) {
            try await task.value
        }
    }

    @Test func `a cancelled question ends`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = OrientationService(socketPath: path)
        let task = Task { try await service.state() }
        while true {
            if (try listener.accept()) != nil { break }
            await Task.yield()
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
