// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing
internal import Support

/// When the sensor runs, and what is done when it does not: events in, actions out.
///
/// The sensor runs while somebody wants it and a moment longer. One that fails is tried again with growing pauses, and
/// at once when udev reports a change; a recording that has ended stays so until ``reload()``.
nonisolated struct SensorSupervisor {
    enum Action: Equatable {
        /// Open the source; with `fresh` a paused recording does not go on but starts over.
        case start(run: Int, fresh: Bool)
        case stop
        /// Call ``timerFired()`` in so many seconds, whatever was asked before.
        case wake(after: Double)
        case cancelWake
        /// Look at what sensors there are, and call ``looked(at:isCurrentOutdated:)``.
        case look
        case report(SensorReport)
    }

    /// Seconds that the sensor goes on after the last one has left, so that a client which comes back at once does not
    /// cost a start; under the second within which it must be off.
    static let lingerTime = 0.5
    /// Seconds that a sensor which has failed must work before the pauses start over: a fault takes five to show, and one
    /// that comes back each time must not be tried ten times a second.
    static let provingTime = 10.0
    /// The longest pause before another look at a sensor whose readings cannot be gravity, in seconds: it may be whoever
    /// carries it that flies or is whirled round, and is not to wait when that is over.
    static let longestDoubt = 2.0

    private enum Phase: Equatable {
        case off
        case running
        /// Nobody wants it any more; it is stopped when the timer fires.
        case lingering
        /// It failed; it is started when the timer fires.
        case pausing
        /// It has ended for good.
        case ended
    }

    private var phase = Phase.off
    private var isWanted = false
    /// A reload came while nobody listened: the next start is a fresh one.
    private var startsFresh = false
    private var run = 0
    /// The sensor that is open, or was the last to be.
    private(set) var sensor = ""
    /// Sensors that have failed since devices last changed, each with the reason: another one is tried first.
    private(set) var troubled: [String: String] = [:]
    private var backoff = ExponentialBackoff.sensorRetry
    /// It works again, and the timer says when that counts.
    private var isProving = false
    /// Devices changed since this run was asked for: if it fails, it may have looked too early.
    private var hasNews = false

    /// Somebody wants the sensor, or nobody does any more.
    mutating func demandChanged(isWanted: Bool) -> [Action] {
        guard isWanted != self.isWanted else { return [] }
        self.isWanted = isWanted
        switch (phase, isWanted) {
        case (.off, true): return start()
        case (.lingering, true):
            phase = .running
            return [isProving ? .wake(after: Self.provingTime) : .cancelWake]
        case (.running, false):
            phase = .lingering
            return [.wake(after: Self.lingerTime)]
        case (.pausing, false):
            phase = .off
            backoff.reset()
            return [.cancelWake, .report(.off)]
        default: return []
        }
    }

    /// The time that the last `wake` asked for has come.
    mutating func timerFired() -> [Action] {
        switch phase {
        case .lingering:
            phase = .off
            troubled = [:]
            backoff.reset()
            return [.stop, .report(.off)]
        case .pausing: return start(isFirst: false)
        case .running:
            isProving = false
            backoff.reset()
            return []
        case .off, .ended: return []
        }
    }

    /// udev reports that a device came, went or changed, or something else that the choice depends on did.
    mutating func devicesChanged() -> [Action] {
        troubled = [:]
        hasNews = true
        guard phase == .pausing else { return isOpen ? [.look] : [] }
        backoff.reset()
        return [.cancelWake] + start(isFirst: false)
    }

    /// These sensors there are; `isCurrentOutdated` says that the one in use was opened with what no longer holds.
    mutating func looked(at sensors: [SensorDescription], isCurrentOutdated: Bool) -> [Action] {
        // One that is not there any more may not have noticed yet.
        guard isOpen, sensors.first(where: \.isChosen)?.id != sensor || isCurrentOutdated else { return [] }
        return reopen()
    }

    /// The machine has slept: whatever was armed may not be any more, and nothing of the past holds.
    mutating func resumed() -> [Action] {
        switch phase {
        case .running, .lingering: return reopen()
        case .pausing: return devicesChanged()
        case .off, .ended: return []
        }
    }

    /// The sensor in a sentence.
    var name: String { sensor.isEmpty ? "the sensor" : sensor }

    /// A call to the sensor does not come back.
    mutating func hung(for seconds: Int) -> [Action] {
        guard isOpen else { return [] }
        return [.report(.unavailable(reason: "\(name) has not answered for \(seconds) seconds"))]
    }

    /// Opens the best source in the place of the one that is open; who watches is told only of what differs.
    private mutating func reopen() -> [Action] {
        run += 1
        return [.start(run: run, fresh: false)]
    }

    /// Somebody wants everything read anew.
    mutating func reload() -> [Action] {
        backoff.reset()
        troubled = [:]
        let isOpen = isOpen
        let stops: [Action] = phase == .off ? [] : [.cancelWake] + (isOpen ? [.stop] : [])
        phase = .off
        startsFresh = true
        return stops + (isWanted ? start() : [.report(.off)])
    }

    /// What the sensor thread says; what it still says of an earlier run is dropped.
    mutating func handle(_ event: SensorEvent) -> [Action] {
        switch event {
        case .opened(let number, let info, _) where number == run:
            // Not told by itself: a sensor is in use once it has said something.
            sensor = info.id
            return []
        case .decided(let number, let attitude) where number == run && isOpen:
            hasNews = false
            troubled[sensor] = nil
            return prove() + [.report(.decided(attitude, sensor: sensor))]
        case .measuring(let number, let reason) where number == run && isOpen:
            return [.report(.measuring(reason: reason))]
        case .failed(let number, let failure) where number == run && isOpen:
            return fail(failure)
        case .ended(let number, let reason) where number == run && isOpen:
            defer { phase = .ended }
            return (phase == .lingering ? [.cancelWake] : []) + [.report(.ended(reason: reason))]
        default: return []
        }
    }

    private mutating func prove() -> [Action] {
        guard phase == .running, backoff.isRetrying, !isProving else { return [] }
        isProving = true
        return [.wake(after: Self.provingTime)]
    }

    private var isOpen: Bool { phase == .running || phase == .lingering }

    private mutating func start(isFirst: Bool = true) -> [Action] {
        run += 1
        phase = .running
        sensor = ""
        hasNews = false
        isProving = false
        defer { startsFresh = false }
        return (isFirst ? [.report(.starting)] : []) + [.start(run: run, fresh: startsFresh)]
    }

    private mutating func fail(_ failure: SensorFailure) -> [Action] {
        let wasLingering = phase == .lingering
        guard failure.isWorthRetrying else {
            phase = .ended
            return (wasLingering ? [.cancelWake] : []) + [.report(.unavailable(reason: failure.description))]
        }
        guard !wasLingering else {
            phase = .off
            return [.cancelWake, .report(.off)]
        }
        phase = .pausing
        if !sensor.isEmpty { troubled[sensor] = failure.description }
        if hasNews { backoff.reset() }
        let wait = backoff.next()
        let longest =
            if case .implausible = failure { Self.longestDoubt } else { ExponentialBackoff.sensorRetry.maximum }
        return [.report(.unavailable(reason: failure.description)), .wake(after: min(wait, longest))]
    }
}

/// What there is to say about the sensor, for the state that clients see.
nonisolated enum SensorReport: Equatable {
    /// Nobody wants it.
    case off
    /// Somebody wants it, and it has said nothing yet.
    case starting
    /// It delivers samples whose scale is wrong and still being measured, which this says for a person.
    case measuring(reason: String)
    case decided(Attitude, sensor: String)
    /// It gives nothing, for this reason.
    case unavailable(reason: String)
    /// It will say no more; what it said last stays.
    case ended(reason: String)
}
