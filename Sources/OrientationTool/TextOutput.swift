// SPDX-License-Identifier: Apache-2.0

import Glibc
import Support

/// A buffered writer to standard output or a file.
final class TextOutput {
    private let descriptor: Int32
    /// Owns the descriptor; nil for standard output.
    private let file: OwnedDescriptor?
    private let name: String
    /// The encoding of text; data is always UTF-8.
    private let encoding: TextEncoding
    private var pending: [UInt8] = []

    /// Opens standard output.
    init(encoding: TextEncoding = .current) {
        self.encoding = encoding
        descriptor = STDOUT_FILENO
        file = nil
        name = "standard output"
    }

    /// Opens a file for data: creates it, or replaces it if `mayReplace`. `-` is standard output.
    convenience init(path: String, mayReplace: Bool) throws {
        guard path != "-" else {
            self.init(encoding: TextEncoding(isUTF8: true))
            return
        }
        var status = stat()
        // Pipes and devices are written to in place.
        let isNew = mayReplace || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG ? 0 : O_EXCL
        try self.init(creating: path, O_TRUNC | isNew, for: path)
    }

    /// Creates the temporary file of `name` for data.
    convenience init(temporary path: String, of name: String) throws {
        try self.init(creating: path, O_EXCL | O_NOFOLLOW, for: name)
    }

    private init(creating path: String, _ flags: Int32, for name: String) throws {
        encoding = TextEncoding(isUTF8: true)
        self.name = name
        let created: OwnedDescriptor
        do throws(Errno) {
            created = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | flags, mode: 0o644)
        } catch {
            throw Failure("\(name): cannot write: \(error)")
        }
        descriptor = created.number
        file = consume created
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
        do throws(Errno) { try OwnedDescriptor.write(pending, to: descriptor) } catch {
            throw Failure("\(name): cannot write: \(error)")
        }
        pending.removeAll(keepingCapacity: true)
    }
}
