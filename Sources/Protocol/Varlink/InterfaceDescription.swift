// SPDX-License-Identifier: Apache-2.0

/// A parsed interface description in Varlink's interface definition language.
///
///     let interface = try InterfaceDescription(parsing: "interface org.example.lamp\nmethod Light() -> ()")
public struct InterfaceDescription: Hashable, Sendable {
    /// The parsed text, which GetInterfaceDescription returns.
    public let text: String
    /// The name, for example `org.varlink.service`.
    public let name: String
    /// The comment before the interface, without the `#`; empty without a comment.
    public let documentation: String
    /// The named types, by name.
    public let types: [String: TypeDefinition]
    /// The methods, by name.
    public let methods: [String: MethodDefinition]
    /// The errors, by name.
    public let errors: [String: TypeDefinition]
}

/// A named type, or an error, whose type is always a structure.
public struct TypeDefinition: Hashable, Sendable {
    /// The name, which begins with a capital letter.
    public let name: String
    /// The comment before it, without the `#`.
    public let documentation: String
    /// The definition: a structure or an enumeration.
    public let type: ValueType
}

/// A method with its input and output fields.
public struct MethodDefinition: Hashable, Sendable {
    /// The name, which begins with a capital letter.
    public let name: String
    /// The comment before it, without the `#`.
    public let documentation: String
    /// The parameters of a call.
    public let input: [FieldDefinition]
    /// The parameters of a reply.
    public let output: [FieldDefinition]
}

/// A field of a structure.
public struct FieldDefinition: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The comment before it, without the `#`.
    public let documentation: String
    /// The type of its values.
    public let type: ValueType
}

/// The type of a value.
public indirect enum ValueType: Hashable, Sendable {
    /// `bool`: true or false.
    case bool
    /// `int`: a 64-bit signed integer.
    case int
    /// `float`: any number.
    case float
    /// `string`.
    case string
    /// `object`: a JSON object with any members.
    case object
    /// `any`: any JSON value.
    case any
    /// A named type of the same interface.
    case named(String)
    /// `(name: type, …)`.
    case structure([FieldDefinition])
    /// `(one, two, …)`: one of these strings.
    case enumeration([String])
    /// `[]type`.
    case array(ValueType)
    /// `[string]type`: an object with members of any name.
    case map(ValueType)
    /// `?type`: may be absent or null.
    case nullable(ValueType)
}
