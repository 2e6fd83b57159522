// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct ServerConnectionTests {
    private var connection = ServerConnection()

    @Test(arguments: [
        #"{"method":"a.B"}|"#, #"{"method":"a.B","parameters":{}}|"#, #"{"method":"a.B","parameters":null}|"#,
        #"{"method":"a.B","more":false,"oneway":null,"newer":{"x":1}}|"#, " {\n\"method\" : \"a.B\" } |",
    ])
    mutating func `absent, null and empty parameters are equivalent, and unknown members are ignored`(text: String) {
        connection.receive(text)
        #expect(connection.nextCall() == Call("a.B"))
    }

    @Test mutating func `calls received byte by byte are answered`() throws {
        let bytes = wire(#"{"method":"a.B"}|{"method":"a.C"}|"#)
        var methods: [String] = []
        for byte in bytes {
            withUnsafeBytes(of: byte) { connection.receive($0) }
            while let call = connection.nextCall() {
                methods.append(call.method)
                try connection.reply([:])
            }
        }
        #expect(methods == ["a.B", "a.C"])
    }

    @Test mutating func `the next pipelined call follows after the reply`() throws {
        connection.receive(#"{"method":"a.One"}|{"method":"a.Two"}|{"method":"a.Three"}|"#)
        #expect(connection.nextCall()?.method == "a.One")
        #expect(connection.nextCall() == nil)
        try connection.fail(.methodNotFound("a.One"))
        #expect(connection.nextCall()?.method == "a.Two")
        try connection.reply([:])
        #expect(connection.nextCall()?.method == "a.Three")
        #expect(
            connection.sent()
                == #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.One"}}|"#
                + #"{"parameters":{}}|"#)
    }

    @Test func `reading stops at the limit of queued calls until one is answered`() throws {
        var limits = Limits()
        limits.waitingCalls = 2
        var connection = ServerConnection(limits: limits)
        connection.receive(#"{"method":"a.One"}|"#)
        #expect(connection.nextCall() != nil)
        connection.receive(#"{"method":"a.Two"}|"#)
        #expect(connection.readCapacity > 0)
        connection.receive(#"{"method":"a.Three"}|"#)
        #expect(connection.readCapacity == 0)
        try connection.reply([:])
        #expect(connection.nextCall() != nil)
        #expect(connection.readCapacity > 0)
    }

    @Test mutating func `a oneway call gets no reply, and the next call follows`() throws {
        connection.receive(#"{"method":"a.Quiet","oneway":true}|{"method":"a.Loud"}|"#)
        #expect(connection.nextCall()?.mode == .oneway)
        try connection.fail(.methodNotFound("a.Quiet"))
        #expect(connection.nextCall()?.method == "a.Loud")
        try connection.reply([:])
        #expect(connection.sent() == #"{"parameters":{}}|"#)
    }

    @Test mutating func `a call with more gets continuing replies and a final one`() throws {
        connection.receive(#"{"method":"a.Watch","more":true}|"#)
        #expect(connection.nextCall()?.mode == .more)
        try connection.send(EncodedMessage(reply: ["n": 1], continues: true))
        #expect(connection.callInProgress == .more)
        try connection.reply(["n": 2])
        #expect(connection.callInProgress == nil)
        #expect(connection.sent() == #"{"parameters":{"n":1},"continues":true}|{"parameters":{"n":2}}|"#)
    }

    @Test func `a reply that the call does not permit is an error`() throws {
        let continuing = EncodedMessage(reply: [:], continues: true)
        var connection = ServerConnection()
        #expect(throws: ServerConnection.ReplyError.noCall) { try connection.reply([:]) }
        #expect(throws: ServerConnection.ReplyError.noCall) { try connection.send(continuing) }
        for call in [#"{"method":"a.B"}|"#, #"{"method":"a.B","oneway":true}|"#] {
            connection.receive(call)
            #expect(connection.nextCall() != nil)
            #expect(throws: ServerConnection.ReplyError.singleReplyWanted) { try connection.send(continuing) }
            try connection.reply([:])
        }
        #expect(throws: ServerConnection.ReplyError.noCall) {
            try connection.send(EncodedMessage(call: Call("a.B")))
        }
        #expect(connection.sent() == #"{"parameters":{}}|"#)
    }

    @Test func `continuing replies are refused at the limit of unsent bytes, final ones are not`() throws {
        var limits = Limits()
        limits.unsentBytes = 100
        var connection = ServerConnection(limits: limits)
        let message = EncodedMessage(reply: ["text": "0123456789"], continues: true)
        connection.receive(#"{"method":"a.Watch","more":true}|{"method":"a.Next"}|"#)
        #expect(connection.nextCall() != nil)
        #expect(throws: ServerConnection.ReplyError.queueFull) {
            while true { try connection.send(message) }
        }
        #expect(connection.unsentBytes < limits.unsentBytes + message.bytes.count)
        #expect(!connection.isCaughtUp)
        try connection.reply([:])
        // The next call stays queued until the peer reads.
        #expect(connection.nextCall() == nil)
        _ = connection.sent()
        #expect(connection.nextCall()?.method == "a.Next")
    }

    @Test mutating func `after the end of the stream all calls are answered, then the connection ends`() throws {
        connection.receive(#"{"method":"a.B"}|{"method":"a.C"}|"#)
        connection.receiveEnd()
        #expect(connection.readCapacity == 0)
        for _ in 1...2 {
            #expect(connection.ending == nil)
            #expect(connection.nextCall() != nil)
            try connection.reply([:])
        }
        #expect(connection.ending == nil)
        #expect(connection.sent() == #"{"parameters":{}}|{"parameters":{}}|"#)
        #expect(connection.nextCall() == nil)
        #expect(connection.ending == .finished)
    }

    @Test mutating func `a subscriber that closes its sending side still gets replies`() throws {
        connection.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = connection.nextCall()
        connection.receiveEnd()
        try connection.send(EncodedMessage(reply: [:], continues: true))
        #expect(connection.sent() == #"{"parameters":{},"continues":true}|"#)
        #expect(connection.ending == nil)
    }
}
