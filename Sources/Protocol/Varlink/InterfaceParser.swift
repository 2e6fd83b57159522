// SPDX-License-Identifier: Apache-2.0

extension InterfaceDescription {
    /// The deepest nesting of types in a description: limits the parser's recursion on descriptions from a service.
    public static let maximumNesting = 32

    /// Parses a description.
    ///
    /// - Throws: ``InterfaceSyntaxError`` with line and column.
    public init(parsing text: String) throws(InterfaceSyntaxError) {
        var parser = try InterfaceParser(text)
        self = try parser.interface(text)
    }
}

/// A parser of varlink.org's interface definition language, with systemd's extension `any`.
struct InterfaceParser {
    private typealias Token = InterfaceScanner.Token

    private var scanner: InterfaceScanner
    private var types: [String: TypeDefinition] = [:]
    private var methods: [String: MethodDefinition] = [:]
    private var errors: [String: TypeDefinition] = [:]
    /// The references to named types, resolved after the last definition.
    private var references: [Token] = []

    init(_ text: String) throws(InterfaceSyntaxError) {
        scanner = try InterfaceScanner(text)
    }

    mutating func interface(_ text: String) throws(InterfaceSyntaxError) -> InterfaceDescription {
        let keyword = try expect("interface")
        let name = try scanner.take()
        guard InterfaceNames.isInterface(name.text) else {
            throw scanner.error(
                "invalid interface name '\(name.text)': must have the form org.example.name", at: name)
        }
        while !scanner.next.isEnd { try member() }
        for reference in references where types[reference.text] == nil {
            throw scanner.error("undefined type '\(reference.text)'", at: reference)
        }
        return InterfaceDescription(
            text: text, name: name.text, documentation: keyword.comment, types: types, methods: methods,
            errors: errors)
    }

    private mutating func member() throws(InterfaceSyntaxError) {
        let keyword = try scanner.take()
        guard ["type", "method", "error"].contains(keyword.text) else {
            throw scanner.error("expected type, method or error, found '\(keyword.text)'", at: keyword)
        }
        let name = try memberName()
        switch keyword.text {
        case "type":
            types[name] = TypeDefinition(
                name: name, documentation: keyword.comment, type: try parenthesised(depth: 0))
        case "error":
            errors[name] = TypeDefinition(
                name: name, documentation: keyword.comment, type: .structure(try structure()))
        default:
            let input = try structure()
            _ = try expect("->")
            methods[name] = MethodDefinition(
                name: name, documentation: keyword.comment, input: input, output: try structure())
        }
    }

    private mutating func memberName() throws(InterfaceSyntaxError) -> String {
        let token = try scanner.take()
        let name = token.text
        guard InterfaceNames.isMember(name) else {
            throw scanner.error(
                "invalid name '\(name)': must begin with a capital letter", at: token)
        }
        guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
            throw scanner.error("duplicate name '\(name)'", at: token)
        }
        return name
    }

    private mutating func structure() throws(InterfaceSyntaxError) -> [FieldDefinition] {
        let start = scanner.next
        guard case .structure(let fields) = try parenthesised(depth: 0) else {
            throw scanner.error("expected fields with types, found an enumeration", at: start)
        }
        return fields
    }

    /// Parses `()`, `(name: type, …)` or `(one, two, …)`.
    private mutating func parenthesised(depth: Int) throws(InterfaceSyntaxError) -> ValueType {
        _ = try expect("(")
        if try scanner.take(if: ")") { return .structure([]) }
        var first = true
        var fields: [FieldDefinition] = []
        var cases: [String] = []
        repeat {
            let token = try scanner.take()
            guard InterfaceNames.isField(token.text) else {
                throw scanner.error("expected a name, found '\(token.text)'", at: token)
            }
            guard !cases.contains(token.text), !fields.contains(where: { $0.name == token.text }) else {
                throw scanner.error("duplicate name '\(token.text)'", at: token)
            }
            if first ? scanner.next.text == ":" : cases.isEmpty {
                _ = try expect(":")
                let type = try type(depth: depth + 1)
                fields.append(FieldDefinition(name: token.text, documentation: token.comment, type: type))
            } else {
                cases.append(token.text)
            }
            first = false
        } while try scanner.take(if: ",")
        _ = try expect(")")
        return cases.isEmpty ? .structure(fields) : .enumeration(cases)
    }

    private mutating func type(depth: Int) throws(InterfaceSyntaxError) -> ValueType {
        let token = scanner.next
        guard depth < InterfaceDescription.maximumNesting else {
            throw scanner.error(
                "types nested deeper than \(InterfaceDescription.maximumNesting) levels", at: token)
        }
        if token.text == "(" { return try parenthesised(depth: depth) }
        _ = try scanner.take()
        switch token.text {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        case "[]": return .array(try type(depth: depth + 1))
        case "[string]": return .map(try type(depth: depth + 1))
        case "?":
            guard scanner.next.text != "?" else {
                throw scanner.error("duplicate '?'", at: scanner.next)
            }
            return .nullable(try type(depth: depth + 1))
        case let name where InterfaceNames.isMember(name):
            references.append(token)
            return .named(name)
        default:
            throw scanner.error("expected a type, found '\(token.text)'", at: token)
        }
    }

    private mutating func expect(_ text: String) throws(InterfaceSyntaxError) -> Token {
        let token = try scanner.take()
        guard token.text == text else {
            let found = token.isEnd ? "the end of the text" : "'\(token.text)'"
            throw scanner.error("expected '\(text)', found \(found)", at: token)
        }
        return token
    }
}
