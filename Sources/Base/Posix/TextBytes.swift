// SPDX-License-Identifier: Apache-2.0

// Text from outside is compared, searched and split as bytes. `==`, `<`, `hash` and `contains` of strings and characters compare
// after normalization, whose time is quadratic in a run of combining marks: 64 KiB of them take more than a second.
// Scripts/check-bytes.py lists the files that handle such text, and forbids those operations there.

extension StringProtocol {
    /// Whether both have the same bytes.
    package func hasBytes(of other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The name and the value of `NAME=VALUE`.
    package var assignment: (String, String)? {
        utf8.firstIndex(of: UInt8(ascii: "=")).map { (String(self[..<$0]), String(self[utf8.index(after: $0)...])) }
    }

    package func parts(between separator: Unicode.Scalar, keepsEmpty: Bool = false) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepsEmpty)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension String {
    /// The longest beginning of whole characters that has at most `maximum` bytes.
    package func beginning(bytes maximum: Int) -> String {
        guard utf8.count > maximum else { return self }
        var end = utf8.index(startIndex, offsetBy: maximum)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without the ASCII white space around them.
    package var trimmed: SubSequence {
        let start = drop { $0.isSpace }
        return start.lastIndex { !$0.isSpace }.map { start[...$0] } ?? start
    }
}

extension UInt8 {
    /// Whether the byte is ASCII white space.
    package var isSpace: Bool { self == UInt8(ascii: " ") || 0x09...0x0D ~= self }
}
