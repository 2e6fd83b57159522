// SPDX-License-Identifier: Apache-2.0

internal import Posix

extension InterfaceDescription {
    /// Checks an object against the fields of a structure, a method's input or its output.
    ///
    /// Optional fields may be absent or null. Unknown members are rejected: a caller that sets a field of a later
    /// version learns that it has no effect.
    ///
    /// - Throws: ``JSONMismatch`` with the path.
    public func check(_ object: JSONObject, against fields: [FieldDefinition]) throws(JSONMismatch) {
        for field in fields {
            if let value = object[field.name] {
                try check(value, against: field.type, inside: field.name)
            } else if !field.type.isNullable {
                throw JSONMismatch(path: field.name, expected: article(field.type), found: "nothing")
            }
        }
        for (key, value) in object where !fields.contains(where: { $0.name.hasBytes(of: key) }) {
            throw JSONMismatch(path: key, expected: "no such member", found: value.kind)
        }
    }

    /// Checks a value against a type of this interface.
    ///
    /// - Throws: ``JSONMismatch`` with the path.
    public func check(_ value: JSONValue, against type: ValueType) throws(JSONMismatch) {
        switch (type, value) {
        case (.any, _), (.bool, .bool), (.int, .integer), (.float, .real), (.float, .integer),
            (.string, .string), (.object, .object), (.nullable, .null):
            return
        case (.nullable(let inner), _):
            try check(value, against: inner)
        case (.named(let name), _):
            guard let definition = types[name] else {
                throw JSONMismatch(expected: "the type \(name), which \(self.name) does not define", found: value.kind)
            }
            try check(value, against: definition.type)
        case (.structure(let fields), .object(let object)):
            try check(object, against: fields)
        case (.enumeration(let cases), .string(let text)):
            guard cases.contains(where: { $0.hasBytes(of: text) }) else {
                throw JSONMismatch(
                    expected: "one of \(cases.joined(separator: ", "))", found: "'\(text)'")
            }
        case (.array(let element), .array(let values)):
            for (index, value) in values.enumerated() {
                try check(value, against: element, inside: "[\(index)]")
            }
        case (.map(let element), .object(let object)):
            for (key, value) in object { try check(value, against: element, inside: key) }
        default:
            throw JSONMismatch(expected: article(type), found: value.kind)
        }
    }

    private func check(
        _ value: JSONValue, against type: ValueType, inside step: String
    ) throws(JSONMismatch) {
        do {
            try check(value, against: type)
        } catch {
            throw error.inside(step)
        }
    }

    private func article(_ type: ValueType) -> String {
        switch type {
        case .bool: "a boolean"
        case .int: "an integer"
        case .float: "a number"
        case .string: "a string"
        case .object, .structure, .map: "an object"
        case .any: "a value"
        case .named(let name): types[name].map { article($0.type) } ?? "a \(name)"
        case .enumeration(let cases): "one of \(cases.joined(separator: ", "))"
        case .array: "an array"
        case .nullable(let inner): article(inner)
        }
    }
}

extension ValueType {
    /// Whether values of this type may be absent or null.
    public var isNullable: Bool {
        if case .nullable = self { true } else { false }
    }
}
