// SPDX-License-Identifier: Apache-2.0

internal import Posix

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
        do throws(Errno) { return try SmallFile.contents(path, atMost: limit + 1) } catch {
            throw .unreadable(reason: "\(error)")
        }
    }
}
