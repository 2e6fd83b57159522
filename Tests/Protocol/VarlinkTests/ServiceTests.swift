// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct ServiceTests {
    let service: Service

    init() throws {
        let lamp = """
            interface org.example.lamp
            type Colour (red, green)
            method Light(colour: Colour, brightness: ?float) -> ()

            """
        service = Service(
            Service.Identity(vendor: "V", product: "P", version: "1", url: "https://example.org"),
            interfaces: [try InterfaceDescription(parsing: lamp)])
    }

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

    @Test(arguments: ["org.varlink.service", "org.example.lamp"])
    func `GetInterfaceDescription returns a description that parses`(name: String) throws {
        let reply = try #require(
            try answer("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)]))
        let object = try JSONObject(json: JSONValue(parsing: String(reply.dropLast())))
        let parameters: JSONObject = try object.value("parameters")
        #expect(try InterfaceDescription(parsing: parameters.value("description")).name == name)
    }

    /// U+212A, the Kelvin sign, is canonically equivalent to K.
    @Test func `names are compared as bytes`() throws {
        let text = "interface org.example.lamp\ntype Kind (K)\nmethod Keep(Key: ?Kind) -> ()\n"
        var service = service
        service.add(try InterfaceDescription(parsing: text))
        #expect(service.answer(to: Call("org.example.lamp.Keep", ["Key": "K"])) == nil)
        for call in [
            Call("org.example.lamp.\u{212A}eep"), Call("org.example.lamp.Keep", ["\u{212A}ey": "K"]),
            Call("org.example.lamp.Keep", ["Key": "\u{212A}"]),
        ] {
            #expect(service.answer(to: call) != nil, "\(call.method) \(call.parameters)")
        }
    }

    /// Their normalization would take minutes for each comparison.
    @Test(.timeLimit(.minutes(10))) func `long runs of combining marks in names are compared in time`() {
        let marks = String(repeating: "\u{301}\u{323}", count: 200_000)
        for call in [
            Call("org.example.lamp.Light" + marks), Call("org.example.lamp" + marks + ".Light"),
            Call("org.example.lamp.Light", ["colour" + marks: 1]),
            Call("org.example.lamp.Light", ["colour": .string("red" + marks)]),
        ] {
            #expect(service.answer(to: call) != nil)
        }
    }

    @Test func `a valid call to another interface is left to the owner`() throws {
        #expect(try answer("org.example.lamp.Light", ["colour": "red"]) == nil)
        #expect(try answer("org.example.lamp.Light", ["colour": "red", "brightness": 1]) == nil)
        #expect(try answer("org.example.lamp.Light", ["colour": "red", "brightness": nil]) == nil)
    }

    @Test(
        arguments: [
            ("org.example.none.Light", [:], "InterfaceNotFound", ["interface": "org.example.none"]),
            ("org.example.lamp.Dim", [:], "MethodNotFound", ["method": "org.example.lamp.Dim"]),
            ("org.varlink.service.GetName", [:], "MethodNotFound", ["method": "org.varlink.service.GetName"]),
            ("Light", [:], "InvalidParameter", ["parameter": "method"]),
            ("", [:], "InvalidParameter", ["parameter": "method"]),
            ("org.example.lamp.Light", [:], "InvalidParameter", ["parameter": "colour"]),
            ("org.example.lamp.Light", ["colour": "blue"], "InvalidParameter", ["parameter": "colour"]),
            (
                "org.example.lamp.Light", ["colour": "red", "size": 1], "InvalidParameter",
                ["parameter": "size"]
            ),
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
        let parameter = try #require(try answer("org.example.lamp.Light", [name: .null]))
        #expect(parameter.contains("InvalidParameter") && parameter.utf8.count < 1_000)
        #expect(ErrorReply.methodNotFound(name).parameters["method"] == .string(String(name.prefix(128)) + "…"))
        #expect(ErrorReply.methodNotFound("x" + name).parameters["method"] == .string("x" + name.prefix(127) + "…"))
    }

    @Test func `a call with upgrade is an error`() throws {
        #expect(
            try answer("org.example.lamp.Light", ["colour": "red"], upgrade: true)?.contains("upgrade")
                == true)
    }

    @Test func `interfaces are added, replaced and removed`() throws {
        var service = service
        service.remove("org.example.lamp")
        #expect(service.interfaces.isEmpty)
        #expect(service.answer(to: Call("org.example.lamp.Light", ["colour": "red"])) != nil)
        let other = try InterfaceDescription(parsing: "interface org.example.lamp\nmethod Off() -> ()")
        service.add(other)
        service.add(other)
        #expect(service.interfaces == [other])
        #expect(service.answer(to: Call("org.example.lamp.Off")) == nil)
    }
}
