// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// A buffered writer to standard output or a file.
final class TextOutput {
    private let descriptor: Int32
    /// Owns the descriptor; nil for standard output.
    private let file: OwnedDescriptor?
    private let name: String
    /// The encoding of text; data is always UTF-8.
    private let encoding: TextEncoding
    private var pending: [UInt8] = []
    /// The failure of an earlier write: what follows would not fit what was written.
    private var failure: Failure?

    init(encoding: TextEncoding = .current) {
        self.encoding = encoding
        descriptor = STDOUT_FILENO
        file = nil
        name = "standard output"
    }

    /// Prints lines of text on standard output.
    static func print(_ text: String) throws {
        let output = TextOutput()
        output.add(text + "\n")
        try output.flush()
    }

    /// Prints text with colours, whose other control characters are already replaced.
    static func print(coloured text: String) throws {
        let output = TextOutput()
        output.pending.append(contentsOf: output.encoding.text(text + "\n").utf8)
        try output.flush()
    }

    static func print(json: String) throws {
        let output = TextOutput()
        output.add(json: json)
        try output.flush()
    }

    /// Opens a file for data: creates it, or replaces it if `mayReplace`. `-` is standard output; names of open descriptors
    /// may be pipes and devices.
    convenience init(path: String, mayReplace: Bool) throws {
        guard path != "-" else {
            self.init(encoding: TextEncoding(isUTF8: true))
            return
        }
        let isDescriptor = WholeFile.namesDescriptor(path)
        // O_NONBLOCK: a FIFO that replaced the file is refused, and not waited for.
        let flags = isDescriptor ? 0 : O_CREAT | O_NOCTTY | (mayReplace ? O_NONBLOCK : O_EXCL)
        try self.init(opening: path, flags, for: path)
        // Checked again after opening: another process may have replaced the file since `check`.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure.system("\(path): cannot write") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            if isDescriptor { return }
            throw Failure("\(path): cannot write: not a regular file")
        }
        guard ftruncate(descriptor, 0) == 0 else {
            let failure = Failure.system("\(path): cannot write")
            removeIfEmpty()
            throw failure
        }
    }

    /// Creates the temporary file of `name` for data.
    convenience init(temporary path: String, of name: String) throws {
        try self.init(opening: path, O_CREAT | O_EXCL | O_NOFOLLOW, for: name)
    }

    private init(opening path: String, _ flags: Int32, for name: String) throws {
        encoding = TextEncoding(isUTF8: true)
        self.name = name
        let created: OwnedDescriptor
        do throws(Errno) {
            created = try OwnedDescriptor(opening: path, O_WRONLY | flags, mode: 0o644)
        } catch {
            throw Failure("\(name): cannot write: \(error)")
        }
        descriptor = created.number
        file = consume created
    }

    /// Removes the file of ``init(path:mayReplace:)`` if nothing was written, as to a full disk.
    func removeIfEmpty() {
        var status = stat()
        guard file != nil, !WholeFile.namesDescriptor(name), fstat(descriptor, &status) == 0, status.st_size == 0 else {
            return
        }
        unlink(name)
    }

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
        if let failure { throw failure }
        do throws(Errno) { try OwnedDescriptor.write(pending, to: descriptor) } catch {
            let failure = Failure("\(name): cannot write: \(error)")
            self.failure = failure
            throw failure
        }
        pending.removeAll(keepingCapacity: true)
    }
}
