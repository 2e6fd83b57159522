// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Varlink

/// Writes one message to many sessions, with one system call for many of them if the kernel permits it.
struct MessageWriter: ~Copyable {
    /// Sends bytes to at most ``SendRing/capacity`` sockets.
    typealias Sender = (UnsafeRawBufferPointer, [Int32]) -> SendRing.Results

    /// The sessions to which the message was not completely written.
    struct Outcome {
        /// Sessions with unsent bytes.
        var behind: [ClientSession] = []
        /// Sessions whose socket failed.
        var failed: [ClientSession] = []
    }

    /// The minimum number of sessions for which a ``SendRing`` is used. 16: with fewer, the gain is within the noise.
    static let smallestBatch = 16

    private let makeSender: () -> Sender?
    private var sender: Sender?
    /// Whether no ring could be created, or one has failed.
    private var isRingUnusable = false

    /// Creates a writer; `makeSender` returns nil if no ring can be created.
    init(makeSender: @escaping () -> Sender? = { SendRing().map { ring in { ring.send($0, to: $1) } } }) {
        self.makeSender = makeSender
    }

    /// Notes a closed connection; `remaining` are open. Closes the ring if they are few: the next message to
    /// ``smallestBatch`` sessions creates another, also if the last one has failed.
    mutating func noteDisconnection(remaining: Int) {
        // Half of the minimum: one client that reconnects does not cause a new ring each time.
        guard remaining < Self.smallestBatch / 2 else { return }
        sender = nil
        isRingUnusable = false
    }

    /// Writes a message to sessions without unsent bytes, after ``ClientSession/acceptUnqueued(_:)`` has returned true for
    /// each.
    mutating func write(_ message: EncodedMessage, to sessions: ContiguousArray<ClientSession>) -> Outcome {
        var outcome = Outcome()
        var rest = sessions[...]
        if rest.count >= Self.smallestBatch { writeWithRing(message, to: &rest, &outcome) }
        for session in rest { note(session.send(message), of: message, session, &outcome) }
        return outcome
    }

    /// Writes to the first sessions and removes them from `sessions`; the rest remain if the ring fails.
    private mutating func writeWithRing(
        _ message: EncodedMessage, to sessions: inout ContiguousArray<ClientSession>.SubSequence,
        _ outcome: inout Outcome
    ) {
        guard !isRingUnusable else { return }
        sender = sender ?? makeSender()
        isRingUnusable = sender == nil
        while let sender, !sessions.isEmpty {
            let batch = sessions.prefix(SendRing.capacity)
            let results = message.withBytes { sender($0, batch.map(\.descriptor)) }
            for (session, value) in zip(batch, results.values) {
                note(Self.count(of: value), of: message, session, &outcome)
            }
            sessions = sessions.dropFirst(results.values.count)
            guard results.hasFailed else { continue }
            isRingUnusable = true
            self.sender = nil
        }
    }

    /// Returns the number of sent bytes for a result of ``SendRing``; nil if the socket failed.
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
        if !session.queueRest(of: message, after: count) { outcome.behind.append(session) }
    }
}
