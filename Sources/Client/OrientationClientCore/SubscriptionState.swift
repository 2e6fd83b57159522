// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Posix
package import Varlink

/// A subscription without I/O: connections, bytes and time in, updates and the next step of its owner out.
///
/// The owner brings its socket and its timer in line with ``step`` after each event. It exchanges bytes with
/// `write(to:)` and `read(from:using:)` of `ConnectionEnd`, then calls ``takeReplies()``, and takes updates with
/// ``takeUpdate()``.
package struct SubscriptionState: Sendable {
    /// What the owner does next.
    package enum Step: Hashable, Sendable {
        /// Connect; call ``connected()`` or ``failed(_:)``.
        case connect
        /// Exchange bytes with the service.
        case exchange
        /// Close the socket; call ``timerFired()`` after this time.
        case wait(seconds: Double)
        /// Close the socket: the subscription has ended.
        case end
    }

    /// What the owner does next.
    package private(set) var step = Step.connect
    private var connection = ClientConnection(limits: .replies)
    private var buffer: UpdateBuffer
    private var backoff = ReconnectBackoff()
    private var finalError: OrientationServiceError?
    /// The time of the first state on this connection; nil before.
    private var firstState: Double?
    private let asksForLid: Bool
    private let jitter: @Sendable () -> Double
    private let now: @Sendable () -> Double

    /// Creates a subscription without a connection; `jitter` returns a number from 0 to 1 for each delay, `now` the time
    /// of a monotonic clock in seconds.
    package init(
        _ buffering: OrientationBuffering, reportsConnection: Bool, asksForLid: Bool = false,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        now: @escaping @Sendable () -> Double = { BootClock.now() }
    ) {
        buffer = UpdateBuffer(buffering, reportsConnection: reportsConnection)
        self.asksForLid = asksForLid
        self.jitter = jitter
        self.now = now
    }

    /// Whether the buffer accepts further updates; if not, stop reading.
    package var hasRoom: Bool { buffer.hasRoom }

    /// A new socket is connected: queues the call.
    package mutating func connected() {
        guard case .connect = step else { return }
        connection = ClientConnection(limits: .replies)
        firstState = nil
        step = .exchange
        let parameters: JSONObject = asksForLid ? [OrientationInterface.lid: true] : [:]
        attempt { connection in try connection.call(Call(OrientationInterface.monitor, parameters, mode: .more)) }
    }

    /// An attempt to connect or the exchange of bytes failed.
    package mutating func failed(_ error: any Error) {
        guard step != .end else { return }
        let error = OrientationServiceError(error)
        connection = ClientConnection(limits: .replies)
        if error.isFinal {
            finalError = error
            step = .end
            return
        }
        if case .notConnected(let reason) = error {
            buffer.put(notConnected: reason)
        } else {
            buffer.put(notConnected: error.description)
        }
        if let firstState, now() - firstState >= ReconnectBackoff.provingTime { backoff.reset() }
        firstState = nil
        step = .wait(seconds: backoff.next(jitter: jitter()))
    }

    /// The time of ``Step/wait(seconds:)`` has passed.
    package mutating func timerFired() {
        if case .wait = step { step = .connect }
    }

    /// Ends the subscription without an error, and discards its updates.
    package mutating func stop() {
        buffer = UpdateBuffer(.newest, reportsConnection: false)
        connection = ClientConnection(limits: .replies)
        finalError = nil
        step = .end
    }

    /// Moves received replies to the buffer while it has room.
    package mutating func takeReplies() {
        while buffer.hasRoom, step == .exchange {
            var reply: ClientConnection.Reply?
            attempt { connection in reply = try connection.nextReply() }
            guard let reply else { return }
            do {
                buffer.put(try OrientationState(reply: reply.result.get()))
            } catch {
                return failed(error)
            }
            guard reply.continues else {
                return failed(OrientationServiceError.notConnected(reason: "the daemon ended the subscription"))
            }
            if firstState == nil { firstState = now() }
        }
    }

    /// Removes and returns the oldest update.
    package mutating func takeUpdate() -> OrientationUpdate? { buffer.take() }

    /// Whether an error ended the subscription that ``takeError()`` has not returned.
    package var hasError: Bool { finalError != nil }

    /// Removes and returns the error that ended the subscription.
    package mutating func takeError() -> OrientationServiceError? {
        defer { finalError = nil }
        return finalError
    }

    private mutating func attempt(_ work: (inout ClientConnection) throws -> Void) {
        do {
            try work(&connection)
        } catch {
            failed(error)
        }
    }
}

extension SubscriptionState: ConnectionEnd {
    package var readCapacity: Int { hasRoom ? connection.readCapacity : 0 }
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) { connection.receive(bytes) }
    package mutating func receiveEnd() { connection.receiveEnd() }
    package var unsentBytes: Int { connection.unsentBytes }
    package func withUnsentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try connection.withUnsentBytes(body)
    }
    package mutating func didSend(_ count: Int) { connection.didSend(count) }
}

extension Limits {
    /// The limits on replies. 1 MiB: larger than the daemon's limit on calls, because the daemon is trusted, and a list of
    /// sensors can be long.
    package static let replies: Limits = {
        var limits = Limits()
        limits.messageBytes = 1 << 20
        return limits
    }()
}
