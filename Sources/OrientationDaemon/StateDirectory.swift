// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

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
        do {
            try write(.open)
        } catch {
            log.warning("\(error)")
        }
        return .open
    }

    /// Keeps the lock, all or nothing: after a crash the file has either the old content or the new.
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

    private func replace(_ file: String, with text: String) throws(SystemError) {
        let temporary = "\(file).new"
        // What a crash left there, or somebody put there, is not written to.
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

    /// The errno where that failed. Where only a part was taken there was no room for the rest, which the kernel says only
    /// when it is asked again.
    private func fill(_ descriptor: Int32, with text: String) -> Int32 {
        let count = Glibc.write(descriptor, text, text.utf8.count)
        guard count == text.utf8.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}

/// Writes the rotation lock to the state directory on a thread of its own, since the disk may be slow, and appends
/// ``Event/lockStored(_:failure:)`` to the queue. Writes one at a time.
final class RotationLockWriter {
    private let directory: StateDirectory?
    private let loop: EventLoop
    private let queue: EventQueue
    private var call: BackgroundCall<SystemError?>?

    /// Writes to `directory`; nil: nothing is ever written.
    init(directory: StateDirectory?, loop: EventLoop, queue: EventQueue) {
        self.directory = directory
        self.loop = loop
        self.queue = queue
    }

    func write(_ lock: RotationLock) {
        guard let directory else { return }
        do throws(SystemError) {
            call = try BackgroundCall(on: loop) {
                do throws(SystemError) {
                    try directory.write(lock)
                    return nil
                } catch {
                    return error
                }
            } done: { [unowned self] error in
                call = nil
                queue.append(.lockStored(lock, failure: error?.description))
            }
        } catch {
            queue.append(.lockStored(lock, failure: error.description))
        }
    }
}
