// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A sysfs attribute that stays open: a reading costs one system call. Owns the descriptor.
package struct SysfsFile: ~Copyable {
    /// Why an attribute has no number.
    package enum NumberError: Error, Hashable {
        case unreadable(SmallFile.ReadError)
        /// The text is not a number.
        case invalid(String)
    }

    private let descriptor: Int32

    /// The longest text that is read, in bytes.
    private static let longest = 256
    /// The buffer for a number, in bytes; a longer text is read again.
    private static let numberSize = 32

    /// Opens a regular file.
    package init(path: String) throws(SmallFile.ReadError) {
        descriptor = try SmallFile.open(path)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the current text without its line break. One pread(2) at offset 0 returns all of it.
    package func read() throws(SmallFile.ReadError) -> String {
        // In Swift 6.2 this function has no typed throws.
        let text: Result<String, SmallFile.ReadError> = withUnsafeTemporaryAllocation(
            byteCount: Self.longest, alignment: 1
        ) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { return .failure(SmallFile.ReadError(code: errno)) }
            return .success(Self.line(buffer.prefix(count)))
        }
        return try text.get()
    }

    /// Reads the current number. An integer is parsed from the bytes, without a `String`.
    package func readNumber() throws(NumberError) -> Double {
        var bytes: [32 of UInt8] = .init(repeating: 0)
        let count = withUnsafeMutableBytes(of: &bytes) { pread(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0,
            let integer = withUnsafeBytes(of: &bytes, { Int(line: UnsafeRawBufferPointer(rebasing: $0[..<count])) })
        {
            return Double(integer)
        }
        return try number(bytes, count: count)
    }

    /// Parses a text that is not an integer.
    @inline(never) private func number(_ bytes: [32 of UInt8], count: Int) throws(NumberError) -> Double {
        let code = errno
        guard count >= 0 else { throw .unreadable(SmallFile.ReadError(code: code)) }
        var text = withUnsafeBytes(of: bytes) { Self.line($0.prefix(count)) }
        if count == Self.numberSize {
            do throws(SmallFile.ReadError) {
                text = try read()
            } catch {
                throw .unreadable(error)
            }
        }
        // The end of a longer text is unknown.
        guard text.utf8.count < Self.longest, let number = Double(decimal: text) else { throw .invalid(text) }
        return number
    }

    /// Returns the text up to the first line break or NUL.
    private static func line(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    }
}

extension Int {
    /// The most digits that cannot overflow.
    private static let safeDigits = 18

    /// Parses an integer that a line break, a NUL or the end of the bytes follows; nil for any other text, and for an integer
    /// of more than 18 digits.
    init?(line bytes: UnsafeRawBufferPointer) {
        var index = 0
        var isNegative = false
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            index = 1
        }
        let start = index
        var magnitude = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != 0 {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9, index < start + Self.safeDigits else { return nil }
            magnitude = magnitude &* 10 &+ Int(digit)
            index += 1
        }
        guard index > start else { return nil }
        self = isNegative ? -magnitude : magnitude
    }
}
