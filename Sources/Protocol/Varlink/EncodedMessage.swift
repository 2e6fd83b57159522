// SPDX-License-Identifier: Apache-2.0

/// An encoded message: its bytes with the terminating NUL.
///
/// Copies share the bytes: a state change is encoded once and queued for a thousand subscribers.
public struct EncodedMessage: Sendable {
    /// The bytes, including the NUL.
    public let bytes: [UInt8]
    /// Whether more replies to the same call follow; nil for a call.
    let continues: Bool?

    /// Passes the bytes, including the NUL, to `body`.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = bytes.span.bytes
        return try span.withUnsafeBytes(body)
    }

    /// Encodes a reply; with `continues`, a reply to a call with `more` that is not the last.
    public init(reply parameters: JSONObject, continues: Bool = false) {
        var message: JSONObject = ["parameters": .object(parameters)]
        if continues { message["continues"] = true }
        self.init(message, continues: continues)
    }

    /// Encodes an error reply.
    public init(error: ErrorReply) {
        let message: JSONObject = ["error": .string(error.name), "parameters": .object(error.parameters)]
        self.init(message, continues: false)
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
        self.init(message, continues: nil)
    }

    private init(_ message: JSONObject, continues: Bool?) {
        bytes = JSONValue.object(message).bytes + [0]
        self.continues = continues
    }
}
