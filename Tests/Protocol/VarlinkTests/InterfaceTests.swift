// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct InterfaceTests {
    static let text = """
        # Everything that the grammar knows.
        # In two lines.
        interface org.example.all-of.it9

        # An enumeration.
        type Colour (red, green, light_blue)

        # Detached.

        type Everything (
          # a truth
          a: bool, b: int, c: float, d: string, e: object, f: any,
          g: (one, two), h: (x: int, y: (z: ?string)), i: []string, j: [string]int,
          k: ?string, l: ?[](first: int, second: string), m: Colour, n: [string](), o: [][]?Colour,
          p: ?[string][]Everything
        )
        method Empty()->()
        # Does it.
        method Do(what: Everything, colour: ?Colour) -> (done: bool) # afterwards
        error Broken (why: string)
        error Worn ()
        """

    @Test func `an interface that uses the whole grammar is parsed with its comments`() throws {
        let interface = try InterfaceDescription(parsing: Self.text)
        #expect(interface.name == "org.example.all-of.it9")
        #expect(interface.documentation == "Everything that the grammar knows.\nIn two lines.")
        #expect(interface.types["Colour"]?.type == .enumeration(["red", "green", "light_blue"]))
        #expect(interface.types["Colour"]?.documentation == "An enumeration.")
        #expect(interface.types["Everything"]?.documentation == "")
        guard case .structure(let fields)? = interface.types["Everything"]?.type else {
            Issue.record("Everything is no structure")
            return
        }
        #expect(fields.first?.documentation == "a truth")
        let types = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.type) })
        #expect(types.count == 16)
        #expect(types["g"] == .enumeration(["one", "two"]))
        #expect(types["j"] == .map(.int))
        #expect(types["n"] == .map(.structure([])))
        #expect(types["o"] == .array(.array(.nullable(.named("Colour")))))
        #expect(types["p"] == .nullable(.map(.array(.named("Everything")))))
        #expect(interface.methods["Empty"]?.input == [])
        #expect(interface.methods["Do"]?.documentation == "Does it.")
        #expect(interface.methods["Do"]?.input.map(\.name) == ["what", "colour"])
        #expect(interface.methods["Do"]?.output.map(\.type) == [.bool])
        #expect(interface.errors["Broken"]?.type != nil)
        #expect(interface.errors["Worn"]?.type == .structure([]))
        #expect(interface.text == Self.text)
    }

    @Test(arguments: [
        ("", 1, 1, "expected 'interface', found the end"),
        ("interface foo", 1, 11, "invalid interface name 'foo'"),
        ("interface org.-a", 1, 11, "invalid interface name"),
        ("interface 9org.a", 1, 11, "invalid interface name"),
        ("interface a.b\nstruct X ()", 2, 1, "expected type, method or error"),
        ("interface a.b\ntype lower ()", 2, 6, "capital letter"),
        ("interface a.b\ntype X (a: bool,)", 2, 17, "expected a name, found ')'"),
        ("interface a.b\ntype X (a: bool, b)", 2, 19, "expected ':'"),
        ("interface a.b\ntype X (a, b: bool)", 2, 13, "expected ')', found ':'"),
        ("interface a.b\ntype X (a: bool, a: int)", 2, 18, "duplicate name 'a'"),
        ("interface a.b\ntype X (a, a)", 2, 12, "duplicate name 'a'"),
        ("interface a.b\ntype X (_a: int)", 2, 9, "expected a name"),
        ("interface a.b\ntype X (a__b: int)", 2, 9, "expected a name"),
        ("interface a.b\ntype X (a_: int)", 2, 9, "expected a name"),
        ("interface a.b\ntype X (a: ??int)", 2, 13, "duplicate '?'"),
        ("interface a.b\ntype X (a: Y)", 2, 12, "undefined type 'Y'"),
        ("interface a.b\ntype X (a: M)\nmethod M()->()", 2, 12, "undefined type 'M'"),
        ("interface a.b\ntype X (a: number)", 2, 12, "expected a type"),
        ("interface a.b\ntype X ()\nerror X ()", 3, 7, "duplicate name 'X'"),
        ("interface a.b\nmethod M() (a: int)", 2, 12, "expected '->'"),
        ("interface a.b\nmethod M(a, b) -> ()", 2, 9, "found an enumeration"),
        ("interface a.b\nerror E (a, b)", 2, 9, "found an enumeration"),
        ("interface a.b\ntype X (a: int", 2, 15, "expected ')', found the end"),
        ("interface a.b\n  ;", 2, 3, "unexpected character ';'"),
    ])
    func `a syntax error has its line, column and reason`(text: String, line: Int, column: Int, reason: String) throws {
        let error = #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `types nested beyond the limit are an error, without a stack overflow`() {
        for opening in ["(a:", "[]", "[string]", "?[]"] {
            let text = "interface a.b\ntype X (a: " + String(repeating: opening, count: 100_000)
            let error = #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }
            #expect(error?.reason.contains("deeper") == true)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"what":1}"#, #"{"what":{"x":1}}"#, #"{"what":{"x":"1","c":"red"}}"#,
        #"{"what":{"x":1.0,"c":"red"}}"#,
        #"{"what":{"x":1,"c":"pink"}}"#, #"{"what":{"x":1,"c":"red","newer":true}}"#,
        #"{"what":{"x":1,"c":"red","list":[1,null]}}"#, #"{"what":{"x":1,"c":"red","map":{"a":"b"}}}"#,
        #"{"what":{"x":null,"c":"red"}}"#, #"{"what":{"x":1,"c":"red"},"newer":1}"#,
        #"{"what":{"x":1,"c":"red","more":{"c":"red"}}}"#, #"{"what":{"x":1,"c":"red","free":[]}}"#,
    ])
    func `a value of another type is a mismatch`(text: String) throws {
        #expect(throws: JSONMismatch.self) { try check(text) }
    }

    @Test(arguments: [
        #"{"what":{"x":1,"c":"red"}}"#, #"{"what":{"x":1,"c":"red","f":1,"list":[],"map":{}}}"#,
        #"{"what":{"x":1,"c":"red","f":null,"list":["a"],"map":{"a b":2}}}"#,
        #"{"what":{"x":1,"c":"red","f":1.5,"more":{"x":2,"c":"green","more":null}}}"#,
        #"{"what":{"x":1,"c":"red","free":{"a":[1]},"any":[{}]}}"#,
    ])
    func `a value of the type is accepted, with optional fields absent or null`(text: String) throws {
        #expect(throws: Never.self) { try check(text) }
    }

    @Test func `a mismatch has its path, the expected and the found type`() throws {
        let error = #expect(throws: JSONMismatch.self) {
            try check(#"{"what":{"x":1,"c":"red","more":{"x":1,"c":"pink"}}}"#)
        }
        #expect(error?.description == "what.more.c: expected one of red, green, found 'pink'")
        #expect(error?.parameter == "what")
    }

    private func check(_ text: String) throws {
        let interface = try InterfaceDescription(
            parsing: """
                interface a.b
                type Thing (
                  x: int, c: (red, green), f: ?float, list: ?[]string, map: ?[string]int, more: ?Thing,
                  free: ?object, any: ?any
                )
                method M(what: Thing) -> ()
                """)
        let fields = interface.methods["M"]?.input ?? []
        try interface.check(JSONObject(json: JSONValue(parsing: text)), against: fields)
    }
}
