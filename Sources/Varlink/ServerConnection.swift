// SPDX-License-Identifier: Apache-2.0

/// The service's end of one connection, as a value: bytes in, calls out; replies in, bytes out.
///
/// It neither reads nor writes nor waits; its owner does, from whatever loop it likes:
///
/// 1. While ``readCapacity`` is not 0, read at most that many bytes when there are some, and pass them to
///    ``receive(_:)``; at the end of the stream call ``receiveEnd()``.
/// 2. Take a call with ``nextCall()``, and answer it, at once or later, with ``reply(_:)``, ``fail(_:)`` or
///    ``send(_:)``. The next call comes only after the final answer to the former, so that answers are in the order of
///    the calls. A oneway call is answered like any other: the connection keeps the answer back.
/// 3. Write what ``withUnsentBytes(_:)`` gives, and report with ``didSend(_:)`` how much of it went.
/// 4. Repeat from 2 until there is no call and nothing more can be written. When ``ending`` is not nil, close. When the
///    peer has hung up altogether, close without ado.
///
/// A client that asked for `more` gets any number of replies that continue. Before sending one, look at
/// ``isCaughtUp``: a client that does not read needs only the newest state once it reads again.
public struct ServerConnection: Sendable {
    /// Why there is nothing more to do on a connection.
    public enum Ending: Hashable, Sendable {
        /// The peer sent its last call, and all were answered.
        case finished
        /// The peer sent something that is not a call.
        case malformed(String)
        /// The peer sent a message longer than ``Limits/messageBytes``.
        case oversized
        /// The peer stopped in the middle of a message.
        case truncated
    }

    /// Why a reply was not taken. The connection is as it was.
    public enum ReplyError: Error, Hashable, Sendable {
        /// No call is in progress.
        case noCall
        /// The reply says `continues`, but the call did not ask for more than one.
        case singleReplyWanted
        /// ``Limits/unsentBytes`` are waiting already.
        case queueFull
    }

    private let limits: Limits
    private var incoming = IncomingMessages()
    private var outgoing = OutgoingQueue()
    private var peerEnded = false
    private var problem: Ending?
    /// The mode of the call in progress; nil while there is none.
    public private(set) var callInProgress: Call.Mode?

    /// A connection on which nothing has happened yet.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }
}

// MARK: Bytes in, calls out

extension ServerConnection {
    /// How many bytes the owner may read now; 0 while enough is waiting, or when no more will be read.
    public var readCapacity: Int {
        guard problem == nil, !peerEnded, incoming.count < limits.waitingCalls else { return 0 }
        return max(0, limits.messageBytes + 1 - incoming.byteCount)
    }

    /// Takes in bytes that were read, at most ``readCapacity``.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard problem == nil, !peerEnded else { return }
        incoming.append(bytes)
        if incoming.count == 0, incoming.byteCount > limits.messageBytes {
            give(up: .oversized)
        }
    }

    /// Takes in that the peer will send nothing more; it may still read.
    public mutating func receiveEnd() {
        peerEnded = true
    }

    /// The next call to answer; nil while one is in progress, while too much is unsent, or when none waits.
    public mutating func nextCall() -> Call? {
        guard problem == nil, callInProgress == nil, outgoing.byteCount < limits.unsentBytes else {
            return nil
        }
        let nesting = limits.nesting
        let next = incoming.takeNext { message in
            Result { () throws(MalformedCall) in try Call(message: message, nesting: nesting) }
        }
        switch next {
        case .success(let call):
            callInProgress = call.mode
            return call
        case .failure(let malformed):
            if let answer = malformed.answer { outgoing.append(EncodedMessage(error: answer)) }
            give(up: .malformed(malformed.reason))
        case nil:
            if peerEnded, incoming.byteCount > 0 { give(up: .truncated) }
        }
        return nil
    }

    /// Set once all is written that will ever be written: the owner closes.
    public var ending: Ending? {
        guard outgoing.isEmpty else { return nil }
        if let problem { return problem }
        return peerEnded && callInProgress == nil && incoming.byteCount == 0 ? .finished : nil
    }

    private mutating func give(up reason: Ending) {
        problem = reason
        callInProgress = nil
        incoming.removeAll()
    }
}

// MARK: Replies in, bytes out

extension ServerConnection {
    /// Answers the call in progress for good.
    ///
    /// - Throws: ``ReplyError/noCall``.
    public mutating func reply(_ parameters: JSONObject) throws(ReplyError) {
        try send(EncodedMessage(reply: parameters))
    }

    /// Answers the call in progress with an error.
    ///
    /// - Throws: ``ReplyError/noCall``.
    public mutating func fail(_ error: ErrorReply) throws(ReplyError) {
        try send(EncodedMessage(error: error))
    }

    /// Answers the call in progress with a reply that was encoded before, perhaps for many connections. One that says
    /// `continues` leaves the call in progress.
    ///
    /// - Throws: ``ReplyError``; a final reply is taken even when the queue is full, so that every call can be
    ///   answered.
    public mutating func send(_ message: EncodedMessage) throws(ReplyError) {
        if try accept(message) { outgoing.append(message) }
    }

    /// Takes note that this is an answer to the call in progress; whether it is to be written, which that to a oneway call
    /// is not.
    mutating func accept(_ message: EncodedMessage) throws(ReplyError) -> Bool {
        guard case .reply(let continues) = message.kind, let mode = callInProgress else { throw .noCall }
        if continues {
            guard mode == .more else { throw .singleReplyWanted }
            guard outgoing.byteCount < limits.unsentBytes else { throw .queueFull }
        } else {
            callInProgress = nil
        }
        return mode != .oneway
    }

    /// Queues a message that was accepted, and of which so many bytes were written.
    mutating func queue(_ message: EncodedMessage, written count: Int) {
        outgoing.append(message)
        outgoing.drop(count)
    }

    /// How many bytes of messages it holds: calls that wait, the beginning of the next, and what waits to be written.
    public var heldBytes: Int { incoming.byteCount + outgoing.byteCount }

    /// How many bytes wait to be written.
    public var unsentBytes: Int { outgoing.byteCount }

    /// Whether all was written. A subscriber that is not caught up is better skipped than sent one more state: send it
    /// the newest when it is.
    public var isCaughtUp: Bool { outgoing.isEmpty }

    /// Gives the bytes to write next; none when caught up.
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
