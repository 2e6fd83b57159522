// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A small regular file of another program or of the kernel.
package enum SmallFile {
    /// Why a file cannot be read: the errno, EINVAL for one that is not regular.
    package struct ReadError: Error, Hashable {
        package let code: Int32
    }

    /// Returns the first `size` bytes as text; nil if the file cannot be read or is not regular.
    package static func read(_ path: String, atMost size: Int) -> String? {
        try? contents(path, atMost: size)
    }

    /// Returns the first `size` bytes as text. Opening never blocks, not even on a FIFO.
    package static func contents(_ path: String, atMost size: Int) throws(ReadError) -> String {
        let descriptor = try open(path)
        defer { close(descriptor) }
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

    /// Opens a regular file for reading.
    static func open(_ path: String) throws(ReadError) -> Int32 {
        // O_NONBLOCK: opening a FIFO does not block.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ReadError(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ReadError(code: EINVAL)
        }
        return descriptor
    }
}
