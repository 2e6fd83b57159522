// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A report's file, which is there whole or not at all.
struct ReportFile {
    let path: String
    /// Whether a file that is there may be replaced.
    let mayReplace: Bool

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

    /// Writes it beside its place, and then moves it there.
    func write(_ text: String) throws {
        try check()
        let temporary = "\(path).new-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw Failure.system("cannot write \(temporary)") }
        do {
            try write(Array(text.utf8), to: descriptor)
            guard close(descriptor) == 0 else { throw Failure.system("cannot write \(path)") }
            try place(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// What somebody else has put there meanwhile is not replaced unless it may be.
    private func place(_ temporary: String) throws {
        if mayReplace {
            guard rename(temporary, path) == 0 else { throw Failure.system("cannot write \(path)") }
        } else if link(temporary, path) == 0 {
            unlink(temporary)
        } else if errno == EPERM || errno == EOPNOTSUPP {
            // A file system without links, as memory cards have it.
            guard access(path, F_OK) != 0, rename(temporary, path) == 0 else {
                throw Failure.system("cannot write \(path)")
            }
        } else {
            throw Failure.system("cannot write \(path)")
        }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Failure.system("cannot write \(path)")
                close(descriptor)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
    }
}
