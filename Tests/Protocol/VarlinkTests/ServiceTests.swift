// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct ServiceTests {
    private static let lamp = """
        # A lamp.
        interface org.example.lamp
        type Colour (red, green)
        method Light(colour: Colour, brightness: ?float) -> ()

        """
    let service = Service(
        Service.Identity(vendor: "V", product: "P", version: "1", url: "https://example.org"),
        interfaces: [InterfaceDescription(lamp)])

    private func answer(_ method: String, _ parameters: JSONObject = [:], upgrade: Bool = false) throws
        -> String?
    {
        var connection = ServerConnection()
        connection.receive(#"{"method":"a.B"}|"#)
        _ = connection.nextCall()
        guard let answer = service.answer(to: Call(method, parameters, wantsUpgrade: upgrade)) else {
            return nil
        }
        try connection.send(answer)
        return connection.sent()
    }

    @Test func `GetInfo returns the identity and the interfaces`() throws {
        #expect(
            try answer("org.varlink.service.GetInfo")
                == #"{"parameters":{"vendor":"V","product":"P","version":"1","url":"https://example.org","#
                + #""interfaces":["org.varlink.service","org.example.lamp"]}}|"#)
    }

    @Test func `GetInterfaceDescription returns the unchanged text`() throws {
        let method = "org.varlink.service.GetInterfaceDescription"
        let lamp: JSONObject = ["description": .string(Self.lamp)]
        #expect(try answer(method, ["interface": "org.example.lamp"]) == #"{"parameters":\#(lamp)}|"#)
        let own = try #require(try answer(method, ["interface": "org.varlink.service"]))
        #expect(own.contains("interface org.varlink.service\\n") && own.contains("method GetInfo() -> ("))
    }

    /// U+212A, the Kelvin sign, is canonically equivalent to K.
    @Test func `names are compared as bytes`() throws {
        let keep = InterfaceDescription("interface org.example.lamp\nmethod Keep(Key: ?Kind) -> ()\n")
        let service = Service(service.identity, interfaces: [keep])
        #expect(service.answer(to: Call("org.example.lamp.Keep")) == nil)
        #expect(service.answer(to: Call("org.example.lamp.\u{212A}eep")) != nil)
        enum Kind: String, CaseIterable { case kelvin = "K" }
        var call = Call("org.example.lamp.Keep", ["\u{212A}ey": "K", "Kind": "\u{212A}"])
        #expect(throws: ErrorReply.invalidParameter("Key")) { try call.take("Key") as String }
        #expect(throws: ErrorReply.invalidParameter("Kind")) { try call.takeCase("Kind") as Kind }
    }

    /// Their normalization would take minutes for each comparison.
    @Test(.timeLimit(.minutes(10))) func `long runs of combining marks in names are compared in time`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 200_000)
        for call in [Call("org.example.lamp.Light" + marks), Call("org.example.lamp" + marks + ".Light")] {
            #expect(service.answer(to: call) != nil)
        }
        enum Colour: String, CaseIterable { case red }
        var call = Call("org.example.lamp.Light", ["colour" + marks: 1, "colour": .string("red" + marks)])
        #expect(throws: ErrorReply.invalidParameter("colour")) { try call.takeCase("colour") as Colour }
        #expect(throws: ErrorReply.self) { try call.refuseUnknownParameters() }
    }

    @Test func `a call of another interface is left to the owner, which takes its parameters`() throws {
        #expect(try answer("org.example.lamp.Light", ["colour": "red", "size": 1]) == nil)
        enum Colour: String, CaseIterable { case red }
        var call = Call("org.example.lamp.Light", ["colour": "red", "brightness": 1, "dimmed": nil, "size": 1])
        #expect(try call.takeCase("colour") == Colour.red)
        #expect(try call.takeOptional("brightness") == 1.0)
        #expect(try call.takeOptional("dimmed") == nil as Bool?)
        #expect(throws: ErrorReply.invalidParameter("missing")) { try call.take("missing") as Bool }
        #expect(throws: ErrorReply.invalidParameter("size")) { try call.refuseUnknownParameters() }
        #expect(throws: ErrorReply.invalidParameter("size")) { try call.takeOptional("size") as String? }
    }

    @Test(
        arguments: [
            ("org.example.none.Light", [:], "InterfaceNotFound", ["interface": "org.example.none"]),
            ("org.example.lamp.Dim", [:], "MethodNotFound", ["method": "org.example.lamp.Dim"]),
            ("org.varlink.service.GetName", [:], "MethodNotFound", ["method": "org.varlink.service.GetName"]),
            ("Light", [:], "InvalidParameter", ["parameter": "method"]),
            ("", [:], "InvalidParameter", ["parameter": "method"]),
            ("org.varlink.service.GetInfo", ["size": 1], "InvalidParameter", ["parameter": "size"]),
            (
                "org.varlink.service.GetInterfaceDescription", [:], "InvalidParameter",
                ["parameter": "interface"]
            ),
            (
                "org.varlink.service.GetInterfaceDescription", ["interface": "a.b"], "InterfaceNotFound",
                ["interface": "a.b"]
            ),
        ] as [(String, JSONObject, String, JSONObject)])
    func `an invalid call gets the error that names the cause`(
        method: String, parameters: JSONObject, error: String, details: JSONObject
    ) throws {
        #expect(
            try answer(method, parameters)
                == #"{"error":"org.varlink.service.\#(error)","parameters":\#(details)}|"#)
    }

    @Test(arguments: [
        ("org.varlink.service.", "org.varlink.service.MethodNotFound"),
        ("", "org.varlink.service.InvalidParameter"),
        ("org.example.missing", "org.varlink.service.InterfaceNotFound"),
    ])
    func `an error repeats no more than the beginning of a long name`(prefix: String, error: String) throws {
        let name = String(repeating: "\u{80}", count: 30_000)
        let method = prefix + name + (error.hasSuffix("InterfaceNotFound") ? ".Light" : "")
        let reply = try #require(try answer(method, [:]))
        #expect(reply.hasPrefix(#"{"error":"\#(error)""#) && reply.utf8.count < 1_000)
        let parameter = try #require(try answer("org.varlink.service.GetInfo", [name: .null]))
        #expect(parameter.contains("InvalidParameter") && parameter.utf8.count < 1_000)
        #expect(ErrorReply.methodNotFound(name).parameters["method"] == .string(String(name.prefix(128)) + "…"))
        #expect(ErrorReply.methodNotFound("x" + name).parameters["method"] == .string("x" + name.prefix(127) + "…"))
    }

    @Test func `a call with upgrade is an error`() throws {
        #expect(
            try answer("org.example.lamp.Light", ["colour": "red"], upgrade: true)?.contains("upgrade")
                == true)
    }
}
