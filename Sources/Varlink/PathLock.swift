// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Keeps others who bind sockets in this way from a path while one of them does: to look whether the socket there is
/// stale, to remove it and to bind another are three steps, between which somebody else could take the path.
///
/// The lock is the kernel's, on a file beside the path, and ends with its process; the file goes with it. It
/// can be opened by its owner alone, so that no other user can keep a service from starting.
struct PathLock: ~Copyable {
    private let file: String
    private let descriptor: Int32

    /// Takes the lock, without waiting.
    ///
    /// - Throws: ``SocketError/alreadyServed(path:)`` while another has it.
    init(_ path: String) throws(SocketError) {
        file = path + ".lock"
        descriptor = try Self.take(file, for: path)
    }

    deinit {
        // First the file: whoever opened it meanwhile finds that it is not there any more, and makes another.
        unlink(file)
        close(descriptor)
    }

    private static func take(_ file: String, for path: String) throws(SocketError) -> Int32 {
        while true {
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw .current("bind to \(path): make \(file)") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = errno == EWOULDBLOCK ? SocketError.alreadyServed(path: path) : .current("lock \(file)")
                close(descriptor)
                throw error
            }
            if isSame(descriptor, file) { return descriptor }
            // It was the lock of one who has just released it.
            close(descriptor)
        }
    }

    private static func isSame(_ descriptor: Int32, _ file: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(file, &named) == 0 && opened.st_dev == named.st_dev
            && opened.st_ino == named.st_ino
    }
}
