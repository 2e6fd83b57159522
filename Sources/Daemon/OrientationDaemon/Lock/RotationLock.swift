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

    /// The stored form: `open` for off, `closed` or `closed right` for on, with a line feed.
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

    private enum Phase {
        /// The last lock that was set is in effect.
        case settled
        /// The last lock that was set waits for the timer of ``TimerID/lockChange``.
        case delayed
        /// The daemon exits: locks are in effect at once.
        case finishing
    }

    /// The stored lock.
    private enum File: Equatable {
        /// There is no state directory.
        case absent
        /// The file has this lock; nil if a write has failed.
        case stored(RotationLock?)
        /// A write is pending: of the current lock, or of an outdated one, after which the current one is written.
        case writing(isOutdated: Bool)
    }

    /// A call that waits for its reply; at most one of each client.
    private struct PendingCall {
        let client: ClientID
        /// The parameters of the reply, besides `notKept`.
        let reply: JSONObject
        var stage = Stage.change

        /// What it waits for.
        enum Stage { case change, nextWrite, pendingWrite }
    }

    private var bucket = TokenBucket(burst: burst, interval: interval)
    private var phase = Phase.settled
    private var file: File
    /// The lock of the last change.
    private(set) var current: RotationLock
    /// The last lock that was set.
    private(set) var wanted: RotationLock
    private var calls: [PendingCall] = []
    /// Why the last write failed; nil if it did not.
    private var failure: String?

    /// Creates a keeper with the stored lock; nil without a state directory.
    init(stored: RotationLock?) {
        file = stored.map { File.stored($0) } ?? .absent
        current = stored ?? .off
        wanted = current
    }

    /// Whether the next start of the daemon has the same lock.
    var isStored: Bool { file == .stored(wanted) || file == .absent && wanted == .off }

    /// Sets the lock for a client, whose reply has these parameters. A lock that is stored already is not written again.
    mutating func set(
        _ lock: RotationLock, for caller: Caller, replying reply: JSONObject = [:], at now: Double
    ) -> [Effect] {
        wanted = lock
        calls.append(PendingCall(client: caller.client, reply: reply))
        guard phase != .delayed, lock == current else { return requestChange(at: now) }
        switch file {
        case .absent, .stored(lock): return answer(.change)
        case .stored: return requestChange(at: now)
        case .writing(let isOutdated):
            advance(from: .change, to: isOutdated ? .nextWrite : .pendingWrite)
            return []
        }
    }

    mutating func clientLeft(_ client: ClientID) { calls.removeAll { $0.client == client } }

    /// Handles the end of a write; `failure` is the reason if it failed.
    mutating func stored(_ lock: RotationLock, failure: String?) -> [Effect] {
        let isOutdated = file == .writing(isOutdated: true)
        file = .stored(failure == nil ? lock : nil)
        // Once for each cause: users can repeat it.
        let isNew = failure != self.failure
        self.failure = failure
        let warning = failure.map { [Effect.log(isNew ? .warning : .debug, "cannot store the rotation lock: \($0)")] }
        let effects = (warning ?? []) + answer(.pendingWrite, notKept: failure)
        if isOutdated { return effects + write() }
        return effects + (phase == .finishing ? [.raise(.lockFinished)] : [])
    }

    /// The timer of ``TimerID/lockChange`` fired.
    mutating func timerFired(at now: Double) -> [Effect] { phase == .delayed ? requestChange(at: now) : [] }

    /// Makes and writes a delayed change at once, because the daemon exits; ``Event/lockFinished`` follows.
    mutating func finish() -> [Effect] {
        let effects: [Effect] = phase == .delayed ? [.setTimer(.lockChange, after: nil)] + change() : []
        phase = .finishing
        if case .writing = file { return effects }
        return effects + [.raise(.lockFinished)]
    }

    private mutating func requestChange(at now: Double) -> [Effect] {
        if phase == .finishing { return change() }
        // The timer may fire a microsecond early: it is set again.
        guard bucket.take(at: now) else {
            phase = .delayed
            return [.setTimer(.lockChange, after: bucket.wait(at: now))]
        }
        let effects: [Effect] = phase == .delayed ? [.setTimer(.lockChange, after: nil)] : []
        phase = .settled
        return effects + change()
    }

    private mutating func change() -> [Effect] {
        let effects: [Effect] =
            wanted == current
            ? [] : [.raise(.lockChanged(wanted)), .log(.debug, "the rotation lock is now \(wanted)")]
        current = wanted
        if file == .absent { return effects + answer(.change) }
        advance(from: .change, to: .nextWrite)
        guard case .writing = file else { return effects + write() }
        file = .writing(isOutdated: true)
        return effects
    }

    private mutating func write() -> [Effect] {
        file = .writing(isOutdated: false)
        advance(from: .nextWrite, to: .pendingWrite)
        return [.storeLock(current)]
    }

    private mutating func advance(from old: PendingCall.Stage, to new: PendingCall.Stage) {
        for index in calls.indices where calls[index].stage == old { calls[index].stage = new }
    }

    /// Replies to the calls at a stage; `failure` is the reason if the write failed.
    private mutating func answer(_ stage: PendingCall.Stage, notKept failure: String? = nil) -> [Effect] {
        let reason = file == .absent ? "no state directory; set one with --state-directory" : failure
        defer { calls.removeAll { $0.stage == stage } }
        return calls.filter { $0.stage == stage }.map { call in
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
