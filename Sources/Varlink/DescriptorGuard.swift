// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// Keeps the file descriptors that a peer passes (`SCM_RIGHTS`) out of this process.
///
/// Varlink needs none, and dropping one can block its receiver; see ``SocketCloser``. Since Linux 6.16 the kernel refuses them
/// where the socket asks for that (`SO_PASSRIGHTS`). On an older kernel, and on a connection that was queued before its
/// listener asked, they can wait on the socket. There every read looks first (`MSG_PEEK`), which neither opens nor drops a
/// descriptor: a connection that has one is never read from again, and is closed on a helper thread.
package final class DescriptorGuard: Sendable {
    /// The guard of every socket outside tests.
    package static let standard = DescriptorGuard()

    /// Where a socket comes from, as far as it says what may wait on it.
    enum Origin {
        /// Made here, and not connected yet.
        case new
        /// Accepted here: it has had the listener's setting since it was connected.
        case accepted
        /// Made elsewhere, perhaps shared with other processes.
        case adopted
    }

    private let usesKernelOption: Bool
    package let closer: SocketCloser

    /// - Parameters:
    ///   - usesKernelOption: false behaves as on a kernel without `SO_PASSRIGHTS`.
    ///   - closer: closes the sockets that may hold descriptors.
    package init(usesKernelOption: Bool = true, closer: SocketCloser = .shared) {
        self.usesKernelOption = usesKernelOption
        self.closer = closer
    }

    /// Refuses descriptors on a socket as far as the kernel can; whether some may wait on it all the same.
    func mustInspect(_ descriptor: Int32, _ origin: Origin) -> Bool {
        if usesKernelOption {
            if origin == .accepted, cposix_refuses_descriptors(descriptor) == 1 { return false }
            if cposix_refuse_descriptors(descriptor) == 0, origin == .new { return false }
        }
        // An out-of-band byte can carry descriptors, and is dropped unseen with them unless it is part of the stream.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_OOBINLINE, &on, socklen_t(MemoryLayout<Int32>.size))
        return true
    }

    /// Closes a connected socket: at once where no descriptor waits on it, else on a helper thread. The peer sees the end
    /// at once in both cases.
    func close(_ descriptor: Int32) {
        // Nothing can be sent to it from here on: what is not there now never will be.
        shutdown(descriptor, Int32(SHUT_RDWR))
        let isEmpty = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            var hasDescriptors: Int32 = 0
            let count = cposix_peek(descriptor, buffer.baseAddress, buffer.count, &hasDescriptors)
            return count < buffer.count && hasDescriptors == 0
        }
        if isEmpty { Glibc.close(descriptor) } else { closeElsewhere(descriptor) }
    }

    /// Closes any socket on a helper thread.
    func closeElsewhere(_ descriptor: Int32) {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        if cposix_peer_credentials(descriptor, &process, &user, &group) != 0 { user = geteuid() }
        closer.close(descriptor, of: user)
    }
}

/// What has to be done with a socket so that no descriptor passed by its peer is dropped on the caller's thread.
enum Inspection {
    /// None can wait on it: nothing.
    case none
    /// Look before each read and before closing.
    case inspect(DescriptorGuard)
    /// As above, but others may use the same socket: it is not shut down.
    case inspectShared(DescriptorGuard)

    /// Closes a socket.
    func close(_ descriptor: Int32) {
        switch self {
        case .none: Glibc.close(descriptor)
        case .inspect(let guardian): guardian.close(descriptor)
        case .inspectShared(let guardian): guardian.closeElsewhere(descriptor)
        }
    }

    /// Reads what is there: as `recv` does, which is at most what a look found to be free of descriptors.
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
