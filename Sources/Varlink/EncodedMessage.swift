// SPDX-License-Identifier: Apache-2.0

/// A message ready to be written: its bytes with the closing NUL.
///
/// Copies share the bytes. A change that a thousand subscribers wait for is encoded once and queued a thousand times.
public struct EncodedMessage: Sendable {
    /// What a connection must know about a message that it writes.
    enum Kind: Sendable {
        case call
        case reply(continues: Bool)
    }

    /// What is written, the NUL included.
    public let bytes: [UInt8]
    let kind: Kind

    /// Gives the bytes that are written, the NUL included.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = bytes.span.bytes
        return try span.withUnsafeBytes(body)
    }

    /// How many bytes will be written, the NUL included.
    public var byteCount: Int { bytes.count }

    /// Encodes a reply; with `continues` it is one of several to a call with `more`, and not the last.
    public init(reply parameters: JSONObject, continues: Bool = false) {
        var object: JSONObject = ["parameters": .object(parameters)]
        if continues { object["continues"] = true }
        self.init(object, kind: .reply(continues: continues))
    }

    /// Encodes the reply to a call that failed.
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
        object.write(to: &bytes)
        bytes.append(0)
        self.bytes = bytes
        self.kind = kind
    }
}
