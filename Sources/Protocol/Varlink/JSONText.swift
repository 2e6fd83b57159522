// SPDX-License-Identifier: Apache-2.0

internal import CJansson
internal import Posix

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
        var text = ""
        write(to: &text)
        return text
    }

    /// The bytes of ``description``.
    public var bytes: [UInt8] { Array(description.utf8) }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += "\(value)"
        case .integer(let value): text += "\(value)"
        case .real(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Appends a string. Escapes more than JSON requires: a printed message contains no control characters.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        // Printable ASCII characters are appended at once: one by one took ten times as long.
        var rest = string[...]
        while let index = rest.utf8.firstIndex(where: { !(0x20...0x7E ~= $0) || $0 == 0x22 || $0 == 0x5C }) {
            text += rest[..<index]
            let scalar = rest.unicodeScalars[index]
            switch scalar {
            case "\"": text += #"\""#
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            case "\t": text += #"\t"#
            case _ where scalar.isControl: text += scalar.jsonEscape
            default: text.unicodeScalars.append(scalar)
            }
            rest = rest[rest.unicodeScalars.index(after: index)...]
        }
        text += rest
        text += "\""
    }
}

extension Unicode.Scalar {
    /// The character as one or two escapes of a JSON string, such as `\u00b0`.
    package var jsonEscape: String {
        utf16.map { #"\u"# + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON without whitespace, with members in their order.
    public var description: String { JSONValue.object(self).description }
}
