// SPDX-License-Identifier: Apache-2.0

internal import CJansson

/// Why bytes are not the JSON that is accepted here.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for a person.
    public let reason: String
    /// How many bytes were fine.
    public let position: Int

    /// One line for a person.
    public var description: String { "not valid JSON after \(position) bytes: \(reason)" }
}

extension JSONValue {
    /// How deep values may be nested when nothing else is said: far more than any Varlink interface needs, and little
    /// enough for a walk over the value on any thread's stack.
    public static let defaultMaximumDepth = 64

    /// Reads one value, strictly: valid UTF-8 without U+0000, no member twice in an object, numbers in the range of
    /// `Int64` and `Double`, nothing but whitespace after the value, and not nested deeper than `maximumDepth`.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - maximumDepth: how many arrays and objects may be inside each other.
    /// - Throws: ``JSONSyntaxError``, which says where and why.
    public init(
        parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        var error = json_error_t()
        // jansson refuses a null pointer, and an empty buffer has one.
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

    /// Reads one value from bytes, as strictly as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
    public init(
        parsing bytes: [UInt8], maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        let result = bytes.withUnsafeBytes { (raw) -> Result<JSONValue, JSONSyntaxError> in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: raw, maximumDepth: maximumDepth) }
        }
        self = try result.get()
    }

    /// Reads one value from text, as strictly as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
    public init(
        parsing text: String, maximumDepth: Int = JSONValue.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
    }

    /// Nil where it is nested deeper than allowed.
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
