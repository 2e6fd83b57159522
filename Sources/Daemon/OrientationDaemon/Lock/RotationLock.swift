// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The user's rotation lock: off, or on at an edge of the panel, whose name depends on the natural orientation.
enum RotationLock: Equatable, Sendable, CustomStringConvertible {
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

    /// The form for messages: `off`, `on` or `on (right edge up)`.
    var description: String {
        switch self {
        case .off: PanelEdge.lockText(isOn: false, edge: nil)
        case .on(let edge): PanelEdge.lockText(isOn: true, edge: edge)
        }
    }

    /// Parses the stored form; nil if it is invalid.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first, words.count) {
        case ("open", 1): self = .off
        case ("closed", 1): self = .on(nil)
        case ("closed", 2):
            guard let edge = PanelEdge(words[1]) else { return nil }
            self = .on(edge)
        default: return nil
        }
    }
}

/// Decides when the rotation lock changes and is written, and replies to the clients that set it.
///
/// Changes are limited, because each one turns the windows of every app: a burst, then one per interval, the newest lock
/// for all clients that set one meanwhile. One write is pending at a time, and stores the lock of the last change. A client
/// receives its reply when its lock, or a newer one, has been written.
struct RotationLockKeeper {
    /// The burst of changes: more than a user makes by hand.
    static let burst = 4
    /// The interval between changes after a burst, in seconds.
    static let interval = 1.0

    /// Whether there is a state directory.
    private let isPersistent: Bool
    private var bucket = TokenBucket(burst: burst, interval: interval)
    /// The lock of the last change.
    private(set) var current: RotationLock
    private(set) var wanted: RotationLock
    private var isChangeDue = false
    /// The content of the file; nil if unknown.
    private var stored: RotationLock?
    /// Why the last write failed; nil if it did not.
    private var failure: String?
    private var writing: RotationLock?
    private var isWriteDue = false
    /// The callers that wait for the next change, for the next write, and for the pending write: at most one of each client.
    private var waiting: [Setter] = []
    private var unwritten: [Setter] = []
    private var answering: [Setter] = []
    private var isTimerRunning = false
    private var isFinishing = false

    private struct Setter {
        let client: ClientID
        /// The parameters of the reply, besides `notKept`.
        let reply: JSONObject
    }

    /// Creates a keeper with the stored lock; nil without a state directory.
    init(stored: RotationLock?) {
        isPersistent = stored != nil
        self.stored = stored
        current = stored ?? .off
        wanted = current
    }

    /// Whether the next start of the daemon has the same lock.
    var isStored: Bool { isPersistent ? stored == wanted && writing == nil : wanted == .off }

    /// Sets the lock for a client, whose reply has these parameters. A lock that is stored already is not written again.
    mutating func set(
        _ lock: RotationLock, for caller: Caller, replying reply: JSONObject = [:], at now: Double
    ) -> [Effect] {
        let call = Setter(client: caller.client, reply: reply)
        wanted = lock
        if !isChangeDue, lock == current {
            if !isPersistent { return replies(to: [call]) }
            if isWriteDue {
                unwritten.append(call)
                return []
            }
            if lock == writing {
                answering.append(call)
                return []
            }
            if writing == nil, lock == stored { return replies(to: [call]) }
        }
        waiting.append(call)
        isChangeDue = true
        return changeIfDue(at: now)
    }

    mutating func clientLeft(_ client: ClientID) {
        waiting.removeAll { $0.client == client }
        unwritten.removeAll { $0.client == client }
        answering.removeAll { $0.client == client }
    }

    /// Handles the end of a write; `failure` is the reason if it failed.
    mutating func stored(_ lock: RotationLock, failure: String?, at now: Double) -> [Effect] {
        writing = nil
        stored = failure == nil ? lock : nil
        // Once for each cause: users can repeat it.
        let isNew = failure != self.failure
        self.failure = failure
        let warning = failure.map { Effect.log(isNew ? .warning : .debug, "cannot store the rotation lock: \($0)") }
        let replies = self.replies(to: answering, failure: failure)
        answering = []
        return (warning.map { [$0] } ?? []) + replies + writeIfDue()
    }

    /// The timer of ``TimerID/lockChange`` fired.
    mutating func timerFired(at now: Double) -> [Effect] {
        isTimerRunning = false
        return changeIfDue(at: now)
    }

    /// Makes and writes a due change at once, because the daemon exits; ``Event/lockFinished`` follows.
    mutating func finish(at now: Double) -> [Effect] {
        isFinishing = true
        return isChangeDue ? changeIfDue(at: now) : writeIfDue()
    }

    private mutating func changeIfDue(at now: Double) -> [Effect] {
        guard isChangeDue else { return [] }
        // The timer may fire a microsecond early: it is set again.
        guard isFinishing || bucket.take(at: now) else {
            isTimerRunning = true
            return [.setTimer(.lockChange, after: bucket.wait(at: now))]
        }
        isChangeDue = false
        var effects: [Effect] = []
        if isTimerRunning { effects.append(.setTimer(.lockChange, after: nil)) }
        isTimerRunning = false
        if wanted != current {
            effects.append(.raise(.lockChanged(wanted)))
            effects.append(.log(.debug, "the rotation lock is now \(wanted)"))
        }
        current = wanted
        if isPersistent {
            unwritten += waiting
            isWriteDue = true
        } else {
            effects += replies(to: waiting)
        }
        waiting = []
        effects += writeIfDue()
        return effects
    }

    private mutating func writeIfDue() -> [Effect] {
        guard writing == nil else { return [] }
        guard isWriteDue else { return isFinishing ? [.raise(.lockFinished)] : [] }
        isWriteDue = false
        (answering, unwritten) = (unwritten, [])
        writing = current
        return [.storeLock(current)]
    }

    private static let noDirectory = "no state directory; set one with --state-directory"

    /// Replies to calls; `failure` is the reason if the write failed.
    private func replies(to calls: [Setter], failure: String? = nil) -> [Effect] {
        let reason = isPersistent ? failure : Self.noDirectory
        return calls.map { call in
            var reply = call.reply
            reply["notKept"] = reason.map { .string($0) }
            return .reply(call.client, EncodedMessage(reply: reply))
        }
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
