// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationWire
import Posix
package import Varlink

/// A service on its own thread with a `poll` loop: the smallest complete use of the library.
///
/// `@unchecked`: only the thread accesses the peers; other threads queue `commands`, with the lock held.
package final class PollServer: @unchecked Sendable {
    /// Returns the replies to a call; if the last one continues, broadcasts follow.
    package typealias Handler = @Sendable (Call) -> [EncodedMessage]

    private final class Peer {
        let socket: StreamSocket
        var connection: ServerConnection
        var isGone = false

        init(_ socket: consuming StreamSocket, limits: Limits) {
            self.socket = socket
            connection = ServerConnection(limits: limits)
        }
    }

    /// A listening socket that is closed at a known time.
    private final class Listener {
        let socket: ListeningSocket

        init(_ socket: consuming ListeningSocket) {
            self.socket = socket
        }
    }

    private var listener: Listener?
    private let service: Service
    private let limits: Limits
    private let handler: Handler
    private let wake: WakeSignal
    private let lock = NSCondition()
    private var commands: [(PollServer) -> Void] = []
    private var isStopping = false
    private var hasStopped = false
    private var peers: [Peer] = []

    /// Listens at a path and starts the thread.
    package init(at path: String, service: Service, limits: Limits = Limits(), handler: @escaping Handler) throws {
        listener = Listener(try ListeningSocket.bind(to: path, mode: 0o600))
        self.service = service
        self.limits = limits
        self.handler = handler
        wake = try WakeSignal()
        Thread { self.run() }.start()
    }

    /// Serves interfaces, without an identity.
    package convenience init(
        at path: String, interfaces: [InterfaceDescription], handler: @escaping Handler = { _ in [] }
    ) throws {
        let identity = Service.Identity(vendor: "", product: "", version: "", url: "")
        try self.init(at: path, service: Service(identity, interfaces: interfaces), handler: handler)
    }

    /// Serves `org.orientationd.Orientation`.
    package static func orientation(at path: String, handler: @escaping Handler) throws -> PollServer {
        try PollServer(at: path, interfaces: [OrientationInterface.description], handler: handler)
    }

    /// Sends a message to every peer whose call has `more` and that is caught up.
    package func broadcast(_ message: EncodedMessage) {
        command { server in
            for peer in server.peers where peer.connection.callInProgress == .more && peer.connection.isCaughtUp {
                try? peer.connection.send(message)
            }
        }
    }

    /// Closes all connections; new ones are accepted.
    package func disconnectAll() {
        command { server in
            for peer in server.peers { peer.isGone = true }
        }
    }

    /// The number of connected peers.
    package var peerCount: Int {
        let count = Box(0)
        command { count.value = $0.peers.count }
        return count.value
    }

    /// Ends the thread and closes all sockets; another service may then listen at the path.
    package func stop() {
        lock.withLock { isStopping = true }
        wake.set()
        lock.withLock {
            while !hasStopped { lock.wait() }
        }
    }

    private final class Box<Value>: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    /// Runs `work` on the thread and waits for it.
    private func command(_ work: @escaping (PollServer) -> Void) {
        let done = Box(false)
        lock.withLock {
            commands.append { server in
                work(server)
                done.value = true
            }
        }
        wake.set()
        lock.withLock {
            while !done.value && !hasStopped { lock.wait() }
        }
    }
}

extension PollServer {
    private func run() {
        while !lock.withLock({ isStopping }) {
            wait()
            wake.clear()
            while let socket = try? listener?.socket.accept() {
                peers.append(Peer(socket, limits: limits))
            }
            for peer in peers { receive(peer) }
            lock.withLock {
                for command in commands { command(self) }
                commands = []
                lock.broadcast()
            }
            for peer in peers { advance(peer) }
            peers.removeAll { $0.isGone }
        }
        peers = []
        listener = nil
        lock.withLock {
            hasStopped = true
            lock.broadcast()
        }
    }

    private func wait() {
        var descriptors = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener?.socket.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        for peer in peers {
            let reads = peer.connection.readCapacity > 0 ? POLLIN : 0
            let writes = peer.connection.isCaughtUp ? 0 : POLLOUT
            descriptors.append(pollfd(fd: peer.socket.descriptor, events: Int16(reads | writes), revents: 0))
        }
        poll(&descriptors, nfds_t(descriptors.count), -1)
        for (peer, descriptor) in zip(peers, descriptors.dropFirst(2)) {
            if descriptor.revents & Int16(POLLHUP | POLLERR) != 0 { peer.isGone = true }
        }
    }

    private func receive(_ peer: Peer) {
        guard peer.connection.readCapacity > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        do {
            let received = try buffer.withUnsafeMutableBytes { try peer.connection.read(from: peer.socket, using: $0) }
            if received { peer.isGone = false }  // A peer that has disconnected may have sent calls before.
        } catch {
            peer.isGone = true
        }
    }

    private func advance(_ peer: Peer) {
        do {
            try peer.connection.write(to: peer.socket)
            while let call = peer.connection.nextCall() {
                try answer(call, peer)
                try peer.connection.write(to: peer.socket)
            }
        } catch {
            peer.isGone = true
        }
        if peer.connection.ending != nil { peer.isGone = true }
    }

    private func answer(_ call: Call, _ peer: Peer) throws {
        if let answer = service.answer(to: call) {
            try peer.connection.send(answer)
        } else {
            for reply in handler(call) { try peer.connection.send(reply) }
        }
    }
}
