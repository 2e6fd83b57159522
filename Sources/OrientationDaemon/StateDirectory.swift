// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging

/// The folder with what survives a restart.
nonisolated struct StateDirectory {
    private let path: String
    private static let lockFile = "rotation-lock"
    /// No file of ours is longer, in bytes; what is, is damaged.
    private static let longestFile = 256

    init(path: String) {
        self.path = path
    }

    /// The lock as it was kept. A damaged file is reported and replaced; without a file the lock is open.
    func readLock(log: Logger) -> RotationLock {
        let file = "\(path)/\(Self.lockFile)"
        guard let text = read(file) else {
            if errno != ENOENT { log.warning("\(file) cannot be read: \(String(cString: strerror(errno)))") }
            return .open
        }
        if let lock = RotationLock(text: text) { return lock }
        log.warning("\(file) is damaged; the rotation lock is open")
        write(.open, log: log)
        return .open
    }

    /// Keeps the lock, all or nothing: after a crash the file has either the old content or the new. Says whether it is
    /// kept.
    @discardableResult func write(_ lock: RotationLock, log: Logger) -> Bool {
        let file = "\(path)/\(Self.lockFile)"
        if replace(file, with: lock.text) { return true }
        if errno == ENOENT {
            makeFolders()
            if replace(file, with: lock.text) { return true }
        }
        log.warning(
            "the rotation lock will not outlast a restart: \(file) cannot be written: \(String(cString: strerror(errno)))"
        )
        return false
    }

    /// Makes the folder and those above it, where they are not there; writing tells what is wrong with them otherwise.
    private func makeFolders() {
        var parent = ""
        for name in path.split(separator: "/") {
            parent += parent.isEmpty && !path.hasPrefix("/") ? "\(name)" : "/\(name)"
            mkdir(parent, 0o700)
        }
    }

    private func read(_ file: String) -> String? {
        // Not blocking: what is in the place of our file could be a pipe.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longestFile + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return count > Self.longestFile ? "" : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func replace(_ file: String, with text: String) -> Bool {
        let temporary = "\(file).new"
        // What a crash left there, or somebody put there, is not written to.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let count = text.utf8.count
        let isWritten = Glibc.write(descriptor, text, count) == count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(temporary, file) == 0 else {
            let code = errno
            unlink(temporary)
            errno = code
            return false
        }
        return true
    }
}
