// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct NamedTypeTests {
    /// The types that the parameters below name.
    private static let types = """
        # Names no other type.
        type Level (low, high)
        # Names one.
        type Box (
          # At the top.
          level: Level
        )
        # Names itself.
        type Node (level: Level, next: ?Node)
        # Name each other.
        type Even (odd: ?Odd)
        type Odd (even: ?Even, level: Level)
        """

    /// A description with one method, whose parameter is of this type.
    private static func text(_ type: String) -> String {
        """
        # A lamp.
          interface   org.example.lamp


        \(types)
        type Unused (box: Box)

        # Sets the lamp.
        method Set( value : \(type) )->(box: Box) # afterwards
        error Broken (level: Level)


        """
    }

    private static func service(_ text: String) throws -> Service {
        let identity = Service.Identity(vendor: "V", product: "P", version: "1", url: "https://example.org")
        return Service(identity, interfaces: [try InterfaceDescription(parsing: text)])
    }

    private static func call(_ value: String) throws -> Call {
        Call("org.example.lamp.Set", ["value": try JSONValue(parsing: value)])
    }

    /// Types with values that are invalid, and values that are valid.
    private static let cases: [(type: String, invalid: [String], valid: [String])] = [
        ("Level", [#""off""#, "1", "null"], [#""low""#]),
        ("?Level", [#""off""#, "[]"], [#""low""#, "null"]),
        ("[]Level", [#"["low","off"]"#, #""low""#, "[null]"], [#"["low","high"]"#, "[]"]),
        ("[string]Level", [#"{"a":"off"}"#, #"["low"]"#], [#"{"a":"low"}"#, "{}"]),
        ("(inner: Level)", [#"{"inner":"off"}"#, "{}", #"{"inner":"low","outer":1}"#], [#"{"inner":"low"}"#]),
        ("Box", [#"{"level":"off"}"#, "{}", #"{"level":"low","more":1}"#], [#"{"level":"low"}"#]),
        (
            "?[][string](boxes: ?[]Box)", [#"[{"a":{"boxes":[{"level":"off"}]}}]"#, #"[{"a":{"boxes":["low"]}}]"#],
            [#"[{"a":{"boxes":[{"level":"low"}]}}]"#, #"[{"a":{}}]"#, "null"]
        ),
        (
            "Node", [#"{"level":"low","next":{"level":"low","next":{"level":"off"}}}"#, #"{"level":"low","next":{}}"#],
            [#"{"level":"low","next":{"level":"high","next":null}}"#]
        ),
        (
            "Even", [#"{"odd":{"level":"off"}}"#, #"{"odd":{"level":"low","even":{"odd":{}}}}"#],
            [#"{"odd":{"level":"low","even":{"odd":{"level":"high"}}}}"#, "{}"]
        ),
    ]

    @Test(arguments: cases)
    func `a call with an invalid value of a named type, at any depth, gets an error`(
        type: String, invalid: [String], valid: [String]
    ) throws {
        let error = EncodedMessage(error: .invalidParameter("value")).bytes
        let service = try Self.service(Self.text(type))
        for value in invalid { #expect(service.answer(to: try Self.call(value))?.bytes == error, "\(value)") }
    }

    @Test(arguments: cases)
    func `a call with a valid value of a named type, at any depth, is left to the owner`(
        type: String, invalid: [String], valid: [String]
    ) throws {
        let service = try Self.service(Self.text(type))
        for value in valid { #expect(service.answer(to: try Self.call(value)) == nil, "\(value)") }
    }

    @Test func `GetInterfaceDescription returns the unchanged text`() throws {
        let text = Self.text("Node")
        let call = Call("org.varlink.service.GetInterfaceDescription", ["interface": "org.example.lamp"])
        let expected = EncodedMessage(reply: ["description": .string(text)]).bytes
        #expect(try Self.service(text).answer(to: call)?.bytes == expected)
    }
}
