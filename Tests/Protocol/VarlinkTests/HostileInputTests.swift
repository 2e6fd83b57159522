// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing
import Varlink

@Suite struct HostileInputTests {
    private var connection = ServerConnection()

    /// The protocol defines no reply to a message that is not a call.
    @Test(arguments: [
        "|", "||||||||", "x|", "{|", "[]|", "1|", "null|", "\"a.B\"|", "{}{}|",
        "{\"method\":\"a.B\",\"method\":\"a.C\"}|",
        "\u{1}|", "{\"method\":\"a.B\",\"parameters\":{\"n\":1e999}}|",
        #"{"method":"a.B","parameters":{"a":"\u0000"}}|"#,
        #"{"method":7,"oneway":true}|"#, #"{"method":"a.B","more":true,"oneway":true}|"#,
    ])
    mutating func `a message that is not a call ends the connection without a reply`(text: String) throws {
        connection.receive(text + #"{"method":"a.Next"}|"#)
        #expect(connection.nextCall() == nil)
        guard case .malformed(let reason) = connection.ending else {
            Issue.record("ended with \(String(describing: connection.ending))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(connection.readCapacity == 0)
        #expect(connection.nextCall() == nil)
        #expect(connection.sent() == "")
    }

    @Test(arguments: [
        (#"{}|"#, "method"), (#"{"method":7}|"#, "method"), (#"{"method":null}|"#, "method"),
        (#"{"method":"a.B","parameters":[]}|"#, "parameters"), (#"{"method":"a.B","more":1}|"#, "more"),
        (#"{"method":"a.B","oneway":"yes"}|"#, "oneway"), (#"{"method":"a.B","upgrade":[]}|"#, "upgrade"),
        (#"{"error":"a.B","parameters":{}}|"#, "method"),
    ])
    mutating func `a call with an invalid member gets InvalidParameter with its name, and the connection ends`(
        text: String, parameter: String
    ) throws {
        connection.receive(text)
        #expect(connection.nextCall() == nil)
        #expect(connection.ending == nil)
        #expect(
            connection.sent()
                == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(parameter)"}}|"#
        )
        guard case .malformed = connection.ending else {
            Issue.record("ended with \(String(describing: connection.ending))")
            return
        }
    }

    @Test func `a message of the maximum size is accepted, a longer one ends the connection`() throws {
        let empty = #"{"method":"a.B","parameters":{"s":""}}"#
        var limits = Limits()
        limits.messageBytes = 1000
        for excess in [0, 1] {
            let filler = String(repeating: "x", count: 1000 - empty.utf8.count + excess)
            let text = #"{"method":"a.B","parameters":{"s":"\#(filler)"}}"#
            var connection = ServerConnection(limits: limits)
            #expect(connection.readCapacity == 1001)
            connection.receive(String(text.prefix(1001)))
            connection.receive("|")
            #expect((connection.nextCall() != nil) == (excess == 0))
            #expect(connection.ending == (excess == 0 ? nil : .oversized))
        }
    }

    @Test mutating func `an endless message behind a subscription ends the connection`() throws {
        connection.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = connection.nextCall()
        while connection.readCapacity > 0 {
            connection.receive(String(repeating: " ", count: min(4096, connection.readCapacity)))
        }
        #expect(connection.ending == .oversized)
        #expect(throws: ServerConnection.ReplyError.noCall) { try connection.reply([:]) }
    }

    @Test mutating func `the bytes behind a subscription are limited to the size of a message`() throws {
        connection.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = connection.nextCall()
        connection.receive(#"{"method":"a.B"}|"#)
        var total = 0
        while connection.readCapacity > 0 {
            let count = min(4096, connection.readCapacity)
            connection.receive(String(repeating: " ", count: count))
            total += count
        }
        #expect(total <= Limits().messageBytes)
        #expect(connection.ending == nil)
        try connection.reply([:])
        #expect(connection.nextCall()?.method == "a.B")
    }

    @Test mutating func `a truncated message ends the connection`() {
        connection.receive(#"{"method":"a."#)
        connection.receiveEnd()
        #expect(connection.nextCall() == nil)
        #expect(connection.ending == .truncated)
    }

    /// The call and its parameters count as two levels.
    @Test(arguments: [(nil, 62, true), (nil, 63, false), (nil, 500, false), (8, 6, true), (8, 7, false)])
    func `a call nested to the limit is accepted, a deeper one ends the connection`(
        nesting: Int?, arrays: Int, isAccepted: Bool
    ) {
        var limits = Limits()
        if let nesting { limits.nesting = nesting }
        var connection = ServerConnection(limits: limits)
        let deep = String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
        connection.receive(#"{"method":"a.B","parameters":{"x":\#(deep)}}|"#)
        #expect((connection.nextCall() != nil) == isAccepted)
        if isAccepted {
            #expect(connection.ending == nil)
        } else if case .malformed(let reason) = connection.ending {
            #expect(reason.contains("nested") || reason.contains("depth"), "\(reason)")
        } else {
            Issue.record("ended with \(String(describing: connection.ending))")
        }
    }

    @Test(arguments: [0, 1])
    func `a call with the maximum of structural characters is accepted, one with more ends the connection`(excess: Int)
    {
        var limits = Limits()
        limits.structuralCharacters = 100
        var connection = ServerConnection(limits: limits)
        // The rest of the call has ten of them.
        let elements = Array(repeating: "1", count: 91 + excess).joined(separator: ",")
        connection.receive(#"{"method":"a.B","parameters":{"x":[\#(elements)]}}|"#)
        #expect((connection.nextCall() != nil) == (excess == 0))
        let ending: ServerConnection.Ending? =
            excess == 0 ? nil : .malformed("a message has more than 100 brackets, braces, colons and commas")
        #expect(connection.ending == ending)
    }

    @Test func `structural characters in strings do not count, not even behind escaped quotation marks`() {
        var limits = Limits()
        limits.structuralCharacters = 20
        for text in [String(repeating: "[]{}:,", count: 50), String(repeating: #"\"[,"#, count: 50), #"\\\""# + ",[,"] {
            var connection = ServerConnection(limits: limits)
            connection.receive(#"{"method":"a.B","parameters":{"x":"\#(text)"}}|"#)
            #expect(connection.nextCall()?.method == "a.B")
        }
        var connection = ServerConnection(limits: limits)
        connection.receive(#"{"method":"a.B","parameters":{"x":"\\","y":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}|"#)
        #expect(connection.nextCall() == nil)
    }

    @Test func `random bytes end the connection without a crash`() throws {
        var generator = SeededGenerator(seed: 7)
        let alphabet = wire(#"{}[]":,methodaB.0123truefalsenull\u|||  "#) + [0xC3, 0xFF, 0x80]
        for _ in 0..<2000 {
            var connection = ServerConnection()
            let length = Int.random(in: 0..<200, using: &generator)
            let bytes = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            bytes.withUnsafeBytes { connection.receive($0) }
            connection.receiveEnd()
            while connection.nextCall() != nil { try connection.reply([:]) }
            _ = connection.sent()
            #expect(connection.nextCall() == nil)
            #expect(connection.ending != nil)
        }
    }
}
