// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Posix

/// A non-blocking Unix socket that accepts connections. Owns its descriptor.
///
///     let listener = try ListeningSocket.bind(to: "/run/example.sock", mode: 0o666)
///     while let socket = try listener.accept() { … }
///
/// A socket bound by ``bind(to:mode:limits:)`` also owns its file and removes it in `deinit`; an adopted one does not.
public struct ListeningSocket: ~Copyable, Sendable {
    /// The descriptor, for an event loop to watch; owned by this socket.
    public let descriptor: Int32
    private let file: BoundFile?
    private let guardian: DescriptorGuard
    /// Whether connections in the backlog may hold passed descriptors.
    private let mustInspect: Bool

    /// Adopts a listening socket, for example from systemd; sets `O_NONBLOCK` and `FD_CLOEXEC`.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``, after closing the descriptor.
    public init(adopting descriptor: Int32) throws(SocketError) {
        self.init(owning: descriptor, file: nil, guardian: .standard, origin: .adopted)
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .current("set the flags of the socket") }
    }

    /// Whether this socket created its file; false for an adopted one.
    public var ownsFile: Bool { file != nil }

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

    /// Listens at a path. Replaces a stale socket, but no socket in use and no other file. If several processes try at
    /// the same time, one succeeds.
    ///
    /// The umask does not apply to the file. If the process must not call `unshare`, the umask of all its threads is 0
    /// during the call.
    ///
    /// - Parameters:
    ///   - path: the path of the socket; its folder must exist, and must be writable only by this user or root, or have
    ///     the sticky bit.
    ///   - mode: the permissions of the file, for example 0o666 for every local user; set before the file appears.
    ///   - limits: ``Limits/waitingConnections`` sets the backlog.
    /// - Returns: the socket, which removes its file in `deinit`.
    /// - Throws: ``SocketError/alreadyServed(path:)``, ``SocketError/pathTaken(path:)``,
    ///   ``SocketError/folderWritable(folder:)``, and others.
    public static func bind(
        to path: String, mode: UInt32, limits: Limits = Limits()
    ) throws(SocketError) -> ListeningSocket {
        try bind(to: path, mode: mode, limits: limits, guardian: .standard)
    }

    /// Listens as ``bind(to:mode:limits:)`` does, with the given guard.
    package static func bind(
        to path: String, mode: UInt32, limits: Limits = Limits(), guardian: DescriptorGuard
    ) throws(SocketError) -> ListeningSocket {
        let address = try SocketAddress(path: path)
        try requireOwnFolder(of: path)
        // Between bind and listen the socket looks stale to other processes: the lock keeps them from removing it.
        let lock = try PathLock(path)
        defer { withExtendedLifetime(lock) {} }
        let bound = try SocketAddress.makeSocket()
        // bind creates the file with the mode of the socket: a later chmod by path could change another file.
        guard fchmod(bound.number, mode_t(mode)) == 0 else { throw .current("set the mode of \(path)") }
        try bind(bound.number, to: address, path: path)
        let socket = ListeningSocket(
            owning: bound.release(), file: BoundFile(path: path), guardian: guardian, origin: .new)
        guard listen(socket.descriptor, limits.waitingConnections) == 0 else { throw .current("listen at \(path)") }
        return socket
    }

    /// Throws if another user could replace the socket in its folder.
    private static func requireOwnFolder(of path: String) throws(SocketError) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .current("open the folder of \(path)") }
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
            // If the file was removed meanwhile, bind succeeds.
            guard lstat(path, &status) == 0 else { return }
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathTaken(path: path) }
            guard unlink(path) == 0 else { throw .current("remove the stale socket \(path)") }
            return
        } catch .busy {
            throw .alreadyServed(path: path)
        }
        throw .alreadyServed(path: path)
    }

    /// Accepts the next connection; nil if the backlog is empty.
    ///
    /// - Throws: ``SocketError/outOfDescriptors``: the connection stays in the backlog, so stop watching this socket
    ///   until a descriptor is free; or ``SocketError/failed(operation:errno:)``.
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
            default: throw .current("accept a connection")
            }
        }
    }
}

/// The file of a bound socket, identified by device and inode: the file of a later process is never removed.
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
        guard let current = BoundFile(path: path), current.device == device, current.inode == inode else { return }
        unlink(path)
    }
}
