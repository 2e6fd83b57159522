// SPDX-License-Identifier: Apache-2.0

internal import Support

// Writing is done here and not by jansson: it needs no tree of C objects first, and Swift writes a real number with
// the fewest digits that read back as the same number, where jansson 2.14 writes 0.1 as 0.10000000000000001.

extension JSONValue: CustomStringConvertible {
    /// The value as JSON without any whitespace, members in their order.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of ``description``.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the value as JSON.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += value.description.utf8
        case .real(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &bytes)
        }
    }

    fileprivate static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            // Everything before `start` is written; runs without escapes are copied as they are.
            var start = 0
            var index = 0
            while index < source.count {
                guard mayNeedEscape(source[index]) else {
                    index += 1
                    continue
                }
                let (scalar, length) = decode(source, at: index)
                if needsEscape(scalar) {
                    bytes += source[start..<index]
                    writeEscaped(scalar, to: &bytes)
                    start = index + length
                }
                index += length
            }
            bytes += source[start...]
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Escapes more than JSON requires: whoever prints a message on a terminal prints no control characters.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\\" || scalar.isControl
    }

    /// The scalar at a boundary of valid UTF-8, and its length in bytes.
    private static func decode(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, length: Int) {
        let first = source[index]
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for byte in source[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    private static func writeEscaped(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += #"\""#.utf8
        case "\\": bytes += #"\\"#.utf8
        case "\n": bytes += #"\n"#.utf8
        case "\t": bytes += #"\t"#.utf8
        default:
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
            }
        }
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON without any whitespace, members in their order.
    public var description: String { JSONValue.object(self).description }

    /// Appends the object as JSON.
    func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
