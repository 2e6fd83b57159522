// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import Sensing
internal import Systemd

/// Keeps the rotation lock across restarts.
///
/// Each write waits for the disk, and the loop with it, and each says a line in the log. So a client that changes the lock
/// again and again is slowed down to what everybody can bear: its answer comes with the write, and a write takes the newest
/// lock for all who wait.
final class LockKeeper {
    /// How often the lock is written at once: more often than a hand changes its mind.
    nonisolated static let burst = 4
    /// Seconds until one more write is due after so many. A disk that is slow needs a tenth of one.
    nonisolated static let interval = 1.0

    /// Is told why the lock will be lost with the daemon; nil where it will not.
    typealias Answer = @MainActor (String?) -> Void

    /// What came of a wish.
    enum Outcome: Equatable {
        /// It is kept, or will be lost with the daemon for this reason.
        case done(notKept: String?)
        /// It will be written, and the answer is called then.
        case later
    }

    private let directory: StateDirectory?
    private let log: Logger
    private var allowance = Allowance(burst: burst, interval: interval)
    private var timer: EventSource?
    /// What is in the file; nil where that is not known.
    private var kept: RotationLock?
    private var wanted = RotationLock.open
    private var isWriteDue = false
    /// By client, each of which has but one call in progress.
    private var waiting: [Int: Answer] = [:]

    /// Keeps the lock in `directory`; nil keeps nothing.
    init(directory: StateDirectory?, loop: EventLoop, log: Logger) throws(SystemError) {
        self.directory = directory
        self.log = log
        timer = try loop.timer { [unowned self] in
            let now = BootClock.now()
            // It may be a microsecond early.
            if allowance.take(at: now) { finish() } else { timer?.fire(after: allowance.wait(at: now)) }
        }
    }

    /// The lock as it was kept.
    func restore() -> RotationLock {
        guard let directory else { return .open }
        wanted = directory.readLock(log: log)
        kept = wanted
        return wanted
    }

    /// A client wants the lock to be this. What is kept already, while nothing waits, is not written again.
    func keep(_ lock: RotationLock, for client: Int, later answer: @escaping Answer) -> Outcome {
        let isNew = lock != wanted
        wanted = lock
        let now = BootClock.now()
        guard let directory else {
            if isNew, allowance.take(at: now) { report() }
            return .done(notKept: "there is no directory to keep it in; name one with --state-directory")
        }
        if lock == kept, !isWriteDue { return .done(notKept: nil) }
        if !isWriteDue, allowance.take(at: now) { return .done(notKept: write(to: directory)) }
        waiting[client] = answer
        if !isWriteDue { timer?.fire(after: allowance.wait(at: now)) }
        isWriteDue = true
        return .later
    }

    /// A client has gone, and wants no answer.
    func forget(_ client: Int) {
        waiting[client] = nil
    }

    /// Writes what is due, at once: its time has come, or the daemon ends.
    func finish() {
        guard isWriteDue, let directory else { return }
        isWriteDue = false
        timer?.pause()
        let answers = waiting.values
        waiting = [:]
        let reason = write(to: directory)
        for answer in answers { answer(reason) }
    }

    private func write(to directory: StateDirectory) -> String? {
        report()
        do {
            try directory.write(wanted)
            kept = wanted
            return nil
        } catch {
            kept = nil
            log.warning("the rotation lock will not outlast a restart: \(error)")
            return error.description
        }
    }

    private func report() {
        log.info("the rotation lock is now \(wanted.text.dropLast())")
    }
}
