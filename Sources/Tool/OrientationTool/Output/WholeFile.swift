// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that is replaced atomically: written to a temporary file beside it, which is renamed when complete.
struct WholeFile {
    let path: String
    var mayReplace = true
    /// Whether to flush the file to disk before the rename: it then survives a power failure.
    var isSynchronized = false

    /// Checks whether writing would fail, before the work begins.
    ///
    /// - Parameter allowsDescriptors: Whether to accept names of open descriptors that are pipes or devices.
    /// - Throws: ``Failure``.
    func check(allowsDescriptors: Bool = false) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard mayReplace || lstat(path, &status) != 0 else {
                throw Failure("\(path): cannot write: symbolic link to a missing file; use --overwrite to replace it")
            }
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let place = path.contains("/") ? folder.isEmpty ? "/" : folder : "."
            guard access(place, W_OK | X_OK) == 0 else { throw Failure.system("\(path): cannot write") }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            guard allowsDescriptors, Self.namesDescriptor(path) else {
                throw Failure("\(path): cannot write: not a regular file")
            }
            return
        }
        guard mayReplace else { throw Failure("\(path): cannot write: file exists; use --overwrite to replace it") }
    }

    /// Whether a path names an open descriptor of this process, as `/dev/stdout` and a shell's `>(command)`.
    static func namesDescriptor(_ path: String) -> Bool {
        ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/")
    }

    /// Writes the temporary file, and renames it.
    func write(_ text: String) throws {
        // Blocks Ctrl-C until the temporary file is renamed or removed.
        var (signals, previous) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        // The process id makes the name unique.
        let temporary = "\(path).\(getpid()).part"
        do {
            let output = try TextOutput(temporary: temporary, of: path)
            output.add(text)
            try output.flush()
            if isSynchronized { try output.synchronize() }
            try place(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Renames the temporary file. Without ``mayReplace``, keeps a file that another process has created meanwhile.
    private func place(_ temporary: String) throws {
        if mayReplace {
            guard rename(temporary, path) == 0 else { throw Failure.system("\(path): cannot write") }
        } else if link(temporary, path) == 0 {
            unlink(temporary)
        } else if errno == EPERM || errno == EOPNOTSUPP {
            // The file system has no hard links, like FAT.
            guard access(path, F_OK) != 0, rename(temporary, path) == 0 else {
                throw Failure.system("\(path): cannot write")
            }
        } else {
            throw Failure.system("\(path): cannot write")
        }
    }
}
