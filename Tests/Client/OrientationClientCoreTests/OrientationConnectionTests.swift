// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClientCore

extension OrientationConnection {
    /// Runs a main loop until the connection returns updates.
    func next() throws -> [OrientationUpdate] {
        while true {
            let updates = try process()
            if !updates.isEmpty { return updates }
            guard becomesReadable(fileDescriptor) else { throw TestFailure("no update in time") }
        }
    }

    /// Runs a main loop until the calls and replies of a local service are exchanged.
    func fails() -> OrientationServiceError? {
        do throws(OrientationServiceError) {
            while becomesReadable(fileDescriptor) { _ = try process() }
            return nil
        } catch {
            return error
        }
    }
}

/// Keeps a socket open.
final class SocketKeeper {
    private let socket: StreamSocket
    init(_ socket: consuming StreamSocket) { self.socket = socket }
}

/// A service that accepts connections and sends bytes.
struct RawService: ~Copyable {
    let listener: ListeningSocket

    init(at path: String, backlog: Int32 = 16) throws {
        var limits = Limits()
        limits.waitingConnections = backlog
        listener = try ListeningSocket.bind(to: path, mode: 0o600, limits: limits)
    }

    /// Waits for a connection, and sends a text with `|` for NUL.
    borrowing func accept(sending text: String) throws -> SocketKeeper {
        guard becomesReadable(listener.descriptor), let socket = try listener.accept() else {
            throw TestFailure("no connection in time")
        }
        let bytes = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
        _ = try bytes.withUnsafeBytes { try socket.send($0) }
        return SocketKeeper(socket)
    }
}

@Suite(.timeLimit(.minutes(10))) struct OrientationConnectionTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws { directory = try TemporaryDirectory() }

    @Test func `with the newest state only, a call returns at most one update`() throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let connection = try OrientationConnection(.daemon(socketPath: path))
        #expect(try connection.next() == [.state(.number(1))])
        for sequence in 2...50 { daemon.publish(.number(sequence)) }
        var last: OrientationUpdate?
        while last != .state(.number(50)) {
            let updates = try connection.next()
            #expect(updates.count == 1 && updates.last != last)
            last = updates.last
        }
    }

    @Test func `with a limit, a call returns at most so many updates, and none is lost`() throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let connection = try OrientationConnection(.daemon(socketPath: path), .all(limit: 2))
        #expect(try connection.next() == [.state(.number(1))])
        for sequence in 2...61 { daemon.publish(.number(sequence)) }
        var states: [OrientationUpdate] = []
        while states.count < 60 {
            let updates = try connection.next()
            #expect(updates.count <= 2)
            states += updates
        }
        #expect(states == (2...61).map { .state(.number($0)) })
        while isReadable(connection.fileDescriptor) { #expect(try connection.process().isEmpty) }
    }

    @Test func `an unchanged state is returned again after a lost connection`() throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let connection = try OrientationConnection(.daemon(socketPath: path), .all(limit: 9))
        #expect(try connection.next() == [.state(.number(1))])
        daemon.disconnectAll()
        #expect(try connection.next() == [.notConnected(reason: "connection closed by the service")])
        #expect(try connection.next() == [.state(.number(1))])
    }

    @Test func `a full backlog does not block, and is retried`() throws {
        let listener = try RawService(at: path, backlog: 0)
        var others: [SocketKeeper] = []
        while let socket = try? StreamSocket.connect(to: path) { others.append(SocketKeeper(socket)) }
        #expect(!others.isEmpty)
        let connection = try OrientationConnection(.daemon(socketPath: path))
        let busy = "\(path): cannot connect: too many connections are waiting; try again"
        #expect(try connection.process() == [.notConnected(reason: busy)])
        // Makes room: only the retry is left in the backlog.
        for _ in others { _ = try listener.accept(sending: "") }
        while !isReadable(listener.listener.descriptor) {
            _ = isReadable(connection.fileDescriptor, within: 10_000)
            #expect(try connection.process().isEmpty)
        }
    }

    @Test(arguments: [ErrorReply.permissionDenied("org.orientationd.Orientation", needs: "root"), .permissionDenied])
    func `a refused call is thrown once, and ends the connection until it is resumed`(reply: ErrorReply) throws {
        let server = try PollServer.orientation(at: path) { _ in [EncodedMessage(error: reply)] }
        defer { server.stop() }
        let connection = try OrientationConnection(.daemon(socketPath: path))
        for _ in 0..<2 {
            #expect(connection.fails() == OrientationServiceError(reply))
            #expect(try connection.process().isEmpty)
            #expect(!isReadable(connection.fileDescriptor))
            connection.resume()
        }
    }

    @Test func `a state and the error that follows it are both returned`() throws {
        let server = try PollServer.orientation(at: path) { _ in
            [
                EncodedMessage(reply: OrientationState.number(1), continues: true),
                EncodedMessage(error: .permissionDenied),
            ]
        }
        defer { server.stop() }
        let connection = try OrientationConnection(.daemon(socketPath: path))
        #expect(try connection.next() == [.state(.number(1))])
        #expect(connection.fails() == .refused(.permissionDenied))
        #expect(!isReadable(connection.fileDescriptor))
    }

    @Test(arguments: [
        ("7|", "invalid reply: "), ("{\"parameters\":{\"state\":7},\"continues\":true}|", "state: expected"),
        ("{\"a", "closed by the service"),
        (
            #"{"error":"org.orientationd.Orientation.LimitReached","parameters":{"limit":"x","maximum":4}}|"#,
            "limit reached: at most 4 x"
        ),
    ])
    func `invalid bytes and a limit are a lost connection, after which the connection continues`(
        text: String, why: String
    ) throws {
        var service: RawService? = try RawService(at: path)
        let connection = try OrientationConnection(.daemon(socketPath: path))
        #expect(try connection.process().isEmpty)
        _ = try service?.accept(sending: text)
        guard case .notConnected(let reason)? = try connection.next().first else { throw TestFailure("no loss") }
        #expect(reason.contains(why))
        service = nil
        let daemon = try StubDaemon(at: path, state: .number(1))
        while try connection.next() != [.state(.number(1))] {}
        withExtendedLifetime(daemon) {}
    }

    @Test func `a path that is no path of a socket is an error`() {
        for path in ["", "/" + String(repeating: "x", count: 200), "/a\0b"] {
            let error = #expect(throws: OrientationServiceError.self) { try OrientationConnection(socketPath: path) }
            #expect(error?.reason.hasPrefix("invalid socket path '\(path)': must ") == true)
        }
    }
}
