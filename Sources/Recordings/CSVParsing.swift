// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import OrientationModel

/// Splits bytes into lines; chunks may end anywhere.
struct LineBuffer: Sendable {
    enum Line {
        /// A line, without its line ending.
        case complete(Range<Int>)
        /// The last bytes of the input, which have no line ending.
        case unfinished(Range<Int>)
        case tooLong
    }

    private(set) var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    mutating func append(_ chunk: ArraySlice<UInt8>) {
        bytes.removeFirst(position)
        position = 0
        bytes.append(contentsOf: chunk)
    }

    mutating func end() {
        isAtEnd = true
    }

    /// Returns the next line; nil if more bytes are needed or none are left.
    mutating func next() -> Line? {
        let start = position
        let window = min(bytes.count - start, RecordingLimits.lineLength + 1)
        let length: Int? = bytes.withUnsafeBytes { all in
            guard window > 0, let base = all.baseAddress else { return nil }
            return memchr(base + start, 10, window).map {
                $0 - UnsafeMutableRawPointer(mutating: base + start)
            }
        }
        if let length {
            position = start + length + 1
            let hasReturn = length > 0 && bytes[start + length - 1] == UInt8(ascii: "\r")
            return .complete(start..<(start + length - (hasReturn ? 1 : 0)))
        }
        if window > RecordingLimits.lineLength { return .tooLong }
        guard isAtEnd, window > 0 else { return nil }
        position = bytes.count
        return .unfinished(start..<bytes.count)
    }
}

/// A fast parser for decimal numbers: four million in less than a second.
enum DecimalNumber {
    /// Parses the whole text, surrounding blanks excepted, as a finite number; nil if it is not one.
    ///
    /// Up to 15 digits without an exponent need one exact division (Clinger, 1990: both operands are exact); the
    /// standard library parses the rest.
    static func parse(_ text: UnsafeBufferPointer<UInt8>.SubSequence) -> Double? {
        let trimmed = text.trimming { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var index = trimmed.startIndex
        var negative = false
        if index < trimmed.endIndex,
            trimmed[index] == UInt8(ascii: "-") || trimmed[index] == UInt8(ascii: "+")
        {
            negative = trimmed[index] == UInt8(ascii: "-")
            index += 1
        }
        var digits: UInt64 = 0
        var count = 0
        var decimals = 0
        var seenPoint = false
        while index < trimmed.endIndex {
            let byte = trimmed[index]
            if byte &- UInt8(ascii: "0") < 10 {
                digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                count += 1
                if seenPoint { decimals += 1 }
            } else if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
            } else {
                return slow(trimmed)
            }
            index += 1
        }
        guard count > 0 else { return nil }
        guard count <= 15 else { return slow(trimmed) }
        let value = Double(digits) / powers[decimals]
        return negative ? -value : value
    }

    private static let powers: InlineArray<16, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Parses exponents and long fractions. `Double` would also accept hexadecimal, "nan" and "inf", which are not
    /// readings.
    private static func slow(_ text: UnsafeBufferPointer<UInt8>.SubSequence) -> Double? {
        let allowed = text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains($0) }
        guard allowed, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}
