// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// One end of a connected Unix socket: the only owner of its descriptor, never blocking.
public struct StreamSocket: ~Copyable, Sendable {
    /// The descriptor, for a loop to watch; it stays this socket's own.
    public let descriptor: Int32

    /// Takes over a connected socket, and makes it non-blocking and not inherited by children.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``; the descriptor is closed then.
    public init(adopting descriptor: Int32) throws(SocketError) {
        self.init(owning: descriptor)
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .current("fcntl") }
    }

    /// Takes over a socket that is as it should be.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects to the service at a path, without waiting.
    ///
    /// - Throws: ``SocketError/notServed(path:)`` where nobody listens, ``SocketError/busy(path:)`` where the service does
    ///   not accept fast enough, and others.
    public static func connect(to path: String) throws(SocketError) -> StreamSocket {
        let address = try SocketAddress(path: path)
        let socket = StreamSocket(owning: try SocketAddress.makeSocket())
        let descriptor = socket.descriptor
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
        return SocketPair(
            one: StreamSocket(owning: descriptors[0]), other: StreamSocket(owning: descriptors[1]))
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
    /// - Throws: ``SocketError/peerGone`` or ``SocketError/failed(operation:errno:)``.
    public borrowing func receive(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SocketError) -> Received {
        guard buffer.count > 0 else { return .nothing }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
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

    /// Tells the peer that nothing more will be sent; reading goes on.
    public borrowing func shutdownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
