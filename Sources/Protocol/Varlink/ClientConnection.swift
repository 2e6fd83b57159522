// SPDX-License-Identifier: Apache-2.0

/// The client's end of one connection, without I/O: calls in, bytes out; bytes in, replies out.
///
/// The owner performs the I/O: it writes the bytes of ``withUnsentBytes(_:)``, passes received bytes to ``receive(_:)``
/// and takes replies with ``nextReply()``. Replies arrive in the order of the calls.
///
///     var client = ClientConnection()
///     try client.call(Call("org.varlink.service.GetInfo"))
///     try client.write(to: socket)    // then, once the socket is readable: read(from:using:) and nextReply()
public struct ClientConnection: Sendable {
    /// The number of a call on its connection, from 0.
    public typealias CallNumber = Int

    /// A reply to a call.
    public struct Reply: Hashable, Sendable {
        /// The number of the call.
        public let call: CallNumber
        /// The parameters, or the error that the service returned.
        public let result: Result<JSONObject, ErrorReply>
        /// Whether more replies to this call follow.
        public let continues: Bool
    }

    /// An error of ``ClientConnection/call(_:)``, which then changed nothing.
    public enum CallError: Error, Hashable, Sendable {
        /// ``Limits/unsentBytes`` are already queued.
        case queueFull
    }

    /// A protocol violation by the service: close the connection.
    public enum Violation: Error, Hashable, Sendable {
        /// The message is not a reply.
        case malformed(String)
        /// The message is longer than ``Limits/messageBytes``.
        case oversized
        /// No call is pending, or a reply to a call without `more` has `continues` set.
        case unexpectedReply
        /// The stream ended while replies were pending, or inside a message.
        case endedEarly
    }

    private let limits: Limits
    private var incoming = IncomingMessages()
    private var outgoing = OutgoingQueue()
    private var serviceEnded = false
    private var violation: Violation?
    private var pending: [(number: CallNumber, wantsMore: Bool)] = []
    private var nextNumber = 0

    /// Creates the state of a new connection.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }
}

// MARK: Calls in, bytes out

extension ClientConnection {
    /// Queues a call.
    ///
    /// - Returns: the number that its replies carry; a oneway call has no reply.
    /// - Throws: ``CallError/queueFull``.
    @discardableResult
    public mutating func call(_ call: Call) throws(CallError) -> CallNumber {
        guard outgoing.byteCount < limits.unsentBytes else { throw .queueFull }
        let number = nextNumber
        nextNumber += 1
        outgoing.append(EncodedMessage(call: call))
        if call.mode != .oneway { pending.append((number, call.mode == .more)) }
        return number
    }

    /// The number of calls whose final reply has not been taken.
    public var pendingCalls: Int { pending.count }

    /// The number of bytes that are queued for writing.
    public var unsentBytes: Int { outgoing.byteCount }

    /// Passes the next bytes to write to `body`; an empty buffer if none are queued.
    public func withUnsentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try outgoing.withNextBytes(body)
    }

    /// Removes the first `count` bytes of ``withUnsentBytes(_:)`` from the queue, after they were written.
    public mutating func didSend(_ count: Int) {
        outgoing.drop(count)
    }
}

// MARK: Bytes in, replies out

extension ClientConnection {
    /// The number of bytes that the owner may read now; 0 while complete replies are queued, and after the end.
    public var readCapacity: Int {
        guard violation == nil, !serviceEnded, incoming.count == 0 else { return 0 }
        return max(0, limits.messageBytes + 1 - incoming.byteCount)
    }

    /// Adds received bytes, at most ``readCapacity``.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        incoming.append(bytes)
    }

    /// Records the end of the stream.
    public mutating func receiveEnd() {
        serviceEnded = true
    }

    /// Returns the next complete reply; nil if there is none.
    ///
    /// - Throws: ``Violation``; every later call throws it again.
    public mutating func nextReply() throws(Violation) -> Reply? {
        do throws(Violation) {
            if let violation { throw violation }
            return try takeReply()
        } catch {
            violation = error
            throw error
        }
    }

    private mutating func takeReply() throws(Violation) -> Reply? {
        let nesting = limits.nesting
        let parsed = incoming.takeNext { message in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: message, maximumDepth: nesting) }
        }
        guard let parsed else {
            if incoming.byteCount > limits.messageBytes { throw .oversized }
            if serviceEnded, incoming.byteCount > 0 || !pending.isEmpty { throw .endedEarly }
            return nil
        }
        guard let call = pending.first else { throw .unexpectedReply }
        do {
            let reply = try Reply(JSONObject(json: parsed.get()), to: call.number)
            guard call.wantsMore || !reply.continues else { throw Violation.unexpectedReply }
            if !reply.continues { pending.removeFirst() }
            return reply
        } catch let violation as Violation {
            throw violation
        } catch {
            throw .malformed("\(error)")
        }
    }
}

extension ClientConnection.Reply {
    /// Parses a message without its NUL: a reply to the only call of a connection.
    ///
    /// - Throws: ``JSONSyntaxError`` or ``JSONMismatch``.
    package init(parsing message: UnsafeRawBufferPointer) throws {
        try self.init(JSONObject(json: JSONValue(parsing: message)), to: 0)
    }

    /// Parses a reply. Unknown members are ignored: later versions of the protocol may add members.
    fileprivate init(_ object: JSONObject, to call: ClientConnection.CallNumber) throws(JSONMismatch) {
        self.call = call
        let parameters: JSONObject = try object.optionalValue("parameters") ?? [:]
        if let name: String = try object.optionalValue("error") {
            result = .failure(ErrorReply(name, parameters))
            continues = false
        } else {
            result = .success(parameters)
            continues = try object.optionalValue("continues") ?? false
        }
    }
}
