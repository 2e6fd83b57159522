// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A small regular file of another program or of the kernel.
package enum SmallFile {
    /// Why a file cannot be read: the errno, EINVAL for one that is not regular.
    package struct ReadError: Error, Hashable {
        package let code: Int32
    }

    /// Returns the text, without what exceeds `size` bytes; nil if the file cannot be read, or is not regular.
    package static func read(_ path: String, atMost size: Int) -> String? {
        try? contents(path, atMost: size)
    }

    /// Returns the text, without what exceeds `size` bytes. It does not block, as opening a FIFO would.
    package static func contents(_ path: String, atMost size: Int) throws(ReadError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ReadError(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw ReadError(code: EINVAL) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < size {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 { throw ReadError(code: errno) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes.prefix(size), as: UTF8.self)
    }
}
