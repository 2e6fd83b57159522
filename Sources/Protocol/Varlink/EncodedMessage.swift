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
        var message: JSONObject = ["parameters": .object(parameters)]
        if continues { message["continues"] = true }
        self.init(message, kind: .reply(continues: continues))
    }

    /// Encodes an error reply.
    public init(error: ErrorReply) {
        let message: JSONObject = ["error": .string(error.name), "parameters": .object(error.parameters)]
        self.init(message, kind: .reply(continues: false))
    }

    /// Encodes a call.
    public init(call: Call) {
        var message: JSONObject = ["method": .string(call.method), "parameters": .object(call.parameters)]
        switch call.mode {
        case .single: break
        case .more: message["more"] = true
        case .oneway: message["oneway"] = true
        }
        if call.wantsUpgrade { message["upgrade"] = true }
        self.init(message, kind: .call)
    }

    private init(_ message: JSONObject, kind: Kind) {
        bytes = JSONValue.object(message).bytes + [0]
        self.kind = kind
    }
}
