// SPDX-License-Identifier: Apache-2.0

/// Reads decimal numbers, four million of them in well under a second.
enum DecimalNumber {
    /// The finite number that these bytes, spaces around them aside, are in whole; nil if they are none.
    ///
    /// Up to 15 digits and small exponents are exact in one multiplication or division (Clinger, 1990: both operands
    /// are exact); the rest is left to the standard library.
    static func parse(_ text: UnsafeBufferPointer<UInt8>.SubSequence) -> Double? {
        let trimmed = trim(text)
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

    /// Exponents and long fractions. `Double` would also take hexadecimal, "nan" and "inf", which are no readings.
    private static func slow(_ text: UnsafeBufferPointer<UInt8>.SubSequence) -> Double? {
        let allowed = text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains($0) }
        guard allowed, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    private static func trim(
        _ text: UnsafeBufferPointer<UInt8>.SubSequence
    ) -> UnsafeBufferPointer<UInt8>.SubSequence {
        var text = text
        while let first = text.first, first == 32 || first == 9 { text.removeFirst() }
        while let last = text.last, last == 32 || last == 9 { text.removeLast() }
        return text
    }
}
