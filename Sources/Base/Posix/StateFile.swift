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

    /// Returns the text, empty if the file is too long.
    ///
    /// - Throws: ``Errno``: EPERM for a file of a user other than this one and root.
    package func read() throws(Errno) -> String {
        let file = try SmallFile.open(path, flags: O_NOFOLLOW, owners: [0, geteuid()])
        let bytes = try file.read(atMost: longest + 1)
        return bytes.count > longest ? "" : String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces the text; creates missing folders. Unless `isDurable`, a power failure can lose the text.
    package func replace(with text: String, isDurable: Bool = true) throws(Errno) {
        do throws(Errno) {
            try write(text, isDurable: isDurable)
        } catch {
            guard error.code == ENOENT else { throw error }
            makeFolders()
            try write(text, isDurable: isDurable)
        }
    }

    /// Whether there is a file; true if that is unknown.
    package var exists: Bool { access(path, F_OK) == 0 || !Errno.current.isAbsence }

    package func remove() { unlink(path) }

    /// Creates the folder and its missing parents. Errors are ignored: the write that follows reports them.
    private func makeFolders() {
        var parent = ""
        for name in path.split(separator: "/").dropLast() {
            parent += parent.isEmpty && !path.hasPrefix("/") ? "\(name)" : "/\(name)"
            mkdir(parent, 0o700)
        }
    }

    private func write(_ text: String, isDurable: Bool) throws(Errno) {
        let draft = "\(path).new"
        // Never write to a file left by a crash or created by another user.
        unlink(draft)
        let file = try OwnedDescriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        do throws(Errno) {
            try file.write(Array(text.utf8))
            guard !isDurable || fsync(file.number) == 0, rename(draft, path) == 0 else { throw .current }
        } catch {
            unlink(draft)
            throw error
        }
    }
}
