// SPDX-License-Identifier: Apache-2.0

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
        // Nearly every text goes as it is, and in one piece.
        if text.utf8.contains(where: needsEscape) {
            for byte in text.utf8 { writeEscaped(byte, to: &bytes) }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes += #"\n"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes += #"\u00"#.utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0xF)])
        default: bytes.append(byte)
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
