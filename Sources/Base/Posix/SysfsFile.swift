// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A sysfs attribute that stays open: a reading costs one system call.
package struct SysfsFile: ~Copyable {
    /// Why an attribute has no number.
    package enum NumberError: Error, Hashable {
        case unreadable(Errno)
        case invalid(String)
    }

    private let file: OwnedDescriptor

    /// The longest text that is read, in bytes.
    private static let longest = 256

    /// Opens a regular file.
    package init(path: String) throws(Errno) { file = try SmallFile.open(path) }

    /// Reads the current text up to the first line break or NUL. One pread(2) at offset 0 returns all of it.
    package func read() throws(Errno) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        var count = pread(file.number, &bytes, bytes.count, 0)
        // Repeated once: a signal interrupts a driver that waits for its chip.
        if count < 0, errno == EINTR { count = pread(file.number, &bytes, bytes.count, 0) }
        guard count >= 0 else { throw .current }
        return SmallFile.firstLine(of: bytes[..<count])
    }

    package func readNumber() throws(NumberError) -> Double {
        let text: String
        do throws(Errno) { text = try read() } catch { throw .unreadable(error) }
        guard let number = Self.number(in: text) else { throw .invalid(text) }
        return number
    }

    /// Returns the number in a text that was read; nil if it is not one, or if its end may be missing.
    package static func number(in text: String) -> Double? {
        text.utf8.count < longest ? Double(decimal: text) : nil
    }
}
