// SPDX-License-Identifier: Apache-2.0

/// Why a JSON value is not what was expected there.
public struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, for example `samples[3].x`; empty for the value itself.
    public internal(set) var path: String
    /// What was expected there, for example `a string`.
    public let expected: String
    /// What was there, for example `an integer` or `nothing`.
    public let found: String

    /// Makes an error about the value at a path.
    public init(path: String = "", expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// The parameter in which it is: the first name of the path.
    public var parameter: String {
        String(path.prefix { $0 != "." && $0 != "[" })
    }

    /// One line for a person.
    public var description: String {
        "\(path.isEmpty ? "the value" : path): expected \(expected), found \(found)"
    }

    /// The same one level up: inside this member or element (`name` or `[3]`).
    func inside(_ step: String) -> JSONMismatch {
        var outer = self
        outer.path =
            path.isEmpty ? step : path.first == "[" ? step + path : "\(step).\(path)"
        return outer
    }
}

/// What can be read from a JSON value.
public protocol JSONReadable {
    /// Reads it.
    ///
    /// - Throws: ``JSONMismatch``, which names the place.
    init(json: JSONValue) throws(JSONMismatch)
}

extension JSONObject {
    /// Reads a member that must be there.
    ///
    /// - Throws: ``JSONMismatch`` where it is absent, null or something else.
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

    /// Reads a member that may be absent; null means absent too.
    ///
    /// - Throws: ``JSONMismatch`` where it is something else.
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
    /// Any value reads as itself.
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
    /// Reads a number; an integer is one.
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
    /// Reads an array of such elements.
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
