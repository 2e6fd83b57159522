// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// A lock on a socket path, held while a process binds there.
///
/// Checking for a stale socket, removing it and binding are three steps; the lock keeps another process from taking the
/// path in between. It is an `flock` on the file `PATH.lock`, which the kernel releases when the process ends. The file
/// has mode 0600: no other user can block the start of a service.
struct PathLock: ~Copyable {
    private let file: String
    private let descriptor: OwnedDescriptor

    /// Takes the lock without waiting.
    ///
    /// - Throws: ``SocketError/alreadyServed(path:)`` while another process holds it.
    init(_ path: String) throws(SocketError) {
        // Swift 6.2 crashes on a field that is assigned before an error.
        let file = path + ".lock"
        let descriptor = try Self.take(file, for: path)
        self.file = file
        self.descriptor = descriptor
    }

    deinit {
        // Unlink before unlocking: a process that has the file open detects that it was removed, and creates another.
        unlink(file)
    }

    private static func take(_ file: String, for path: String) throws(SocketError) -> OwnedDescriptor {
        while true {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW
            let descriptor: OwnedDescriptor
            do throws(Errno) { descriptor = try SmallFile.open(file, flags: flags, mode: 0o600) } catch {
                throw SocketError(error, "create the lock file \(file)")
            }
            guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? .alreadyServed(path: path) : .current("lock \(file)")
            }
            // Otherwise the previous holder has removed this file.
            if isSame(descriptor.number, file) { return descriptor }
        }
    }

    private static func isSame(_ descriptor: Int32, _ file: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(file, &named) == 0 && opened.st_dev == named.st_dev
            && opened.st_ino == named.st_ino
    }
}
