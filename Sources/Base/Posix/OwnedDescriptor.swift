// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A file descriptor that is closed in `deinit`.
///
///     let file = try OwnedDescriptor(opening: "/sys/class/power_supply/AC/online", O_RDONLY)
///     let bytes = try file.read(atMost: 4_096)
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes ownership of the result of a system call.
    ///
    /// - Throws: ``Errno/current`` if it is negative.
    package init(_ number: Int32) throws(Errno) {
        guard number >= 0 else { throw .current }
        self.number = number
    }

    /// Opens a file, with `O_CLOEXEC` besides the flags.
    package init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(Errno) {
        let number = open(path, flags | O_CLOEXEC, mode)
        // Repeated once: a signal interrupts an open that waits for a device.
        try self.init(number < 0 && errno == EINTR ? open(path, flags | O_CLOEXEC, mode) : number)
    }

    /// Opens a file for reading; `-` is standard input, whose own descriptor stays open.
    package init(input path: String, _ flags: Int32 = 0) throws(Errno) {
        try self.init(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | flags))
    }

    deinit { close(number) }

    /// Returns the descriptor without closing it: the caller has to.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Reads to the end of the file, at most `limit` bytes.
    package func read(atMost limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let count = Glibc.read(number, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .current }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws(Errno) { try Self.write(bytes, to: number) }

    /// Writes all bytes to a descriptor that has another owner, such as standard output.
    package static func write(_ bytes: [UInt8], to number: Int32) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .current }
            rest = rest.dropFirst(count)
        }
    }
}
