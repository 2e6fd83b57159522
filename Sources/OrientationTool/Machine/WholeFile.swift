// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that is written whole or not at all: as a draft beside it, which is renamed when it is complete.
struct WholeFile {
    let path: String
    /// Whether a file that is there may be replaced.
    var mayReplace = true
    /// Whether the draft is synchronized to the disk first, for what has to survive a power failure.
    var isSynchronized = false

    /// Fails where writing would, before the work begins.
    ///
    /// - Parameter allowsDevices: pipes and devices are written to as they are.
    /// - Throws: ``Failure``.
    func check(allowsDevices: Bool = false) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let place = path.contains("/") ? folder.isEmpty ? "/" : folder : "."
            guard access(place, W_OK | X_OK) == 0 else { throw Failure.system("\(path): cannot write") }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            guard allowsDevices, status.st_mode & S_IFMT != S_IFDIR else {
                throw Failure("\(path): cannot write: not a regular file")
            }
            return
        }
        guard mayReplace else { throw Failure("\(path): file exists; --overwrite replaces it") }
    }

    /// Writes a text.
    func write(_ text: String) throws {
        try make { draft in
            let output = try TextOutput(draft: draft, of: path)
            output.add(text)
            try output.flush()
            if isSynchronized { try output.synchronize() }
        }
    }

    /// Renames the draft that `fill` writes.
    func make(_ fill: (_ draft: String) throws -> Void) throws {
        // The process id keeps two runs apart.
        let draft = "\(path).\(getpid()).part"
        do {
            try fill(draft)
            try place(draft)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Without ``mayReplace`` a file that another process made meanwhile is kept.
    private func place(_ draft: String) throws {
        if mayReplace {
            guard rename(draft, path) == 0 else { throw Failure.system("\(path): cannot write") }
        } else if link(draft, path) == 0 {
            unlink(draft)
        } else if errno == EPERM || errno == EOPNOTSUPP {
            // A file system without links, as memory cards have it.
            guard access(path, F_OK) != 0, rename(draft, path) == 0 else {
                throw Failure.system("\(path): cannot write")
            }
        } else {
            throw Failure.system("\(path): cannot write")
        }
    }
}
