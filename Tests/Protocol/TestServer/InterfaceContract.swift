// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The types of a valid `.varlink` file, for comparisons with what programs send and accept.
package struct InterfaceContract {
    package struct Field: Equatable {
        package let name: String
        package let type: ValueType
    }

    package indirect enum ValueType: Equatable {
        /// `bool`, `int`, `float`, `string` or a named type.
        case name(String)
        case structure([Field])
        case enumeration([String])
        case array(ValueType)
        case nullable(ValueType)
    }

    package let name: String
    package private(set) var types: [String: ValueType] = [:]
    package private(set) var errors: [String: ValueType] = [:]
    package private(set) var methods: [String: (input: [Field], output: [Field])] = [:]
    /// The words of the text that remain, in reverse.
    private var words: [String]

    package init(_ text: String) throws {
        words = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.matches(of: /->|\[\]|[?:,()]|[\w.]+/).map { String($0.output) }
        }.reversed()
        guard words.popLast() == "interface", let name = words.popLast() else {
            throw Self.mismatch("an interface", "another text")
        }
        self.name = name
        while let keyword = words.popLast() {
            let member = words.popLast() ?? ""
            let type = try type()
            switch (keyword, type) {
            case ("type", _): types[member] = type
            case ("error", _): errors[member] = type
            case ("method", .structure(let input)):
                guard take("->"), case .structure(let output) = try self.type() else { fallthrough }
                methods[member] = (input, output)
            default: throw Self.mismatch("a type, method or error", "\(keyword) \(member)")
            }
        }
    }

    private mutating func take(_ word: String) -> Bool {
        guard words.last == word else { return false }
        words.removeLast()
        return true
    }

    private mutating func type() throws -> ValueType {
        let word = words.popLast() ?? ""
        switch word {
        case "?": return .nullable(try type())
        case "[]": return .array(try type())
        case "(":
            var fields: [Field] = []
            var cases: [String] = []
            while !take(")"), let name = words.popLast() {
                if take(":") { fields.append(Field(name: name, type: try type())) } else { cases.append(name) }
                _ = take(",")
            }
            return cases.isEmpty ? .structure(fields) : .enumeration(cases)
        default: return .name(word)
        }
    }

    /// Checks the parameters of a call, a reply or an error.
    package func check(_ object: JSONObject, against fields: [Field]) throws {
        try check(.object(object), against: .structure(fields), "")
    }

    /// Checks a value; `path` is where it is, for the error.
    package func check(_ value: JSONValue, against type: ValueType, _ path: String = "") throws {
        switch (type, value) {
        case (.name("bool"), .bool), (.name("int"), .integer), (.name("float"), .real), (.name("float"), .integer),
            (.name("string"), .string), (.nullable, .null):
            return
        case (.name(let name), _):
            guard let type = types[name] else { throw Self.mismatch(name, value.kind, path) }
            try check(value, against: type, path)
        case (.nullable(let inner), _): try check(value, against: inner, path)
        case (.array(let element), .array(let values)): for value in values { try check(value, against: element, path) }
        case (.enumeration(let cases), .string(let text)) where cases.contains(text): return
        case (.structure(let fields), .object(let object)):
            for field in fields { try check(object[field.name] ?? .null, against: field.type, "\(path).\(field.name)") }
            for (key, value) in object where !fields.contains(where: { $0.name == key }) {
                throw Self.mismatch("no such member", value.kind, "\(path).\(key)")
            }
        default: throw Self.mismatch("\(type)", value.kind, path)
        }
    }

    private static func mismatch(_ expected: String, _ found: String, _ path: String = "") -> JSONMismatch {
        JSONMismatch(path: path, expected: expected, found: found)
    }
}

extension InterfaceContract.ValueType {
    /// Whether values may be absent or null.
    package var isNullable: Bool { if case .nullable = self { true } else { false } }
}
