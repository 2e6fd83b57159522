// SPDX-License-Identifier: Apache-2.0

internal import CJansson
internal import Support

// Parsing and serialization. Parsing uses jansson: strict, with seeded hashes. Serialization is written in Swift: it
// needs no tree of C objects, and prints a real number with the fewest digits that parse to the same number, where
// jansson 2.14 prints 0.1 as 0.10000000000000001.

/// A syntax error in JSON text.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, for messages.
    public let reason: String
    /// The number of valid bytes before the error.
    public let position: Int

    /// The position and the reason on one line.
    public var description: String { "invalid JSON at byte \(position): \(reason)" }
}

extension JSONValue {
    /// The default limit on nesting: more than any Varlink interface needs, and safe for recursion on any thread's
    /// stack.
    public static let defaultMaximumDepth = 64

    /// Parses one value, strictly: valid UTF-8 without U+0000, no duplicate members, numbers in the range of `Int64`
    /// and `Double`, only whitespace after the value.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - maximumDepth: the deepest permitted nesting of arrays and objects.
    /// - Throws: ``JSONSyntaxError``.
    public init(
        parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        var error = json_error_t()
        // The base address of an empty buffer is nil, which jansson rejects.
        let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
        guard let root = json_loadb(start?.assumingMemoryBound(to: CChar.self), bytes.count, flags, &error)
        else {
            throw JSONSyntaxError(reason: Self.text(of: error), position: max(0, Int(error.position)))
        }
        defer { json_decref(root) }
        guard let value = Self.value(of: root, depthLeft: maximumDepth) else {
            throw JSONSyntaxError(reason: "nested deeper than \(maximumDepth) levels", position: 0)
        }
        self = value
    }

    /// Parses one value as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)`` does.
    public init(
        parsing bytes: [UInt8], maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        let result = bytes.withUnsafeBytes { (raw) -> Result<JSONValue, JSONSyntaxError> in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: raw, maximumDepth: maximumDepth) }
        }
        self = try result.get()
    }

    /// Parses one value as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)`` does.
    public init(
        parsing text: String, maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
    }

    /// Returns whether JSON text has more than `maximum` structural characters (RFC 8259, section 2) outside strings.
    ///
    /// Valid for text that is not JSON as well: parsing reports that.
    static func exceeds(_ maximum: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        // Each character has one byte.
        guard bytes.count > maximum else { return false }
        var count = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ":"),
                UInt8(ascii: ","):
                count += 1
                if count > maximum { return true }
            default: break
            }
        }
        return false
    }

    /// Converts a value; nil if it is nested too deep.
    private static func value(of json: UnsafeMutablePointer<json_t>, depthLeft: Int) -> JSONValue? {
        switch json.pointee.type {
        case JSON_TRUE: .bool(true)
        case JSON_FALSE: .bool(false)
        case JSON_INTEGER: .integer(json_integer_value(json))
        case JSON_REAL: .real(json_real_value(json))
        case JSON_STRING: .string(text(json_string_value(json), json_string_length(json)))
        case JSON_ARRAY: array(of: json, depthLeft: depthLeft)
        case JSON_OBJECT: object(of: json, depthLeft: depthLeft)
        default: .null
        }
    }

    private static func array(of json: UnsafeMutablePointer<json_t>, depthLeft: Int) -> JSONValue? {
        guard depthLeft > 0 else { return nil }
        var elements: [JSONValue] = []
        elements.reserveCapacity(json_array_size(json))
        for index in 0..<json_array_size(json) {
            guard let element = json_array_get(json, index),
                let value = value(of: element, depthLeft: depthLeft - 1)
            else { return nil }
            elements.append(value)
        }
        return .array(elements)
    }

    private static func object(of json: UnsafeMutablePointer<json_t>, depthLeft: Int) -> JSONValue? {
        guard depthLeft > 0 else { return nil }
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(json_object_size(json))
        var iterator = json_object_iter(json)
        while let member = iterator {
            guard let key = json_object_iter_key(member), let element = json_object_iter_value(member),
                let value = value(of: element, depthLeft: depthLeft - 1)
            else { return nil }
            members.append((String(cString: key), value))
            iterator = json_object_iter_next(json, member)
        }
        return .object(JSONObject(distinct: members))
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    private static func text(of error: json_error_t) -> String {
        withUnsafeBytes(of: error.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON without whitespace, with members in their order.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of ``description``.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the value as JSON text.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .integer(let value):
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            Self.write(value.magnitude, to: &bytes)
        case .real(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                elements[index].write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &bytes)
        }
    }

    /// Appends the digits of a number, without the intermediate string of `description`: each state has three integers.
    private static func write(_ number: UInt64, to bytes: inout [UInt8]) {
        if number > 9 { write(number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    fileprivate static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { source in
            bytes.append(UInt8(ascii: "\""))
            // Most texts have no escapes.
            if source.contains(where: mayNeedEscape) {
                writeEscaped(source, to: &bytes)
            } else {
                bytes.append(contentsOf: source)
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func writeEscaped(_ source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // The bytes before `start` are written; runs without escapes are copied unchanged.
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

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns whether to escape a character: more than JSON requires, so that a printed message contains no control
    /// characters.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\\" || scalar.isControl
    }

    /// Decodes the scalar at a character boundary of valid UTF-8; returns it with its length in bytes.
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
        case "\"": bytes.append(#"\""#)
        case "\\": bytes.append(#"\\"#)
        case "\n": bytes.append(#"\n"#)
        case "\t": bytes.append(#"\t"#)
        default:
            for unit in scalar.utf16 {
                bytes.append(#"\u"#)
                for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(hexadecimalDigit(unit >> shift & 0xF)) }
            }
        }
    }

    private static func hexadecimalDigit(_ value: UInt16) -> UInt8 {
        UInt8(value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON without whitespace, with members in their order.
    public var description: String { JSONValue.object(self).description }

    /// Appends the object as JSON text.
    func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for index in members.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.write(members[index].key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            members[index].value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

/// Writes a JSON object member by member, without intermediate values.
package struct JSONObjectText: JSONMembers {
    private var bytes: [UInt8]
    private var isEmpty = true

    /// Begins an object after the text in `bytes`.
    init(after bytes: consuming [UInt8]) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    package mutating func append(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
    }

    /// Ends the object; returns the whole text.
    consuming func end() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension [UInt8] {
    /// Appends the bytes of a literal: `+= text.utf8` takes twice as long.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
