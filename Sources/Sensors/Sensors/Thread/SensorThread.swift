// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The thread that waits for the sensors of a group, the only one: commands of the event loop in one direction, events in
/// the other.
///
/// The thread exists only while it has work. Nothing here blocks the loop: a call that hangs blocks the thread, and the
/// hang timer notifies the loop.
///
/// Unchecked: every mutable property is accessed while holding the lock only, unless stated otherwise.
package final class SensorThread: @unchecked Sendable {
    /// The capacity of the event queue. A loop that is further behind needs only the newest events.
    static let capacity = 64
    /// The timeout for a call to a sensor, in seconds.
    package static let longestCall = 5.0

    let table: SensorTable
    /// Runs on the thread before sensors are listed or opened: facts from udev need blocking calls.
    let facts: @Sendable () -> HardwareFacts
    private let lock = Lock()
    private let forLoop: WakeSignal
    private let forWorker: WakeSignal
    /// Notifies the event loop of a call that has timed out, without wake-ups while calls return.
    private let hangTimer: TimerDescriptor
    private let longestCall: Double
    /// The start of the pending call in seconds; nil between calls.
    private var callStart: Double?
    /// Whether a command may be pending, or the event queue has room again.
    private var isWorkerWoken = false
    private var commands: [SensorCommand] = []
    private var events: [SensorEvent] = []
    private var isWorking = false
    private var dropped: Int64 = 0

    /// Starts no thread. A call that takes more than `longestCall` seconds counts as hung.
    package init(
        _ table: SensorTable, longestCall: Double = SensorThread.longestCall,
        facts: @escaping @Sendable () -> HardwareFacts = { HardwareFacts() }
    ) throws(SensorFailure) {
        self.table = table
        self.facts = facts
        self.longestCall = longestCall
        do throws(Errno) {
            forLoop = try WakeSignal()
            forWorker = try WakeSignal()
            hangTimer = try TimerDescriptor()
        } catch {
            throw .failed("cannot create an eventfd or a timerfd: \(error)")
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// Methods for the event loop.
extension SensorThread {
    /// Readable while events or samples for motion subscribers are pending.
    package var descriptor: Int32 { forLoop.descriptor }

    /// Readable when a call may have timed out, until ``acknowledgeHang()``.
    package var hangDescriptor: Int32 { hangTimer.descriptor }

    /// Clears ``hangDescriptor``; returns whether a call has timed out.
    package func acknowledgeHang() -> Bool {
        hangTimer.clear()
        guard let start = locked({ callStart }) else { return false }
        return MonotonicClock.now() - start >= longestCall
    }

    /// The number of events dropped so far because the event loop was late.
    package var droppedCount: Int64 { locked { dropped } }

    /// Sends a command, and starts the thread if it does not run. If it cannot be started, each pending command is refused.
    package func send(_ command: SensorCommand) {
        let needsThread = locked {
            // A newer command replaces redundant ones, which would accumulate while the thread hangs.
            commands.removeAll { $0.isReplaced(by: command) }
            commands.append(command)
            wakeWorker()
            defer { isWorking = true }
            return !isWorking
        }
        guard needsThread else { return }
        let name = table.group.threadName
        do throws(Errno) {
            try DetachedThread.start(name) { SensorWorker(self).work() }
        } catch {
            locked {
                events += commands.compactMap { $0.refused("cannot start the \(name) thread: \(error)") }
                commands.removeAll()
                isWorking = false
                forLoop.set()
            }
        }
    }

    /// Closes the sensors, which restores the settings of chips, and waits for that as long as for a call that may hang. For
    /// the end without the event loop.
    package func close() {
        send(.close)
        let end = MonotonicClock.now() + longestCall
        while MonotonicClock.now() < end {
            for case .closed in takeEvents(limit: .max) { return }
            forLoop.wait(seconds: end - MonotonicClock.now())
        }
    }

    /// Returns and removes the oldest events, at most `limit`.
    package func takeEvents(limit: Int) -> [SensorEvent] {
        locked {
            let taken = Array(events.prefix(limit))
            let wasFull = events.count >= Self.capacity
            events.removeFirst(taken.count)
            if events.isEmpty { forLoop.clear() }
            if wasFull { wakeWorker() }
            return taken
        }
    }

    /// Ends the wait of the thread. Requires the lock.
    private func wakeWorker() {
        isWorkerWoken = true
        forWorker.set()
    }
}

/// Methods for the thread.
extension SensorThread {
    /// Returns the next command. Without a command and with nothing else to do the thread ends, and the next command
    /// starts another.
    func nextCommand(orEndIfIdle isIdle: Bool) -> SensorCommand? {
        locked {
            if isWorkerWoken { forWorker.clear() }
            isWorkerWoken = false
            if commands.isEmpty {
                if isIdle {
                    isWorking = false
                    hangTimer.set(after: nil)
                }
                return nil
            }
            return commands.removeFirst()
        }
    }

    /// Runs a call that may hang; the hang timer notifies the event loop. Returns whether the call timed out; a suspend
    /// does not count.
    func supervised(_ body: () -> Void) -> Bool {
        let start = MonotonicClock.now()
        hangTimer.set(after: longestCall)
        locked { callStart = start }
        body()
        locked { callStart = nil }
        return MonotonicClock.now() - start >= longestCall
    }

    /// Whether the event queue has room for a source that supports backpressure.
    var hasRoom: Bool { locked { events.count < Self.capacity } }

    /// Posts an event. If the queue is full, the oldest event that a later one replaces is dropped.
    func post(_ event: SensorEvent) {
        locked {
            events.append(event)
            if events.count > Self.capacity, let oldest = oldestReplaced {
                events.remove(at: oldest)
                dropped += 1
            }
        }
        // After the lock is released: otherwise the loop wakes up and waits for it.
        forLoop.set()
    }

    /// The index of the oldest event that a later one replaces. Requires the lock.
    private var oldestReplaced: Int? {
        events.indices.first { index in events[(index + 1)...].contains { events[index].isReplaced(by: $0) } }
    }

    /// Makes ``descriptor`` readable, for data besides the events.
    func wakeLoop() { forLoop.set() }

    /// Waits until a command arrives or the event queue has room, one of `descriptors` is readable, or the time in
    /// seconds has passed; nil waits without limit.
    func wait(or descriptors: [Int32] = [], seconds: Double? = nil) {
        // Else it would wake the loop once for a call that has returned.
        if seconds == nil { hangTimer.set(after: nil) }
        forWorker.wait(or: descriptors, seconds: seconds)
    }
}
