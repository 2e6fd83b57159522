// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// One end of a connected Unix socket: the only owner of its descriptor, never blocking.
///
/// It takes no file descriptors (`SCM_RIGHTS`) from its peer. Closing it never waits.
public struct StreamSocket: ~Copyable, Sendable {
    /// The descriptor, for a loop to watch; it stays this socket's own.
    public let descriptor: Int32
    private let inspection: Inspection

    /// Takes over a connected socket, and makes it non-blocking and not inherited by children.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``; the descriptor is closed then.
    public init(adopting descriptor: Int32) throws(SocketError) {
        let guardian = DescriptorGuard.standard
        _ = guardian.mustInspect(descriptor, .adopted)
        self.init(owning: descriptor, .inspectShared(guardian))
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .current("fcntl") }
    }

    /// Takes over a socket that is as it should be.
    init(owning descriptor: Int32, _ inspection: Inspection) {
        self.descriptor = descriptor
        self.inspection = inspection
    }

    deinit {
        inspection.close(descriptor)
    }

    /// Connects to the service at a path, without waiting.
    ///
    /// - Throws: ``SocketError/notServed(path:)`` where nobody listens, ``SocketError/busy(path:)`` where the service does
    ///   not accept fast enough, and others.
    public static func connect(to path: String) throws(SocketError) -> StreamSocket {
        try connect(to: path, guardian: .standard)
    }

    /// Connects as ``connect(to:)`` does, with a guard of the caller's choice.
    package static func connect(to path: String, guardian: DescriptorGuard) throws(SocketError) -> StreamSocket {
        let address = try SocketAddress(path: path)
        let descriptor = try SocketAddress.makeSocket()
        let socket = StreamSocket(
            owning: descriptor, guardian.mustInspect(descriptor, .new) ? .inspect(guardian) : .none)
        guard address.with({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .notServed(path: path)
            case EAGAIN: throw .busy(path: path)
            default: throw .current("connect to \(path)")
            }
        }
        return socket
    }

    /// Two sockets that are connected to each other.
    ///
    /// - Throws: ``SocketError/outOfDescriptors`` or ``SocketError/failed(operation:errno:)``.
    public static func pair() throws(SocketError) -> SocketPair {
        var descriptors: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else { throw .current("socketpair") }
        let guardian = DescriptorGuard.standard
        let inspections = descriptors.map { descriptor in
            guardian.mustInspect(descriptor, .new) ? Inspection.inspectShared(guardian) : .none
        }
        return SocketPair(
            one: StreamSocket(owning: descriptors[0], inspections[0]),
            other: StreamSocket(owning: descriptors[1], inspections[1]))
    }
}

/// Two ends of one connection.
public struct SocketPair: ~Copyable, Sendable {
    /// One end.
    public let one: StreamSocket
    /// The other end.
    public let other: StreamSocket
}

extension StreamSocket {
    /// What came of reading.
    public enum Received: Hashable, Sendable {
        /// So many bytes, at least 1, are at the beginning of the buffer.
        case bytes(Int)
        /// Nothing is there at the moment.
        case nothing
        /// The peer sends nothing more.
        case end
    }

    /// Reads what is there, at most as much as the buffer holds.
    ///
    /// - Throws: ``SocketError/peerGone``, ``SocketError/descriptorsPassed`` or ``SocketError/failed(operation:errno:)``.
    public borrowing func receive(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SocketError) -> Received {
        guard buffer.count > 0 else { return .nothing }
        while true {
            let count = try inspection.receive(descriptor, into: buffer)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: throw .current("recv")
            }
        }
    }

    /// Writes as much as the socket takes: how many bytes, 0 when there is no room at the moment. Never a signal.
    ///
    /// - Throws: ``SocketError/peerGone`` or ``SocketError/failed(operation:errno:)``.
    public borrowing func send(_ bytes: UnsafeRawBufferPointer) throws(SocketError) -> Int {
        guard bytes.count > 0 else { return 0 }
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return 0
            default: throw .current("send")
            }
        }
    }

    /// Limits how much the kernel holds of what the peer has not read (`SO_SNDBUF`). The kernel doubles the number to cover
    /// its own structures, and adjusts it to its own limits.
    public borrowing func setSendBuffer(bytes: Int32) {
        var bytes = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Tells the peer that nothing more will be sent; reading goes on.
    public borrowing func shutdownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
