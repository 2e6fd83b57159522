// SPDX-License-Identifier: Apache-2.0

/// The service's end of one connection, without I/O: bytes in, calls out; replies in, bytes out.
///
/// The owner performs the I/O, in any event loop:
///
/// 1. While ``readCapacity`` is not 0, read at most that many bytes and pass them to ``receive(_:)``; at end of file
///    call ``receiveEnd()``.
/// 2. Take a call with ``nextCall()``, and answer it now or later with ``reply(_:)``, ``fail(_:)`` or ``send(_:)``. The
///    next call follows after the final reply: replies are in the order of the calls. Answer a oneway call like
///    any other: the connection discards its reply.
/// 3. Write the bytes of ``withUnsentBytes(_:)``, and report the written count to ``didSend(_:)``.
/// 4. Repeat from 2 until there is no call and nothing more can be written. Close when ``ending`` is not nil, or when
///    the peer has closed both directions.
///
/// A call with `more` takes any number of continuing replies. Check ``isCaughtUp`` before sending one: a client that
/// does not read needs only the newest state once it reads again.
public struct ServerConnection: Sendable {
    /// The reason for which a connection has ended.
    public enum Ending: Hashable, Sendable {
        /// The stream ended after the last call, and all calls were answered.
        case finished
        /// A message is not a call.
        case malformed(String)
        /// A message is longer than ``Limits/messageBytes``.
        case oversized
        /// The stream ended inside a message.
        case truncated
    }

    /// An error of ``ServerConnection/send(_:)``, which then changed nothing.
    public enum ReplyError: Error, Hashable, Sendable {
        /// No call is in progress.
        case noCall
        /// The reply has `continues` set, but the call has no `more`.
        case singleReplyWanted
        /// ``Limits/unsentBytes`` are already queued.
        case queueFull
    }

    private let limits: Limits
    private var incoming = IncomingMessages()
    private var outgoing = OutgoingQueue()
    /// The mode of the call in progress; nil if there is none.
    public private(set) var callInProgress: Call.Mode?
    private var peerEnded = false
    private var problem: Ending?

    /// Creates the state of a new connection.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }
}

// MARK: Bytes in, calls out

extension ServerConnection {
    /// The number of bytes that the owner may read now; 0 while ``Limits/waitingCalls`` are queued, and after the end.
    public var readCapacity: Int {
        guard problem == nil, !peerEnded, incoming.count < limits.waitingCalls else { return 0 }
        return max(0, limits.messageBytes + 1 - incoming.byteCount)
    }

    /// Adds received bytes, at most ``readCapacity``.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard problem == nil, !peerEnded else { return }
        incoming.append(bytes)
        if incoming.count == 0, incoming.byteCount > limits.messageBytes {
            end(with: .oversized)
        }
    }

    /// Records the end of the stream; the peer may still read.
    public mutating func receiveEnd() {
        peerEnded = true
    }

    /// Returns the next call; nil if none is queued, while one is in progress, or while ``Limits/unsentBytes`` are
    /// queued.
    public mutating func nextCall() -> Call? {
        guard problem == nil, callInProgress == nil, outgoing.byteCount < limits.unsentBytes else {
            return nil
        }
        let limits = limits
        let next = incoming.takeNext { message in
            Result { () throws(MalformedCall) in try Call(message: message, limits: limits) }
        }
        switch next {
        case .success(let call):
            callInProgress = call.mode
            return call
        case .failure(let malformed):
            if let answer = malformed.answer { outgoing.append(EncodedMessage(error: answer)) }
            end(with: .malformed(malformed.reason))
        case nil:
            if peerEnded, incoming.byteCount > 0 { end(with: .truncated) }
        }
        return nil
    }

    /// The reason to close the connection; nil while calls, replies or unsent bytes remain.
    public var ending: Ending? {
        guard outgoing.isEmpty else { return nil }
        if let problem { return problem }
        return peerEnded && callInProgress == nil && incoming.byteCount == 0 ? .finished : nil
    }

    private mutating func end(with reason: Ending) {
        problem = reason
        callInProgress = nil
        incoming.removeAll()
    }
}

// MARK: Replies in, bytes out

extension ServerConnection {
    /// Sends the final reply to the call in progress.
    ///
    /// - Throws: ``ReplyError/noCall``.
    public mutating func reply(_ parameters: JSONObject) throws(ReplyError) {
        try send(EncodedMessage(reply: parameters))
    }

    /// Sends an error reply to the call in progress.
    ///
    /// - Throws: ``ReplyError/noCall``.
    public mutating func fail(_ error: ErrorReply) throws(ReplyError) {
        try send(EncodedMessage(error: error))
    }

    /// Sends an encoded reply, which several connections may share, to the call in progress. A continuing reply leaves
    /// the call in progress.
    ///
    /// - Throws: ``ReplyError``; a final reply is accepted even if the queue is full: every call can be
    ///   answered.
    public mutating func send(_ message: EncodedMessage) throws(ReplyError) {
        guard let continues = message.continues, let mode = callInProgress else { throw .noCall }
        if continues {
            guard mode == .more else { throw .singleReplyWanted }
            guard outgoing.byteCount < limits.unsentBytes else { throw .queueFull }
        } else {
            callInProgress = nil
        }
        if mode != .oneway { outgoing.append(message) }
    }

    /// The number of bytes that are queued for writing.
    public var unsentBytes: Int { outgoing.byteCount }

    /// Whether everything was written. Skip subscribers that are not caught up, and send them the newest state later.
    public var isCaughtUp: Bool { outgoing.isEmpty }

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
