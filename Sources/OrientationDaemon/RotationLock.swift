// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Systemd
internal import Varlink

/// The user's rotation lock: off, or on at an edge of the panel, whose name depends on the natural orientation.
nonisolated enum RotationLock: Equatable, Sendable, CustomStringConvertible {
    case off
    /// On at this edge; nil if the client named none and none was up.
    case on(PanelEdge?)

    /// The stored form: `open` for off, `closed` or `closed right` for on, with a line feed. Earlier versions wrote these
    /// words.
    var text: String {
        switch self {
        case .off: "open\n"
        case .on(nil): "closed\n"
        case .on(let edge?): "closed \(edge)\n"
        }
    }

    /// The form for messages: `off`, `on` or `on (right edge of the panel up)`.
    var description: String {
        switch self {
        case .off: "off"
        case .on(nil): "on"
        case .on(let edge?): "on (\(edge) edge of the panel up)"
        }
    }

    /// Parses the stored form; nil if it is invalid. Older versions stored the name of the edge on a tall panel, such as
    /// `closed landscapeLeft`.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first, words.count) {
        case ("open", 1): self = .off
        case ("closed", 1): self = .on(nil)
        case ("closed", 2):
            let former = Edge(words[1]).map { PanelEdge($0, natural: .portrait) }
            guard let edge = PanelEdge(words[1]) ?? former else { return nil }
            self = .on(edge)
        default: return nil
        }
    }
}

/// Decides when the rotation lock is written, and replies to the clients that set it.
///
/// One write is pending at a time. A client receives its reply when its lock has been written, which limits how fast it
/// can change the lock; each write stores the newest lock for all waiting clients.
nonisolated struct RotationLockKeeper {
    /// The burst of writes: more than a user makes by hand.
    static let burst = 4
    /// The interval between writes after a burst, in seconds. A slow disk takes a tenth of it.
    static let interval = 1.0

    /// Whether there is a state directory.
    private let isPersistent: Bool
    private var bucket = TokenBucket(burst: burst, interval: interval)
    /// The content of the file; nil if unknown.
    private var stored: RotationLock?
    private var wanted: RotationLock
    /// The user that set the lock last.
    private var user: UInt32?
    /// The lock of the pending write.
    private var writing: RotationLock?
    private var isWriteDue = false
    /// The clients to answer after the pending write, and after the next one.
    private var answering: Set<ClientID> = []
    private var waiting: Set<ClientID> = []
    private var isFinishing = false

    /// Creates a keeper with the stored lock; nil without a state directory.
    init(stored: RotationLock?) {
        isPersistent = stored != nil
        self.stored = stored
        wanted = stored ?? .off
    }

    /// The lock last set by a user.
    var current: RotationLock { wanted }

    /// Sets the lock for a client. A lock that is stored already is not written again.
    mutating func set(_ lock: RotationLock, for caller: Caller, at now: Double) -> [Effect] {
        let isNew = lock != wanted
        wanted = lock
        user = caller.user
        let change: [Effect] = [.raise(.lockChanged(lock))]
        guard isPersistent else {
            let reason = "no state directory; set one with --state-directory"
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

    /// Handles the end of a write; `failure` is the reason if it failed.
    mutating func stored(_ lock: RotationLock, failure: String?, at now: Double) -> [Effect] {
        writing = nil
        stored = failure == nil ? lock : nil
        let warning = failure.map {
            Effect.logForUser(.warning, user, "cannot store the rotation lock: \($0)")
        }
        let replies = answering.sorted { $0.serial < $1.serial }.map { Self.reply($0, notKept: failure) }
        answering = []
        return (warning.map { [$0] } ?? []) + replies + writeIfDue(at: now)
    }

    /// The timer of ``TimerID/lockWrite`` fired.
    mutating func timerFired(at now: Double) -> [Effect] { writeIfDue(at: now) }

    /// Writes a due lock at once, because the daemon exits; ``Event/lockFinished`` follows.
    mutating func finish(at now: Double) -> [Effect] {
        isFinishing = true
        return writeIfDue(at: now)
    }

    private mutating func writeIfDue(at now: Double) -> [Effect] {
        guard writing == nil else { return [] }
        guard isWriteDue else { return isFinishing ? [.raise(.lockFinished)] : [] }
        // The timer may fire a microsecond early: it is set again.
        guard isFinishing || bucket.take(at: now) else {
            return [.setTimer(.lockWrite, after: bucket.wait(at: now))]
        }
        isWriteDue = false
        (answering, waiting) = (waiting, [])
        writing = wanted
        return [logLine, .setTimer(.lockWrite, after: nil), .storeLock(wanted)]
    }

    private var logLine: Effect { .logForUser(.info, user, "the rotation lock is now \(wanted)") }

    private static func reply(_ client: ClientID, notKept: String?) -> Effect {
        var reply: JSONObject = [:]
        reply["notKept"] = notKept.map { .string($0) }
        return .reply(client, EncodedMessage(reply: reply))
    }
}

/// Writes the rotation lock to the state directory on a separate thread, because the disk may be slow, and appends
/// ``Event/lockStored(_:failure:)`` to the queue. ``RotationLockKeeper`` requests one write at a time.
final class RotationLockWriter {
    private let directory: StateDirectory?
    private let loop: EventLoop
    private let queue: EventQueue
    private var call: BackgroundCall<SystemError?>?

    /// Creates a writer; without a directory nothing is written.
    init(directory: StateDirectory?, loop: EventLoop, queue: EventQueue) {
        self.directory = directory
        self.loop = loop
        self.queue = queue
    }

    func write(_ lock: RotationLock) {
        guard let directory else { return }
        do throws(SystemError) {
            call = try BackgroundCall(on: loop) {
                do throws(SystemError) {
                    try directory.write(lock)
                    return nil
                } catch {
                    return error
                }
            } done: { [unowned self] error in
                call = nil
                queue.append(.lockStored(lock, failure: error?.description))
            }
        } catch {
            queue.append(.lockStored(lock, failure: error.description))
        }
    }
}
