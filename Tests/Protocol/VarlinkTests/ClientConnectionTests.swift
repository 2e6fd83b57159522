// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct ClientConnectionTests {
    private var client = ClientConnection()

    @Test mutating func `replies are assigned to calls in order`() throws {
        let one = try client.call(Call("a.One", ["n": 1]))
        let two = try client.call(Call("a.Two"))
        #expect(
            client.sent() == #"{"method":"a.One","parameters":{"n":1}}|{"method":"a.Two","parameters":{}}|"#)
        client.receive(#"{"parameters":{"n":2}}|{"error":"a.Broken","parameters":{"why":"age"}}|"#)
        #expect(client.readCapacity == 0)
        let first = try #require(try client.nextReply())
        #expect(first.call == one)
        #expect(first.result == .success(["n": 2]))
        let second = try #require(try client.nextReply())
        #expect(second.call == two)
        #expect(second.result == .failure(ErrorReply("a.Broken", ["why": "age"])))
        #expect(client.pendingCalls == 0)
        #expect(try client.nextReply() == nil)
        client.receiveEnd()
        #expect(try client.nextReply() == nil)
    }

    @Test mutating func `a call with more has several replies, and an error is the last`() throws {
        try client.call(Call("a.Watch", mode: .more))
        #expect(client.sent() == #"{"method":"a.Watch","parameters":{},"more":true}|"#)
        client.receive(#"{"parameters":{},"continues":true}|{"continues":true}|"#)
        #expect(try client.nextReply()?.continues == true)
        #expect(try client.nextReply()?.continues == true)
        #expect(client.pendingCalls == 1)
        client.receive(#"{"error":"a.Broken"}|"#)
        #expect(try client.nextReply()?.result == .failure(ErrorReply("a.Broken")))
        #expect(client.pendingCalls == 0)
    }

    @Test mutating func `a oneway call is not pending`() throws {
        try client.call(Call("a.Quiet", mode: .oneway))
        #expect(client.sent() == #"{"method":"a.Quiet","parameters":{},"oneway":true}|"#)
        #expect(client.pendingCalls == 0)
    }

    @Test(arguments: ["{}|{}|", #"{"continues":true}|"#])
    mutating func `an unexpected reply is a violation, and stays one`(text: String) throws {
        try client.call(Call("a.One"))
        client.receive(text)
        #expect(throws: ClientConnection.Violation.unexpectedReply) {
            while try client.nextReply() != nil {}
        }
        #expect(throws: ClientConnection.Violation.unexpectedReply) { try client.nextReply() }
        #expect(client.readCapacity == 0)
    }

    @Test(arguments: ["|", "x|", "[]|", #"{"parameters":1}|"#, #"{"error":1}|"#, #"{"continues":"x"}|"#])
    mutating func `a message that is not a reply is a violation`(text: String) throws {
        try client.call(Call("a.One"))
        client.receive(text)
        let violation = #expect(throws: ClientConnection.Violation.self) { try client.nextReply() }
        guard case .malformed? = violation else {
            Issue.record("it was \(String(describing: violation))")
            return
        }
    }

    @Test func `an oversized reply and an early end of the stream are violations`() throws {
        var limits = Limits()
        limits.messageBytes = 100
        var client = ClientConnection(limits: limits)
        client.receive(String(repeating: " ", count: client.readCapacity))
        #expect(throws: ClientConnection.Violation.oversized) { try client.nextReply() }
        for rest in ["", #"{"par"#] {
            var client = ClientConnection()
            try client.call(Call("a.One"))
            client.receive(rest)
            client.receiveEnd()
            #expect(throws: ClientConnection.Violation.endedEarly) { try client.nextReply() }
        }
    }

    @Test func `calls beyond the limit of unsent bytes are refused`() throws {
        var limits = Limits()
        limits.unsentBytes = 100
        var client = ClientConnection(limits: limits)
        #expect(throws: ClientConnection.CallError.queueFull) {
            for _ in 0..<100 { try client.call(Call("a.One")) }
        }
        #expect(client.unsentBytes < 200)
    }
}
