// SPDX-License-Identifier: Apache-2.0

import Glibc
import Support

/// A buffered writer to standard output or a file. Owns the descriptor.
final class TextOutput {
    private let descriptor: Int32
    private let name: String
    /// The encoding of text; data is always UTF-8.
    private let encoding: TextEncoding
    private var pending: [UInt8] = []

    /// Opens standard output for text.
    init() {
        encoding = .current
        descriptor = STDOUT_FILENO
        name = "standard output"
    }

    /// Opens a file for data: creates it, or replaces it if `mayReplace`. `-` is standard output.
    init(path: String, mayReplace: Bool) throws {
        encoding = TextEncoding(isUTF8: true)
        name = path == "-" ? "standard output" : path
        var status = stat()
        // Pipes and devices are written to in place.
        let isNew = mayReplace || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG ? 0 : O_EXCL
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | isNew, 0o644)
        guard descriptor >= 0 else { throw Failure.system("\(path): cannot write") }
    }

    /// Creates the temporary file of `name` for data.
    init(temporary path: String, of name: String) throws {
        encoding = TextEncoding(isUTF8: true)
        self.name = name
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure.system("\(name): cannot write") }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Flushes the file to disk (fsync).
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Failure.system("\(name): cannot write") }
    }

    /// Adds lines of text. Replaces control characters: the text may quote names from devices, services and files.
    func add(_ text: String) {
        pending.append(contentsOf: encoding.text(text.replacingControls(keepsLines: true)).utf8)
    }

    /// Adds a line of JSON, in which control characters are already escaped.
    func add(json: String) {
        pending.append(contentsOf: (encoding.json(json) + "\n").utf8)
    }

    func flush() throws {
        guard Self.write(pending, to: descriptor) else { throw Failure.system("\(name): cannot write") }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes all bytes; on failure sets `errno` and returns false.
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
