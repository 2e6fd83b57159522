// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Varlink

/// Writes one message to many sessions, with one system call for many of them if the kernel permits it.
struct MessageWriter {
    /// The sessions to which the message was not completely written.
    struct Outcome {
        /// Those that have unsent bytes.
        var behind: [ClientSession] = []
        /// Those whose sockets failed.
        var failed: [ClientSession] = []
    }

    /// The number of sessions from which a ``SendRing`` is used. 16: a device with few apps needs none.
    static let smallestBatch = 16

    private let makeRing: () -> SendRing?
    private var ring: SendRing?

    /// Creates a writer; `makeRing` returns nil if no ring can be used.
    init(makeRing: @escaping () -> SendRing? = { SendRing() }) {
        self.makeRing = makeRing
    }

    /// Writes a message to sessions without unsent bytes, after ``ClientSession/accept(_:)`` has returned true for each.
    mutating func write(_ message: EncodedMessage, to sessions: ContiguousArray<ClientSession>) -> Outcome {
        var outcome = Outcome()
        var rest = sessions[...]
        if rest.count >= Self.smallestBatch { writeWithRing(message, to: &rest, &outcome) }
        for session in rest { note(session.send(message), of: message, session, &outcome) }
        return outcome
    }

    /// Writes to the first sessions, and removes them from the list: to all of them unless the ring fails.
    private mutating func writeWithRing(
        _ message: EncodedMessage, to sessions: inout ContiguousArray<ClientSession>.SubSequence,
        _ outcome: inout Outcome
    ) {
        ring = ring ?? makeRing()
        while let ring, !sessions.isEmpty {
            let batch = sessions.prefix(SendRing.capacity)
            let results = message.withBytes { ring.send($0, to: batch.lazy.map(\.descriptor)) }
            for (session, result) in zip(batch, results) {
                note(Self.count(of: result), of: message, session, &outcome)
            }
            sessions = sessions.dropFirst(results.count)
            // The next message gets a new ring.
            if results.count < batch.count { self.ring = nil }
        }
    }

    /// The number of bytes that a result of ``SendRing`` means; nil if the socket failed.
    private static func count(of result: Int32) -> Int? {
        switch result {
        case 0...: Int(result)
        case -EAGAIN, -EINTR: 0
        default: nil
        }
    }

    private func note(
        _ count: Int?, of message: EncodedMessage, _ session: ClientSession, _ outcome: inout Outcome
    ) {
        guard let count else { return outcome.failed.append(session) }
        if !session.didSend(count, of: message) { outcome.behind.append(session) }
    }
}
