// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A Unix socket that accepts connections: the only owner of its descriptor, never blocking.
///
/// One that was bound here also owns the file, and removes it when it goes; one that was passed in, by systemd for
/// example, does not.
public struct ListeningSocket: ~Copyable, Sendable {
    /// The descriptor, for a loop to watch; it stays this socket's own.
    public let descriptor: Int32
    private let file: BoundFile?
    private let guardian: DescriptorGuard
    /// Whether descriptors may have been passed on a connection that waits to be accepted.
    private let mustInspect: Bool

    /// Takes over a listening socket that somebody else made, and makes it non-blocking and not inherited by children.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``; the descriptor is closed then.
    public init(adopting descriptor: Int32) throws(SocketError) {
        self.init(owning: descriptor, file: nil, guardian: .standard, origin: .adopted)
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .current("fcntl") }
    }

    private init(
        owning descriptor: Int32, file: BoundFile?, guardian: DescriptorGuard, origin: DescriptorGuard.Origin
    ) {
        self.descriptor = descriptor
        self.file = file
        self.guardian = guardian
        mustInspect = guardian.mustInspect(descriptor, origin)
    }

    deinit {
        file?.remove()
        if mustInspect { guardian.closeElsewhere(descriptor) } else { close(descriptor) }
    }

    /// Listens at a path. A socket that a dead process left there is replaced; a served one, and any other file, is left
    /// alone. Of several that try at the same time one succeeds.
    ///
    /// The umask does not apply to the file. Where the process may not call `unshare`, the umask of all its threads is 0 for
    /// the length of the call.
    ///
    /// - Parameters:
    ///   - path: where; its directory must exist, and only this user or root may write to it, unless it has the sticky bit.
    ///   - mode: the file's permissions, for example 0o666 for every local user. The file has them from the start.
    ///   - limits: how many connections may wait to be accepted.
    /// - Returns: the socket; the file goes when it goes.
    /// - Throws: ``SocketError/alreadyServed(path:)``, ``SocketError/pathTaken(path:)``,
    ///   ``SocketError/folderWritable(folder:)``, and others.
    public static func bind(
        to path: String, mode: UInt32, limits: Limits = Limits()
    ) throws(SocketError) -> ListeningSocket {
        try bind(to: path, mode: mode, limits: limits, guardian: .standard)
    }

    /// Listens as ``bind(to:mode:limits:)`` does, with a guard of the caller's choice.
    package static func bind(
        to path: String, mode: UInt32, limits: Limits = Limits(), guardian: DescriptorGuard
    ) throws(SocketError) -> ListeningSocket {
        let address = try SocketAddress(path: path)
        try requireOwnFolder(of: path)
        // Until it listens nobody can tell it from a stale one: whoever else wants the path keeps away so long.
        let lock = try PathLock(path)
        defer { withExtendedLifetime(lock) {} }
        let descriptor = try SocketAddress.makeSocket()
        do throws(SocketError) {
            // The file takes its mode from the socket: setting it by name afterwards could hit another file.
            guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .current("set the mode of \(path)") }
            try bind(descriptor, to: address, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        let socket = ListeningSocket(
            owning: descriptor, file: BoundFile(path: path), guardian: guardian, origin: .new)
        guard listen(descriptor, limits.waitingConnections) == 0 else { throw .current("listen at \(path)") }
        return socket
    }

    /// Refuses a folder in which another user could replace the socket.
    private static func requireOwnFolder(of path: String) throws(SocketError) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        // Binding reports a folder that is not there.
        guard stat(folder, &status) == 0 else { return }
        let isShared = status.st_mode & (S_IWGRP | S_IWOTH) != 0 && status.st_mode & S_ISVTX == 0
        guard !isShared, status.st_uid == 0 || status.st_uid == geteuid() else {
            throw .folderWritable(folder: folder)
        }
    }

    private static func bind(_ descriptor: Int32, to address: SocketAddress, path: String) throws(SocketError) {
        if address.with({ cposix_bind_without_umask(descriptor, $0, $1) }) == 0 { return }
        guard errno == EADDRINUSE else { throw .current("bind to \(path)") }
        try removeStale(path)
        guard address.with({ cposix_bind_without_umask(descriptor, $0, $1) }) == 0 else {
            throw .current("bind to \(path)")
        }
    }

    private static func removeStale(_ path: String) throws(SocketError) {
        do {
            _ = try StreamSocket.connect(to: path)
        } catch .notServed {
            var status = stat()
            // It may have been removed meanwhile, which binding finds out.
            guard lstat(path, &status) == 0 else { return }
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathTaken(path: path) }
            guard unlink(path) == 0 else { throw .current("remove the stale socket \(path)") }
            return
        } catch .busy {
            throw .alreadyServed(path: path)
        }
        throw .alreadyServed(path: path)
    }

    /// The next connection that waits; nil when there is none.
    ///
    /// - Throws: ``SocketError/outOfDescriptors``: the connection goes on waiting, so stop watching this socket until a
    ///   descriptor is free; or ``SocketError/failed(operation:errno:)``.
    public borrowing func accept() throws(SocketError) -> StreamSocket? {
        while true {
            let accepted = cposix_accept_nonblocking(descriptor)
            if accepted >= 0 {
                return StreamSocket(
                    owning: accepted, guardian.mustInspect(accepted, .accepted) ? .inspect(guardian) : .none)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default: throw .current("accept")
            }
        }
    }
}

/// A socket's file, known by what it is and not only by its name, so that the file of a successor is never removed.
private struct BoundFile {
    let path: String
    private let device: UInt
    private let inode: UInt

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    func remove() {
        guard let there = BoundFile(path: path), there.device == device, there.inode == inode else { return }
        unlink(path)
    }
}
