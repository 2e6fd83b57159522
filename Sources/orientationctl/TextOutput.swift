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
        var written = 0
        while written < pending.count {
            let count = pending.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure.system(name) }
            written += count
        }
        pending.removeAll(keepingCapacity: true)
    }
}
