// SPDX-License-Identifier: Apache-2.0

import Glibc
import Support

/// Buffered text for standard output or a file; the only owner of the descriptor.
final class TextOutput {
    private let descriptor: Int32
    private let name: String
    /// How text is written; data is written as it is.
    private let encoding: TextEncoding
    private var pending: [UInt8] = []

    /// Writes text to standard output.
    init() {
        encoding = .current
        descriptor = STDOUT_FILENO
        name = "standard output"
    }

    /// Writes data to a file, which is created, or replaced where that is allowed; `-` is standard output.
    init(path: String, mayReplace: Bool) throws {
        encoding = TextEncoding(isUTF8: true)
        name = path == "-" ? "standard output" : path
        var status = stat()
        // A pipe or a device is written to as it is.
        let isNew = mayReplace || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG ? 0 : O_EXCL
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | isNew, 0o644)
        guard descriptor >= 0 else { throw Failure.system("\(path): cannot write") }
    }

    /// Writes data to a new file, as a draft of `name`.
    init(draft path: String, of name: String) throws {
        encoding = TextEncoding(isUTF8: true)
        self.name = name
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure.system("\(name): cannot write") }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Waits until all that was flushed is on the disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Failure.system(name) }
    }

    /// Adds lines of text, in which devices, services and files may be quoted: without control characters.
    func add(_ text: String) {
        pending.append(contentsOf: encoding.text(text.replacingControls(keepsLines: true)).utf8)
    }

    /// Adds a line of JSON, whose writer escapes control characters.
    func add(json: String) {
        pending.append(contentsOf: (encoding.json(json) + "\n").utf8)
    }

    func flush() throws {
        guard Self.write(pending, to: descriptor) else { throw Failure.system(name) }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes all bytes; returns false and sets `errno` where that fails.
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
