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
        // Nearly every text goes as it is, and in one piece.
        if text.utf8.contains(where: mayNeedEscape) {
            for scalar in text.unicodeScalars { writeEscaped(scalar, to: &bytes) }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Escapes more than JSON requires: whoever prints a message on a terminal prints no control characters.
    private static func writeEscaped(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += #"\""#.utf8
        case "\\": bytes += #"\\"#.utf8
        case "\n": bytes += #"\n"#.utf8
        case "\t": bytes += #"\t"#.utf8
        case _ where scalar.isControl:
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
            }
        default: bytes += scalar.utf8
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
