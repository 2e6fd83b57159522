// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Varlink

/// The user's rotation lock: open, or closed with the edge that it keeps.
nonisolated enum RotationLock: Equatable, Sendable {
    case open
    /// Closed; nil where no edge was up when it was closed and none was named.
    case closed(Edge?)

    /// The form in which it is stored: `open`, `closed`, or `closed landscapeLeft`, and a line feed.
    var text: String {
        switch self {
        case .open: "open\n"
        case .closed(nil): "closed\n"
        case .closed(let edge?): "closed \(edge)\n"
        }
    }

    /// Reads that form; nil where it is damaged.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first, words.count) {
        case ("open", 1): self = .open
        case ("closed", 1): self = .closed(nil)
        case ("closed", 2):
            guard let edge = Edge(words[1]) else { return nil }
            self = .closed(edge)
        default: return nil
        }
    }
}

/// Decides when the rotation lock is written, and answers the clients that set it.
///
/// Each write waits for the disk, one at a time. A client that changes the lock again and again waits for its replies: a
/// reply comes with the write, and a write takes the newest lock for all clients that wait.
nonisolated struct RotationLockKeeper {
    /// How many writes begin at once: more often than a hand changes its mind.
    static let burst = 4
    /// Seconds until one more write is due after so many. A slow disk needs a tenth of one.
    static let interval = 1.0

    /// Whether there is a state directory.
    private let isPersistent: Bool
    private var bucket = TokenBucket(burst: burst, interval: interval)
    /// What is in the file; nil where that is not known.
    private var stored: RotationLock?
    private var wanted: RotationLock
    /// The user that set the lock last.
    private var user: UInt32?
    /// The lock that is being written.
    private var writing: RotationLock?
    private var isWriteDue = false
    /// The clients whose reply comes with the write in progress, and with the next one.
    private var answering: Set<ClientID> = []
    private var waiting: Set<ClientID> = []
    private var isFinishing = false

    /// The lock as it was stored; nil without a state directory.
    init(stored: RotationLock?) {
        isPersistent = stored != nil
        self.stored = stored
        wanted = stored ?? .open
    }

    /// The lock as the user set it last.
    var current: RotationLock { wanted }

    /// A client sets the lock. What is stored already, while no write is due, is not written again.
    mutating func set(_ lock: RotationLock, for caller: Caller, at now: Double) -> [Effect] {
        let isNew = lock != wanted
        wanted = lock
        user = caller.user
        let change: [Effect] = [.raise(.lockChanged(lock))]
        guard isPersistent else {
            let reason = "there is no directory to keep it in; name one with --state-directory"
            return change + (isNew ? [logLine] : []) + [Self.reply(caller.client, notKept: reason)]
        }
        if writing == nil, !isWriteDue, lock == stored { return change + [Self.reply(caller.client, notKept: nil)] }
        if !isWriteDue, lock == writing {
            answering.insert(caller.client)
            return change
        }
        waiting.insert(caller.client)
        isWriteDue = true
        return change + writeIfDue(at: now)
    }

    mutating func clientLeft(_ client: ClientID) {
        waiting.remove(client)
        answering.remove(client)
    }

    /// The lock was written, or could not be, and why.
    mutating func stored(_ lock: RotationLock, failure: String?, at now: Double) -> [Effect] {
        writing = nil
        stored = failure == nil ? lock : nil
        let warning = failure.map {
            Effect.logForUser(.warning, user, "the rotation lock will not outlast a restart: \($0)")
        }
        let replies = answering.sorted { $0.serial < $1.serial }.map { Self.reply($0, notKept: failure) }
        answering = []
        return (warning.map { [$0] } ?? []) + replies + writeIfDue(at: now)
    }

    /// The timer of ``TimerID/lockWrite`` fired.
    mutating func timerFired(at now: Double) -> [Effect] { writeIfDue(at: now) }

    /// The daemon ends: writes what is due without waiting for its time; ``Event/lockFinished`` follows.
    mutating func finish(at now: Double) -> [Effect] {
        isFinishing = true
        return writeIfDue(at: now)
    }

    private mutating func writeIfDue(at now: Double) -> [Effect] {
        guard writing == nil else { return [] }
        guard isWriteDue else { return isFinishing ? [.raise(.lockFinished)] : [] }
        // The timer may fire a microsecond early, and gets here again.
        guard isFinishing || bucket.take(at: now) else {
            return [.setTimer(.lockWrite, after: bucket.wait(at: now))]
        }
        isWriteDue = false
        (answering, waiting) = (waiting, [])
        writing = wanted
        return [logLine, .setTimer(.lockWrite, after: nil), .storeLock(wanted)]
    }

    private var logLine: Effect { .logForUser(.info, user, "the rotation lock is now \(wanted.text.dropLast())") }

    private static func reply(_ client: ClientID, notKept: String?) -> Effect {
        var reply: JSONObject = [:]
        reply["notKept"] = notKept.map { .string($0) }
        return .reply(client, EncodedMessage(reply: reply))
    }
}
