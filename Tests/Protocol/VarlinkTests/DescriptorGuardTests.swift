// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

/// A peer passes the last reference to a socket whose close blocks for a quarter of an hour.
///
/// No test measures time: a call that closed the passed socket would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct DescriptorGuardTests {
    private let directory: TemporaryDirectory
    private let closer = SocketCloser()
    /// Behaves as on a kernel before Linux 6.16.
    private let old: DescriptorGuard

    init() throws {
        directory = try TemporaryDirectory()
        old = DescriptorGuard(usesKernelOption: false, closer: closer)
    }

    private func listen(_ guardian: DescriptorGuard = .standard) throws -> ListeningSocket {
        try ListeningSocket.bind(to: directory.socket, mode: 0o600, guardian: guardian)
    }

    /// A client socket without SO_PASSRIGHTS, as a hostile peer has it.
    private func peer() throws -> StreamSocket {
        try StreamSocket.connect(to: directory.socket, guardian: old)
    }

    private func read(_ socket: borrowing StreamSocket) throws -> StreamSocket.Received {
        var buffer = [UInt8](repeating: 0, count: 64)
        return try buffer.withUnsafeMutableBytes { try socket.receive(into: $0) }
    }

    private func waitUntilClosed() {
        while closer.pending > 0 { sched_yield() }
    }

    @Test(.enabled(if: kernelRefusesDescriptors, "the kernel does not know SO_PASSRIGHTS"))
    func `the kernel rejects descriptors sent to an accepted socket and a client`() throws {
        let listener = try listen()
        let client = try StreamSocket.connect(to: directory.socket)
        let accepted = try Box(accepting: listener)
        let lingering = try LingeringSocket()
        let refusal = LingeringSocket.Failure(operation: "sendmsg", errno: EPERM)
        #expect(throws: refusal) { try lingering.pass(over: client.descriptor) }
        #expect(throws: refusal) { try lingering.pass(over: accepted.socket.descriptor) }
        #expect(throws: refusal) { try lingering.pass(over: client.descriptor, outOfBand: true) }
    }

    @Test(arguments: [1, 253], [false, true])
    func `on an older kernel the bytes before a descriptor are read, then the connection ends`(
        count: Int, outOfBand: Bool
    ) throws {
        let listener = try listen(old)
        let client = try peer()
        let lingering = try LingeringSocket()
        _ = try [UInt8]("ab".utf8).withUnsafeBytes { try client.send($0) }
        try lingering.pass(over: client.descriptor, count: count, outOfBand: outOfBand)
        _ = try [UInt8]("c".utf8).withUnsafeBytes { try client.send($0) }
        do {
            let accepted = try Box(accepting: listener)
            // A read never joins messages with and without descriptors; MSG_PEEK may.
            do {
                #expect(try read(accepted.socket) == .bytes(2))
            } catch {
                // Not a pattern of `catch`, which crashes Swift 6.2 here.
                guard case .descriptorsPassed = error as? SocketError else { throw error }
            }
            for _ in 0..<2 { #expect(throws: SocketError.descriptorsPassed) { try read(accepted.socket) } }
        }
        // The peer reads end of file immediately, even if closing blocks.
        #expect(throws: SocketError.peerGone) { try [1].withUnsafeBytes { try client.send($0) } }
        waitUntilClosed()
    }

    @Test func `a connection with a queued descriptor is closed without blocking`() throws {
        let listener = try listen(old)
        let lingering = try (0..<100).map { _ in try LingeringSocket() }
        for one in lingering {
            let client = try peer()
            try one.pass(over: client.descriptor)
            #expect(try listener.accept() != nil)
        }
        waitUntilClosed()
    }

    @Test func `a listener is closed without blocking on descriptors in its backlog`() throws {
        let lingering = try LingeringSocket()
        let client = try { () throws -> StreamSocket in
            let listener = try listen(old)
            let client = try peer()
            try lingering.pass(over: client.descriptor)
            withExtendedLifetime(listener.descriptor) {}
            return client
        }()
        waitUntilClosed()
        // A child process of another test holds a copy of the listener until it executes its program.
        #expect(throws: SocketError.peerGone) {
            while true { _ = try [UInt8](1...1).withUnsafeBytes { try client.send($0) } }
        }
    }

    @Test func `a connection queued before its listener rejected descriptors is inspected`() throws {
        // A listening socket as systemd creates and passes it.
        let foreign = boundSocket(at: directory.path("foreign"))
        #expect(Glibc.listen(foreign, 8) == 0)
        let client = try StreamSocket.connect(to: directory.path("foreign"), guardian: old)
        let lingering = try LingeringSocket()
        try lingering.pass(over: client.descriptor)
        let listener = try ListeningSocket(adopting: foreign)
        let accepted = try Box(accepting: listener)
        #expect(throws: SocketError.descriptorsPassed) { try read(accepted.socket) }
    }

    @Test func `a service that passes a descriptor to a client on an older kernel is disconnected`() throws {
        let listener = try listen(old)
        let client = try peer()
        let accepted = try Box(accepting: listener)
        let lingering = try LingeringSocket()
        try lingering.pass(over: accepted.socket.descriptor)
        #expect(throws: SocketError.descriptorsPassed) { try read(client) }
    }

    @Test func `on an older kernel a connection without descriptors is closed immediately`() throws {
        let listener = try listen(old)
        let client = try peer()
        _ = try [1, 2].withUnsafeBytes { try client.send($0) }
        #expect(try listener.accept() != nil)
        #expect(closer.pending == 0)
        #expect(throws: SocketError.peerGone) { try [1].withUnsafeBytes { try client.send($0) } }
    }
}

/// A copyable owner of an accepted socket.
private final class Box {
    let socket: StreamSocket

    init(accepting listener: borrowing ListeningSocket) throws {
        guard let socket = try listener.accept() else { throw SocketError.peerGone }
        self.socket = socket
    }
}
