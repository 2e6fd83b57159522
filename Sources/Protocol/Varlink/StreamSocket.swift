// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import Posix

/// A connected, non-blocking Unix stream socket. Owns its descriptor.
///
/// It accepts no file descriptors (`SCM_RIGHTS`) from its peer. Closing it never blocks.
public struct StreamSocket: ~Copyable, Sendable {
    /// The descriptor, for an event loop to watch; owned by this socket.
    public let descriptor: Int32
    private let inspection: Inspection

    /// Adopts a connected socket; sets `O_NONBLOCK` and `FD_CLOEXEC`.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``, after closing the descriptor.
    public init(adopting descriptor: Int32) throws(SocketError) {
        let guardian = DescriptorGuard.standard
        _ = guardian.mustInspect(descriptor, .adopted)
        self.init(owning: descriptor, .inspectShared(guardian))
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .current("set the flags of the socket") }
    }

    /// Adopts a socket that has the flags already.
    init(owning descriptor: Int32, _ inspection: Inspection) {
        self.descriptor = descriptor
        self.inspection = inspection
    }

    deinit {
        inspection.close(descriptor)
    }

    /// Connects to the service at a path, without blocking.
    ///
    /// - Throws: ``SocketError/notServed(path:)`` if no process listens, ``SocketError/busy(path:)`` if the backlog is
    ///   full, and others.
    public static func connect(to path: String) throws(SocketError) -> StreamSocket {
        try connect(to: path, guardian: .standard)
    }

    /// Connects as ``connect(to:)`` does, with the given guard.
    package static func connect(to path: String, guardian: DescriptorGuard) throws(SocketError) -> StreamSocket {
        let address = try SocketAddress(path: path)
        let descriptor = try SocketAddress.makeSocket().release()
        let socket = StreamSocket(
            owning: descriptor, guardian.mustInspect(descriptor, .new) ? .inspect(guardian) : .none)
        try address.connect(descriptor)
        return socket
    }

    /// Connects as ``connect(to:)`` does, for a library with a protocol of its own: the socket accepts passed file
    /// descriptors.
    package static func connectedDescriptor(to path: String) throws(SocketError) -> OwnedDescriptor {
        let address = try SocketAddress(path: path)
        let socket = try SocketAddress.makeSocket()
        try address.connect(socket.number)
        return socket
    }
}

extension StreamSocket {
    /// The result of ``StreamSocket/receive(into:)``.
    public enum Received: Hashable, Sendable {
        /// The number of bytes read into the buffer, at least 1.
        case bytes(Int)
        /// No bytes are available.
        case nothing
        /// End of file.
        case end
    }

    /// Reads the available bytes, at most the size of the buffer.
    ///
    /// - Throws: ``SocketError/peerGone``, ``SocketError/descriptorsPassed`` or
    ///   ``SocketError/failed(operation:errno:)``.
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
            default: throw .current("receive")
            }
        }
    }

    /// Writes as many bytes as the socket accepts; returns their number, 0 if the socket is full. Raises no SIGPIPE.
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

    /// Limits the bytes that the kernel buffers for the peer (`SO_SNDBUF`). The kernel doubles the number to cover its
    /// own structures, and adjusts it to its own limits.
    public borrowing func setSendBuffer(bytes: Int32) {
        var bytes = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The memory of the sent data that the peer has not read, in bytes (`SIOCOUTQ`). It includes the kernel's
    /// structures, some 700 bytes per write, and belongs to this process until the peer reads the data or closes its
    /// end, even if this end is closed.
    public var unreadByPeer: Int { cposix_unread_by_peer(descriptor) }

    /// Closes the sending direction; receiving remains possible.
    public borrowing func shutdownSending() {
        Glibc.shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes both directions. The peer can read the sent data, then end of file; its writes fail.
    public borrowing func shutdown() {
        Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

/// The credentials of a peer, recorded by the kernel when it connected (`SO_PEERCRED`).
public struct PeerCredentials: Hashable, Sendable {
    /// The process id, for messages only: it may have been reused. 0 for a process of another PID namespace.
    public let process: Int32
    /// The effective user.
    public let user: UInt32
    /// The effective group.
    public let group: UInt32
}

extension StreamSocket {
    /// Returns the credentials of the peer at the time of the connection.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``.
    public borrowing func peerCredentials() throws(SocketError) -> PeerCredentials {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        guard cposix_peer_credentials(descriptor, &process, &user, &group) == 0 else {
            throw .current("read the peer's credentials")
        }
        return PeerCredentials(process: process, user: user, group: group)
    }

    /// The number of supplementary groups above which none of them counts. 1024: accounts have tens; the kernel permits
    /// 65,536, with which any user could make a service copy 256 KiB for each query.
    public static let maximumGroups = 1024

    /// Returns whether a group was the group or a supplementary group of the peer at the time of the connection; false if
    /// the kernel has no answer.
    public borrowing func peerIsMember(of group: UInt32) -> Bool {
        if (try? peerCredentials())?.group == group { return true }
        return withUnsafeTemporaryAllocation(of: gid_t.self, capacity: Self.maximumGroups) { groups in
            var count = groups.count
            return cposix_peer_groups(descriptor, groups.baseAddress, &count) == 0 && groups[..<count].contains(group)
        }
    }
}
