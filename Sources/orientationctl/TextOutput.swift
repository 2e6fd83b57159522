// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text for standard output or a file, gathered and written in whole pieces; the only owner of the file.
final class TextOutput {
    private let descriptor: Int32
    private let name: String
    private var pending: [UInt8] = []

    /// Writes to standard output.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
    }

    /// Writes to a file, which is made or replaced; `-` is standard output.
    init(path: String) throws {
        name = path == "-" ? "standard output" : path
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure.system(path) }
    }

    /// Writes to a new file, as a draft of `name`; nobody else has put anything in its place.
    init(draft path: String, of name: String) throws {
        self.name = name
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure.system("cannot write \(name)") }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Waits until what was flushed is on the disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Failure.system(name) }
    }

    func add(_ text: String) {
        pending.append(contentsOf: text.utf8)
    }

    func flush() throws {
        guard Self.write(pending, to: descriptor) else { throw Failure.system(name) }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes all of it, in as many pieces as that takes; false, and `errno` set, where that fails.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
