// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// The folder for state that survives a restart.
nonisolated struct StateDirectory {
    private let path: String
    private static let lockFile = "rotation-lock"
    /// The largest valid file, in bytes.
    private static let longestFile = 256

    init(path: String) {
        self.path = path
    }

    /// Reads the stored lock. A damaged file is logged and replaced; without a file the lock is off.
    func readLock(log: Logger) -> RotationLock {
        let file = "\(path)/\(Self.lockFile)"
        guard let text = read(file) else {
            if errno != ENOENT { log.warning("cannot read \(file): \(String(cString: strerror(errno)))") }
            return .off
        }
        if let lock = RotationLock(text: text) { return lock }
        log.warning("\(file) is damaged; the rotation lock is off")
        do {
            try write(.off)
        } catch {
            log.warning("\(error)")
        }
        return .off
    }

    /// Stores the lock atomically: after a crash the file has either the old content or the new.
    func write(_ lock: RotationLock) throws(SystemError) {
        let file = "\(path)/\(Self.lockFile)"
        do {
            try replace(file, with: lock.text)
        } catch {
            guard error.code == ENOENT else { throw error }
            makeFolders()
            try replace(file, with: lock.text)
        }
    }

    /// Creates the folder and its missing parents. Errors are ignored: the write that follows reports them.
    private func makeFolders() {
        var parent = ""
        for name in path.split(separator: "/") {
            parent += parent.isEmpty && !path.hasPrefix("/") ? "\(name)" : "/\(name)"
            mkdir(parent, 0o700)
        }
    }

    private func read(_ file: String) -> String? {
        // Non-blocking: opening a FIFO would block.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longestFile + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return count > Self.longestFile ? "" : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func replace(_ file: String, with text: String) throws(SystemError) {
        let temporary = "\(file).new"
        // Never write to a file left by a crash or created by another user.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError(operation: "write \(file)", code: errno) }
        var code = fill(descriptor, with: text)
        close(descriptor)
        if code == 0, rename(temporary, file) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw SystemError(operation: "write \(file)", code: code)
        }
    }

    /// Writes the text; returns 0 or an errno. A short write means that the disk is full.
    private func fill(_ descriptor: Int32, with text: String) -> Int32 {
        let count = Glibc.write(descriptor, text, text.utf8.count)
        guard count == text.utf8.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
