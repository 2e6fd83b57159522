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

    /// Keeps the lock, all or nothing: after a crash the file has either the old content or the new.
    func write(_ lock: RotationLock, log: Logger) {
        let file = "\(path)/\(Self.lockFile)"
        _ = mkdir(path, 0o700)
        if replace(file, with: lock.text) { return }
        log.warning(
            "the rotation lock will not outlast a restart: \(file) cannot be written: \(String(cString: strerror(errno)))"
        )
    }

    private func read(_ file: String) -> String? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longestFile + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func replace(_ file: String, with text: String) -> Bool {
        let temporary = "\(file).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
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
