// SPDX-License-Identifier: Apache-2.0

/// An encoded message: its bytes with the terminating NUL.
///
/// Copies share the bytes: a state change is encoded once and queued for a thousand subscribers.
public struct EncodedMessage: Sendable {
    /// The properties of the message that a connection checks before it queues the message.
    enum Kind: Sendable {
        case call
        case reply(continues: Bool)
    }

    /// The bytes, including the NUL.
    public let bytes: [UInt8]
    let kind: Kind

    /// Passes the bytes, including the NUL, to `body`.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = bytes.span.bytes
        return try span.withUnsafeBytes(body)
    }

    /// The number of bytes, including the NUL.
    public var byteCount: Int { bytes.count }

    /// Encodes a reply; with `continues`, a reply to a call with `more` that is not the last.
    public init(reply parameters: JSONObject, continues: Bool = false) {
        var bytes = Self.beginning(#"{"parameters":"#)
        parameters.write(to: &bytes)
        self.init(reply: bytes, continues: continues)
    }

    /// Encodes a reply with one parameter, an object whose members `write` adds.
    package init(reply parameter: StaticString, continues: Bool, _ write: (inout JSONObjectText) -> Void) {
        var bytes = Self.beginning(#"{"parameters":{""#)
        bytes.append(parameter)
        bytes.append(#"":"#)
        var object = JSONObjectText(after: bytes)
        bytes = []
        write(&object)
        bytes = object.end()
        bytes.append(UInt8(ascii: "}"))
        self.init(reply: bytes, continues: continues)
    }

    /// Encodes an error reply.
    public init(error: ErrorReply) {
        var bytes = Self.beginning(#"{"error":"#)
        JSONValue.string(error.name).write(to: &bytes)
        bytes.append(#","parameters":"#)
        error.parameters.write(to: &bytes)
        self.init(ending: bytes, kind: .reply(continues: false))
    }

    /// Encodes a call.
    public init(call: Call) {
        var bytes = Self.beginning(#"{"method":"#)
        JSONValue.string(call.method).write(to: &bytes)
        bytes.append(#","parameters":"#)
        call.parameters.write(to: &bytes)
        switch call.mode {
        case .single: break
        case .more: bytes.append(#","more":true"#)
        case .oneway: bytes.append(#","oneway":true"#)
        }
        if call.wantsUpgrade { bytes.append(#","upgrade":true"#) }
        self.init(ending: bytes, kind: .call)
    }

    /// Returns the start of a message, with capacity for a state.
    private static func beginning(_ text: StaticString) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(480)
        bytes.append(text)
        return bytes
    }

    private init(reply bytes: consuming [UInt8], continues: Bool) {
        if continues { bytes.append(#","continues":true"#) }
        self.init(ending: bytes, kind: .reply(continues: continues))
    }

    private init(ending bytes: consuming [UInt8], kind: Kind) {
        bytes.append("}\0")
        self.bytes = bytes
        self.kind = kind
    }
}
