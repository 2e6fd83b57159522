// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension DesktopEntry {
    /// Reads a file. A pipe, a socket or a device is refused: reading it could block.
    ///
    /// - Throws: ``DesktopEntryError``.
    package init(path: String) throws(DesktopEntryError) {
        try self.init(bytes: Self.contents(of: path))
    }

    /// Reads a file as ``init(path:)`` does; `handle` receives each invalid line, which is ignored.
    ///
    /// - Throws: ``DesktopEntryError``.
    package init(path: String, ignoringInvalidLines handle: (DesktopEntryError) -> Void) throws(DesktopEntryError) {
        let bytes = try Self.contents(of: path)
        try self.init(bytes: bytes) { (error) throws(DesktopEntryError) in handle(error) }
    }

    /// Returns the bytes of a file, at most one more than `limit`.
    static func contents(of path: String, limit: Int = maximumBytes) throws(DesktopEntryError) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw .unreadable(reason: "the path contains a NUL") }
        // Without O_NONBLOCK, opening a FIFO waits for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .current }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .unreadable(reason: String(cString: strerror(EISDIR)))
        default: throw .unreadable(reason: "not a regular file")
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = try append(from: descriptor, to: &bytes, limit: limit)
            if count == 0 { break }
        }
        return bytes
    }

    /// Reads once; returns the number of bytes, 0 at the end of the file.
    private static func append(
        from descriptor: Int32, to bytes: inout [UInt8], limit: Int
    ) throws(DesktopEntryError) -> Int {
        // In Swift 6.2 this function has no typed throws.
        let result: Result<Int, DesktopEntryError> = withUnsafeTemporaryAllocation(
            byteCount: 16 * 1024, alignment: 1
        ) { buffer in
            while true {
                let room = min(buffer.count, limit + 1 - bytes.count)
                let count = read(descriptor, buffer.baseAddress, room)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return .failure(.current) }
                bytes += buffer[..<count]
                return .success(count)
            }
        }
        return try result.get()
    }
}

extension DesktopEntryError {
    /// The error for the current `errno`.
    fileprivate static var current: DesktopEntryError { .unreadable(reason: String(cString: strerror(errno))) }
}
