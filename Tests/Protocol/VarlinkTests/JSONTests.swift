// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing
import Varlink

@Suite struct JSONTests {
    @Test(arguments: [
        #"null"#, #"true"#, #"false"#, #"0"#, #"-9223372036854775808"#, #"9223372036854775807"#, #"0.1"#,
        #"-1.5e-07"#,
        #""""#, #""Grüße 🙂""#, #""\"\\\n\t\u0001""#, #"[]"#, #"{}"#, #"[1,[2,{"a":[null]}],"x"]"#,
        #"{"z":1,"a":{"b":2.5},"m":[true,false]}"#,
    ])
    func `parsed JSON is written unchanged, with members in their order`(text: String) throws {
        #expect(try JSONValue(parsing: text).description == text)
    }

    @Test func `control characters are written as escapes and parse to the same string`() throws {
        let text = "a\u{7F}\u{9B}31m\u{202E}\u{2028}\u{E0001}é\u{1F642}"
        let written = JSONValue.string(text).description
        #expect(written == #""a\u007f\u009b31m\u202e\u2028\udb40\udc01é🙂""#)
        #expect(try JSONValue(parsing: written) == .string(text))
    }

    @Test func `texts of any scalars are written without controls, and read back as they were`() throws {
        let special = [
            "\"", "\\", "\n", "\t", "\u{1}", "\u{7F}", "\u{9F}", "\u{A0}", "\u{7FF}", "\u{200E}", "\u{FFFD}",
            "\u{10FFFF}",
        ]
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ -> String in
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: special.randomElement(using: &generator) ?? ""
                case 1: String(UnicodeScalar(UInt8.random(in: 0x20..<0x7F, using: &generator)))
                default:
                    UnicodeScalar(UInt32.random(in: 0x80...0x10_FFFF, using: &generator)).map(String.init) ?? "é"
                }
            }.joined()
            let written = JSONValue.string(text).description
            #expect(try JSONValue(parsing: written) == .string(text))
            #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test(arguments: [
        "", " ", "nul", "{", "[1,]", "{\"a\":1,}", "{'a':1}", "01", "+1", "1.", ".5", "NaN", "Infinity", "-",
        "1 2",
        "{}{}", "\"a", "\"\\x\"", "\"\t\"", "[1 2]", "{\"a\" 1}", "{a:1}", "// x\n1", "\u{FEFF}{}",
        #""\u0000""#, #"{"\u0000":1}"#, #""\ud800""#, #""\udc00\ud800""#,
        "9223372036854775808", "-9223372036854775809", "1e999", "-1e999",
        #"{"a":1,"a":1}"#, #"{"a":{"b":1,"c":2,"b":3}}"#, #"{"a":1,"\u0061":2}"#,
    ])
    func `text that is not strict JSON is an error with a reason`(text: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error?.reason.isEmpty == false)
    }

    @Test(
        arguments: [
            [0xFF], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x7B, 0x7D, 0x00], [0x00], [0x22, 0x00, 0x22],
        ] as [[UInt8]])
    func `invalid UTF-8 and NUL bytes are errors`(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func `values nested beyond the limit are an error`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(3), maximumDepth: 3) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(4), maximumDepth: 3) }
        for depth in [65, 2000, 2049, 30_000] {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(depth)) }
            let objects =
                String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: objects) }
        }
    }

    @Test func `values of any kinds are written so that they parse to the same value`() throws {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<500 {
            let value = Self.value(depth: 4, &generator)
            #expect(try JSONValue(parsing: value.description) == value)
        }
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        // Of all lengths.
        case 2:
            return .integer(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
        case 3: return .real(.random(in: -1e9...1e9, using: &generator))
        case 4:
            return .string(
                ["", "a", "\"", "é\u{1}", "a long text without any escapes"].randomElement(using: &generator) ?? "")
        case 5:
            return .array(
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1, &generator) })
        default:
            let names = ["a", "b\\", "c\n"].prefix(Int.random(in: 0...3, using: &generator))
            return .object(JSONObject(names.map { ($0, value(depth: depth - 1, &generator)) }))
        }
    }

    @Test func `infinities and NaN are written as null`() {
        #expect(
            JSONValue.array([.real(.nan), .real(.infinity), .real(-.infinity)]).description
                == "[null,null,null]")
    }

    @Test func `setting a member keeps its position, and setting nil removes it`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        #expect(object.description == #"{"a":3,"c":4}"#)
    }

    @Test func `reading a member of another type is a mismatch with its path`() throws {
        let object = try JSONObject(
            json: JSONValue(parsing: #"{"list":[1,2,"x"],"number":7,"nothing":null}"#))
        let inList = #expect(throws: JSONMismatch.self) { try object.value("list", as: [Int].self) }
        #expect(inList?.description == "list[2]: expected an integer, found a string")
        #expect(inList?.path == "list[2]")
        let absent = #expect(throws: JSONMismatch.self) { try object.value("name", as: String.self) }
        #expect(absent?.description == "name: expected a value, found nothing")
        #expect(try object.value("number", as: Double.self) == 7)
        #expect(try object.optionalValue("nothing", as: String.self) == nil)
        #expect(try object.optionalValue("name", as: String.self) == nil)
        #expect(throws: JSONMismatch.self) { try object.optionalValue("number", as: Bool.self) }
    }
}
