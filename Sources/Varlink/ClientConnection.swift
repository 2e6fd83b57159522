// SPDX-License-Identifier: Apache-2.0

/// The client's end of one connection, as a value: calls in, bytes out; bytes in, replies out.
///
/// It neither reads nor writes nor waits; its owner does: write what ``withUnsentBytes(_:)`` gives, pass what was read
/// to ``receive(_:)``, and take replies with ``nextReply()``. Replies come in the order of the calls.
public struct ClientConnection: Sendable {
    /// Names a call on its connection; the first is 0.
    public typealias CallNumber = Int

    /// A reply to one of the calls.
    public struct Reply: Hashable, Sendable {
        /// Which call it answers.
        public let call: CallNumber
        /// What came back: the parameters, or the service's error.
        public let result: Result<JSONObject, ErrorReply>
        /// Whether more replies to this call follow.
        public let continues: Bool
    }

    /// Why a call was not taken. The connection is as it was.
    public enum CallError: Error, Hashable, Sendable {
        /// ``Limits/unsentBytes`` are waiting already.
        case queueFull
    }

    /// What the service did that the protocol does not allow: close the connection.
    public enum Violation: Error, Hashable, Sendable {
        /// It sent something that is not a reply.
        case malformed(String)
        /// It sent a message longer than ``Limits/messageBytes``.
        case oversized
        /// It answered though nothing was asked, or more than once where one reply was asked for.
        case unexpectedReply
        /// It stopped while answers were due, or in the middle of a message.
        case endedEarly
    }

    private let limits: Limits
    private var incoming = IncomingMessages()
    private var outgoing = OutgoingQueue()
    private var serviceEnded = false
    private var violation: Violation?
    private var unanswered: [(number: CallNumber, wantsMore: Bool)] = []
    private var nextNumber = 0

    /// A connection on which nothing has happened yet.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }
}

// MARK: Calls in, bytes out

extension ClientConnection {
    /// Queues a call.
    ///
    /// - Returns: the number by which its replies are known; a oneway call will have none.
    /// - Throws: ``CallError/queueFull``.
    @discardableResult
    public mutating func call(_ call: Call) throws(CallError) -> CallNumber {
        guard outgoing.byteCount < limits.unsentBytes else { throw .queueFull }
        let number = nextNumber
        nextNumber += 1
        outgoing.append(EncodedMessage(call: call))
        if call.mode != .oneway { unanswered.append((number, call.mode == .more)) }
        return number
    }

    /// How many calls still have replies to come.
    public var unansweredCalls: Int { unanswered.count }

    /// How many bytes wait to be written.
    public var unsentBytes: Int { outgoing.byteCount }

    /// Gives the bytes to write next; none when all were written.
    public func withUnsentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try outgoing.withNextBytes(body)
    }

    /// Takes note that the first `count` of the bytes that ``withUnsentBytes(_:)`` gave were written.
    public mutating func didSend(_ count: Int) {
        outgoing.drop(count)
    }
}

// MARK: Bytes in, replies out

extension ClientConnection {
    /// How many bytes the owner may read now; 0 until replies that wait were taken, or when no more will be read.
    public var readCapacity: Int {
        guard violation == nil, !serviceEnded, incoming.count == 0 else { return 0 }
        return max(0, limits.messageBytes + 1 - incoming.byteCount)
    }

    /// Takes in bytes that were read, at most ``readCapacity``.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        incoming.append(bytes)
    }

    /// Takes in that the service will send nothing more.
    public mutating func receiveEnd() {
        serviceEnded = true
    }

    /// The next reply; nil where none is complete.
    ///
    /// - Throws: ``Violation``, from then on every time.
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
            if serviceEnded, incoming.byteCount > 0 || !unanswered.isEmpty { throw .endedEarly }
            return nil
        }
        guard let call = unanswered.first else { throw .unexpectedReply }
        do {
            let reply = try Reply(JSONObject(json: parsed.get()), to: call.number)
            guard call.wantsMore || !reply.continues else { throw Violation.unexpectedReply }
            if !reply.continues { unanswered.removeFirst() }
            return reply
        } catch let violation as Violation {
            throw violation
        } catch {
            throw .malformed("\(error)")
        }
    }
}

extension ClientConnection.Reply {
    /// Reads a reply; members of other names are ignored, as later versions of the protocol may add some.
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
