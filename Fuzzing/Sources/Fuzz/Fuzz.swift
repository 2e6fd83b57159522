// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The entry point of libFuzzer. The first byte of the input sets the size of the reads for the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = input.first else { return 0 }
    let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    serve(rest, readSize: Int(first) + 1)
    parse(rest)
    return 0
}

let lamp = """
    interface org.example.lamp
    method Shine(brightness: ?float) -> ()
    method Watch() -> (count: int)

    """

let service = Service(
    Service.Identity(vendor: "", product: "", version: "", url: ""),
    interfaces: [InterfaceDescription(lamp)])

/// Fuzzes the server: every call is answered, and the connection ends.
func serve(_ input: UnsafeRawBufferPointer, readSize: Int) {
    var limits = Limits()
    limits.messageBytes = 512
    limits.unsentBytes = 1024
    var connection = ServerConnection(limits: limits)
    var rest = input
    while !rest.isEmpty, connection.readCapacity > 0 {
        let part = min(readSize, connection.readCapacity, rest.count)
        connection.receive(UnsafeRawBufferPointer(rebasing: rest[..<part]))
        rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        answer(&connection)
    }
    connection.receiveEnd()
    answer(&connection)
    precondition(connection.isCaughtUp, "bytes remained unsent")
    precondition(connection.ending != nil || !rest.isEmpty, "the connection did not end")
}

func answer(_ connection: inout ServerConnection) {
    while let call = connection.nextCall() {
        #if PLANTED_CRASH
            // Not in the corpus: a fuzzer with coverage finds it within two minutes, one without coverage does not.
            if call.mode == .oneway, call.member == "GetInfo" { fatalError("found the planted crash") }
        #endif
        do {
            if let answer = service.answer(to: call) {
                try connection.send(answer)
            } else {
                if call.mode == .more {
                    try connection.send(EncodedMessage(reply: ["count": 1], continues: true))
                }
                try connection.reply(["count": 2])
            }
        } catch {
            preconditionFailure("a call could not be answered: \(error)")
        }
        send(&connection)
    }
    send(&connection)
}

func send(_ connection: inout ServerConnection) {
    while !connection.isCaughtUp {
        let count = connection.withUnsentBytes { min($0.count, 7) }
        connection.didSend(count)
    }
}

/// Fuzzes the parser: a parsed JSON value is written so that it parses to the same value.
func parse(_ input: UnsafeRawBufferPointer) {
    if let value = try? JSONValue(parsing: input) {
        let again = try? JSONValue(parsing: value.bytes)
        precondition(again == value, "\(value) was parsed as \(String(describing: again))")
    }
}
