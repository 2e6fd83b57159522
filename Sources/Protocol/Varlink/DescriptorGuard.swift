// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// Keeps the file descriptors that a peer passes (`SCM_RIGHTS`) out of this process.
///
/// Varlink uses none, and closing one can block the receiver; see ``SocketCloser``. Since Linux 6.16 the kernel rejects
/// them on sockets that clear `SO_PASSRIGHTS`. On an older kernel, and on a connection that was queued before its
/// listener cleared the option, they can be queued on the socket. Each read of such a socket is preceded by a
/// `MSG_PEEK`, which neither opens nor drops a descriptor. A connection with a queued descriptor is not read again, and
/// is closed on a helper thread.
package final class DescriptorGuard: Sendable {
    /// The guard of every socket outside tests.
    package static let standard = DescriptorGuard()

    /// The origin of a socket: determines whether descriptors may be queued on it.
    enum Origin {
        /// Created here, and not connected yet.
        case new
        /// Accepted here: the connection inherited the listener's option.
        case accepted
        /// Created by another process, and possibly shared with it.
        case adopted
    }

    private let usesKernelOption: Bool
    package let closer: SocketCloser

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - usesKernelOption: false behaves as on a kernel without `SO_PASSRIGHTS`.
    ///   - closer: closes the sockets that may hold descriptors.
    package init(usesKernelOption: Bool = true, closer: SocketCloser = .shared) {
        self.usesKernelOption = usesKernelOption
        self.closer = closer
    }

    /// Makes the kernel reject descriptors if it can; returns whether some may still be queued on the socket.
    func mustInspect(_ descriptor: Int32, _ origin: Origin) -> Bool {
        if usesKernelOption {
            if origin == .accepted, cposix_refuses_descriptors(descriptor) == 1 { return false }
            if cposix_refuse_descriptors(descriptor) == 0, origin == .new { return false }
        }
        // An out-of-band byte can carry descriptors. Without SO_OOBINLINE the kernel drops both without reporting it.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_OOBINLINE, &on, socklen_t(MemoryLayout<Int32>.size))
        return true
    }

    /// Closes a connected socket: immediately if no descriptor is queued on it, otherwise on a helper thread. The peer
    /// reads end of file immediately in both cases.
    func close(_ descriptor: Int32) {
        // The peer can send nothing after this: the check below is final.
        shutdown(descriptor, Int32(SHUT_RDWR))
        let isEmpty = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            var hasDescriptors: Int32 = 0
            let count = cposix_peek(descriptor, buffer.baseAddress, buffer.count, &hasDescriptors)
            return count < buffer.count && hasDescriptors == 0
        }
        if isEmpty { Glibc.close(descriptor) } else { closeElsewhere(descriptor) }
    }

    /// Closes a socket on a helper thread.
    func closeElsewhere(_ descriptor: Int32) {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        if cposix_peer_credentials(descriptor, &process, &user, &group) != 0 { user = geteuid() }
        closer.close(descriptor, of: user)
    }
}

/// How a socket is read and closed: no passed descriptor is dropped on the caller's thread.
enum Inspection {
    /// Without checks: no descriptor can be queued.
    case none
    /// With a check before each read and before closing.
    case inspect(DescriptorGuard)
    /// As ``inspect(_:)``, but without `shutdown`: other processes may use the same socket.
    case inspectShared(DescriptorGuard)

    func close(_ descriptor: Int32) {
        switch self {
        case .none: Glibc.close(descriptor)
        case .inspect(let guardian): guardian.close(descriptor)
        case .inspectShared(let guardian): guardian.closeElsewhere(descriptor)
        }
    }

    /// Receives as `recv` does, but at most the bytes before a queued descriptor.
    ///
    /// - Throws: ``SocketError/descriptorsPassed``.
    func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SocketError) -> Int {
        guard case .none = self else {
            var hasDescriptors: Int32 = 0
            let count = cposix_peek(descriptor, buffer.baseAddress, buffer.count, &hasDescriptors)
            if hasDescriptors != 0 { throw .descriptorsPassed }
            return count > 0 ? recv(descriptor, buffer.baseAddress, count, 0) : count
        }
        return recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }
}
