// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix
internal import Systemd

/// The folder for state that survives a restart.
struct StateDirectory {
    private let path: String
    private static let lockFile = "rotation-lock"
    /// The largest valid file, in bytes.
    private static let longestFile = 256

    init(path: String) {
        self.path = path
    }

    private var lockPath: String { "\(path)/\(Self.lockFile)" }

    private var file: StateFile { StateFile(path: lockPath, longest: Self.longestFile) }

    /// Reads the stored lock. A damaged file is logged and replaced; without a file the lock is off.
    func readLock(log: Logger) -> RotationLock {
        let text: String
        do throws(Errno) { text = try file.read() } catch {
            if error.code != ENOENT { log.warning("\(lockPath): cannot read: \(error)") }
            return .off
        }
        if let lock = RotationLock(text: text) { return lock }
        log.warning("\(lockPath): invalid content; the rotation lock is off")
        do {
            try write(.off)
        } catch {
            log.warning("\(error)")
        }
        return .off
    }

    /// Stores the lock atomically: after a crash the file has either the old content or the new.
    func write(_ lock: RotationLock) throws(SystemError) {
        do throws(Errno) { try file.replace(with: lock.text) } catch {
            // On a full disk. Without a file the lock is off.
            if lock == .off, unlink(lockPath) == 0 || errno == ENOENT { return }
            throw SystemError(operation: "write \(lockPath)", code: error.code)
        }
    }
}
