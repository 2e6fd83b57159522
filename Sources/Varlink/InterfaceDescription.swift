// SPDX-License-Identifier: Apache-2.0

/// An interface as its description in Varlink's interface definition language says it is.
public struct InterfaceDescription: Hashable, Sendable {
    /// The text that was parsed, as a service hands it out.
    public let text: String
    /// The name, for example `org.varlink.service`.
    public let name: String
    /// The comment before the interface, without the `#`; empty where there is none.
    public let documentation: String
    /// The types that have a name, by it.
    public let types: [String: TypeDefinition]
    /// The methods, by name.
    public let methods: [String: MethodDefinition]
    /// The errors, by name.
    public let errors: [String: TypeDefinition]
}

/// A type with a name, or an error, whose type is always a structure.
public struct TypeDefinition: Hashable, Sendable {
    /// The name, which begins with a capital letter.
    public let name: String
    /// The comment before it, without the `#`.
    public let documentation: String
    /// What it stands for: a structure or an enumeration.
    public let type: ValueType
}

/// A method with the fields that go in and come out.
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
    /// What its values are.
    public let type: ValueType
}

/// What a value may be.
public indirect enum ValueType: Hashable, Sendable {
    /// `bool`: true or false.
    case bool
    /// `int`: an integer of 64 bits.
    case int
    /// `float`: any number.
    case float
    /// `string`.
    case string
    /// `object`: a JSON object of which nothing more is said.
    case object
    /// `any`: any JSON value.
    case any
    /// A type of the same interface.
    case named(String)
    /// `(name: type, …)`.
    case structure([FieldDefinition])
    /// `(one, two, …)`: one of these strings.
    case enumeration([String])
    /// `[]type`.
    case array(ValueType)
    /// `[string]type`: an object with members of any name.
    case map(ValueType)
    /// `?type`: absent or null are fine too.
    case nullable(ValueType)
}
