// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that is there whole or not at all: it is made beside its place, and moved there when it is finished.
struct WholeFile {
    let path: String
    /// Whether a file that is there may be replaced.
    var mayReplace = true
    /// Whether it must be on the disk before it is in its place, for what has to outlast a loss of power.
    var isSynchronized = false

    /// Whether writing could work, before somebody takes the trouble.
    func check() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let place = path.contains("/") ? folder.isEmpty ? "/" : folder : "."
            guard access(place, W_OK | X_OK) == 0 else { throw Failure.system("cannot write \(path)") }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("\(path) is there and is no file") }
        guard mayReplace else { throw Failure("\(path) is there already; --overwrite replaces it") }
    }

    /// Writes a text there.
    func write(_ text: String) throws {
        try make { draft in
            let output = try TextOutput(draft: draft, of: path)
            output.add(text)
            try output.flush()
            if isSynchronized { try output.synchronize() }
        }
    }

    /// Lets somebody make the draft, and puts it in its place.
    func make(_ fill: (_ draft: String) throws -> Void) throws {
        // The process's number keeps two runs apart.
        let draft = "\(path).\(getpid()).part"
        do {
            try fill(draft)
            try place(draft)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// What somebody else has put there meanwhile is not replaced unless it may be.
    private func place(_ draft: String) throws {
        if mayReplace {
            guard rename(draft, path) == 0 else { throw Failure.system("cannot write \(path)") }
        } else if link(draft, path) == 0 {
            unlink(draft)
        } else if errno == EPERM || errno == EOPNOTSUPP {
            // A file system without links, as memory cards have it.
            guard access(path, F_OK) != 0, rename(draft, path) == 0 else {
                throw Failure.system("cannot write \(path)")
            }
        } else {
            throw Failure.system("cannot write \(path)")
        }
    }
}
