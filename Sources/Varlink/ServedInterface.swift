// SPDX-License-Identifier: Apache-2.0

internal import Support

/// An interface of a ``Service``: its description is parsed at the first call to the interface, and only the part that checks
/// calls stays in memory. A whole parsed description takes about ten times the memory of its text.
package final class ServedInterface: @unchecked Sendable {
    /// The name, for example `org.varlink.service`.
    package let name: String
    private let makeText: @Sendable () -> String
    /// Guards `parsed`.
    private let lock = Lock()
    private var parsed: InterfaceDescription?

    /// Serves the interface of a description.
    package init(_ description: InterfaceDescription) {
        name = description.name
        makeText = { [text = description.text] in text }
        parsed = description.checkingCalls
    }

    /// Serves the interface of the description that `text` returns, which must be valid and of this name: otherwise each call
    /// returns the error InterfaceNotFound.
    package init(name: String, text: @escaping @Sendable () -> String) {
        self.name = name
        makeText = text
    }

    /// The text of the description.
    var text: String { makeText() }

    /// The whole description, parsed again; nil if the text is invalid.
    var description: InterfaceDescription? {
        guard let description = try? InterfaceDescription(parsing: text), description.name == name else { return nil }
        return description
    }

    /// The part of the description that checks calls; nil if the text is invalid.
    var calls: InterfaceDescription? {
        lock.withLock {
            if parsed == nil { parsed = description?.checkingCalls }
            return parsed
        }
    }
}

extension InterfaceDescription {
    /// The inputs of the methods, and the types that these name, without documentation.
    fileprivate var checkingCalls: InterfaceDescription {
        var named: [String: TypeDefinition] = [:]
        var next = methods.values.flatMap { $0.input.flatMap(\.type.names) }
        while let name = next.popLast() {
            guard named[name] == nil, let type = types[name]?.type else { continue }
            named[name] = TypeDefinition(name: name, documentation: "", type: type.withoutDocumentation)
            next += type.names
        }
        let inputs = methods.mapValues {
            MethodDefinition(
                name: $0.name, documentation: "", input: $0.input.map(\.withoutDocumentation), output: [])
        }
        return InterfaceDescription(text: "", name: name, documentation: "", types: named, methods: inputs, errors: [:])
    }
}

extension ValueType {
    /// The named types in this one, at any depth.
    fileprivate var names: [String] {
        switch self {
        case .bool, .int, .float, .string, .object, .any, .enumeration: []
        case .named(let name): [name]
        case .structure(let fields): fields.flatMap(\.type.names)
        case .array(let type), .map(let type), .nullable(let type): type.names
        }
    }

    fileprivate var withoutDocumentation: ValueType {
        switch self {
        case .bool, .int, .float, .string, .object, .any, .named, .enumeration: self
        case .structure(let fields): .structure(fields.map(\.withoutDocumentation))
        case .array(let type): .array(type.withoutDocumentation)
        case .map(let type): .map(type.withoutDocumentation)
        case .nullable(let type): .nullable(type.withoutDocumentation)
        }
    }
}

extension FieldDefinition {
    fileprivate var withoutDocumentation: FieldDefinition {
        FieldDefinition(name: name, documentation: "", type: type.withoutDocumentation)
    }
}
