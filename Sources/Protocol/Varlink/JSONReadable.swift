// SPDX-License-Identifier: Apache-2.0

/// A JSON value of an unexpected type or content.
public struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the value, for example `samples[3].x`; empty for the root value.
    public internal(set) var path: String
    /// The expected type or content, for example `a string`.
    public let expected: String
    /// The found type or content, for example `an integer` or `nothing`.
    public let found: String

    /// Creates an error for the value at a path.
    public init(path: String = "", expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// The path, the expectation and the finding on one line.
    public var description: String {
        "\(path.isEmpty ? "the value" : path): expected \(expected), found \(found)"
    }

    /// Returns the error with the path extended at the front by a member or an element (`name` or `[3]`).
    func inside(_ step: String) -> JSONMismatch {
        var outer = self
        outer.path =
            path.isEmpty ? step : path.utf8.first == UInt8(ascii: "[") ? step + path : "\(step).\(path)"
        return outer
    }
}

/// A type that can be read from a JSON value.
///
///     let sequence: Int = try object.value("sequence")
///     let edge: String? = try object.optionalValue("lastEdge")
public protocol JSONReadable {
    /// Reads a value.
    ///
    /// - Throws: ``JSONMismatch`` with the path.
    init(json: JSONValue) throws(JSONMismatch)
}

extension JSONObject {
    /// Reads a required member.
    ///
    /// - Throws: ``JSONMismatch`` if it is absent, null or of another type.
    public func value<Value: JSONReadable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(JSONMismatch) -> Value {
        guard let json = self[key] else {
            throw JSONMismatch(path: key, expected: "a value", found: "nothing")
        }
        do {
            return try Value(json: json)
        } catch {
            throw error.inside(key)
        }
    }

    /// Reads an optional member; null is equivalent to absent.
    ///
    /// - Throws: ``JSONMismatch`` if it is of another type.
    public func optionalValue<Value: JSONReadable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(JSONMismatch) -> Value? {
        guard let json = self[key], json != .null else { return nil }
        do {
            return try Value(json: json)
        } catch {
            throw error.inside(key)
        }
    }
}

extension JSONValue: JSONReadable {
    /// Returns the value unchanged.
    public init(json: JSONValue) { self = json }
}

extension JSONObject: JSONReadable {
    /// Reads an object.
    public init(json: JSONValue) throws(JSONMismatch) {
        guard case .object(let object) = json else {
            throw JSONMismatch(expected: "an object", found: json.kind)
        }
        self = object
    }
}

extension Bool: JSONReadable {
    /// Reads `true` or `false`.
    public init(json: JSONValue) throws(JSONMismatch) {
        guard case .bool(let value) = json else {
            throw JSONMismatch(expected: "a boolean", found: json.kind)
        }
        self = value
    }
}

extension Int64: JSONReadable {
    /// Reads an integer.
    public init(json: JSONValue) throws(JSONMismatch) {
        guard case .integer(let value) = json else {
            throw JSONMismatch(expected: "an integer", found: json.kind)
        }
        self = value
    }
}

extension Int: JSONReadable {
    /// Reads an integer.
    public init(json: JSONValue) throws(JSONMismatch) {
        let value = try Int64(json: json)
        guard let exact = Int(exactly: value) else {
            throw JSONMismatch(expected: "an integer in range", found: "\(value)")
        }
        self = exact
    }
}

extension Double: JSONReadable {
    /// Reads a real number or an integer.
    public init(json: JSONValue) throws(JSONMismatch) {
        switch json {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        default: throw JSONMismatch(expected: "a number", found: json.kind)
        }
    }
}

extension String: JSONReadable {
    /// Reads a string.
    public init(json: JSONValue) throws(JSONMismatch) {
        guard case .string(let value) = json else {
            throw JSONMismatch(expected: "a string", found: json.kind)
        }
        self = value
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array of these elements.
    public init(json: JSONValue) throws(JSONMismatch) {
        guard case .array(let values) = json else {
            throw JSONMismatch(expected: "an array", found: json.kind)
        }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do {
                elements.append(try Element(json: value))
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        self = elements
    }
}
