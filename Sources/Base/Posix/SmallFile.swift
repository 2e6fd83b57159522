// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A small regular file of another program, or of the kernel in sysfs or proc. Opening never blocks, not even on a FIFO.
///
/// ``read(_:atMost:)`` and ``line(_:atMost:)`` are for texts that are shown or have a default: after a failed open(2) or
/// read(2) they return nil, as for a missing file. ``contents(_:atMost:)`` distinguishes the two.
package enum SmallFile {
    /// Returns the first `size` bytes as text; nil if the file cannot be read or is not regular.
    package static func read(_ path: String, atMost size: Int) -> String? {
        (try? contents(path, atMost: size)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the first line without its end; nil if it is empty, or if the file cannot be read or is not regular. A longer
    /// line is cut off.
    package static func line(_ path: String, atMost size: Int = 512) -> String? {
        (try? contents(path, atMost: size)).map { firstLine(of: $0[...]) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the text up to the first line break or NUL.
    package static func firstLine(of bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    }

    /// Returns the first `size` bytes.
    ///
    /// - Throws: ``Errno``: ``Errno/notRegular`` or EISDIR for another kind of file.
    package static func contents(_ path: String, atMost size: Int) throws(Errno) -> [UInt8] {
        try open(path).read(atMost: size)
    }

    /// Opens a regular file, for reading without other flags.
    package static func open(
        _ path: String, flags: Int32 = O_RDONLY, mode: mode_t = 0, owners: [uid_t]? = nil
    ) throws(Errno) -> OwnedDescriptor {
        let file = try OwnedDescriptor(opening: path, O_NONBLOCK | O_NOCTTY | flags, mode: mode)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .current }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Errno(EISDIR)
        default: throw .notRegular
        }
        if let owners, !owners.contains(status.st_uid) { throw Errno(EPERM) }
        return file
    }
}
