// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A small text file in the state directory, replaced atomically: after a crash it has either the old content or the
/// new.
package struct StateFile: Sendable {
    private let path: String
    /// The largest valid file, in bytes.
    private let longest: Int

    package init(path: String, longest: Int) {
        self.path = path
        self.longest = longest
    }

    /// Returns the text, empty if the file is too long; nil if the file cannot be read, with the reason in `errno`. EPERM
    /// if it is not a regular file of this user or of root.
    package func read() -> String? {
        // Non-blocking: opening a FIFO would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, [0, geteuid()].contains(status.st_uid) else {
            errno = EPERM
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return count > longest ? "" : String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Replaces the text; creates missing folders. Returns 0 or an errno. Unless `isDurable`, a power failure can lose
    /// the text.
    package func replace(with text: String, isDurable: Bool = true) -> Int32 {
        let code = write(text, isDurable: isDurable)
        guard code == ENOENT else { return code }
        makeFolders()
        return write(text, isDurable: isDurable)
    }

    /// Whether there is a file.
    package var exists: Bool { access(path, F_OK) == 0 }

    /// Removes the file, if there is one.
    package func remove() { unlink(path) }

    /// Creates the folder and its missing parents. Errors are ignored: the write that follows reports them.
    private func makeFolders() {
        var parent = ""
        for name in path.split(separator: "/").dropLast() {
            parent += parent.isEmpty && !path.hasPrefix("/") ? "\(name)" : "/\(name)"
            mkdir(parent, 0o700)
        }
    }

    private func write(_ text: String, isDurable: Bool) -> Int32 {
        let draft = "\(path).new"
        // Never write to a file left by a crash or created by another user.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        var code = fill(descriptor, with: text)
        if code == 0, isDurable, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(draft, path) != 0 { code = errno }
        if code != 0 { unlink(draft) }
        return code
    }

    /// Writes the text; returns 0 or an errno. A short write means that the disk is full.
    private func fill(_ descriptor: Int32, with text: String) -> Int32 {
        let count = Glibc.write(descriptor, text, text.utf8.count)
        guard count == text.utf8.count else { return count < 0 ? errno : ENOSPC }
        return 0
    }
}
