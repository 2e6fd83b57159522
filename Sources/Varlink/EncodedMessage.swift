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
        var object: JSONObject = ["parameters": .object(parameters)]
        if continues { object["continues"] = true }
        self.init(object, kind: .reply(continues: continues))
    }

    /// Encodes an error reply.
    public init(error: ErrorReply) {
        self.init(
            ["error": .string(error.name), "parameters": .object(error.parameters)],
            kind: .reply(continues: false))
    }

    /// Encodes a call.
    public init(call: Call) {
        var object: JSONObject = [
            "method": .string(call.method), "parameters": .object(call.parameters),
        ]
        switch call.mode {
        case .single: break
        case .more: object["more"] = true
        case .oneway: object["oneway"] = true
        }
        if call.wantsUpgrade { object["upgrade"] = true }
        self.init(object, kind: .call)
    }

    private init(_ object: JSONObject, kind: Kind) {
        var bytes: [UInt8] = []
        // Enough for a state without reallocation.
        bytes.reserveCapacity(480)
        object.write(to: &bytes)
        bytes.append(0)
        self.bytes = bytes
        self.kind = kind
    }
}
