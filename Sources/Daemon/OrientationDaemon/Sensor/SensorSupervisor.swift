// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Posix

/// The state machine of the sensor: starts, stops, failures and retries. Events in, actions out.
///
/// The sensor runs while a requester needs it, and for ``lingerTime`` afterwards. After a failure it is started again
/// with exponential backoff, and at once when udev reports a change. A recording that has ended stays ended until
/// ``reload()``.
struct SensorSupervisor {
    enum Action: Equatable {
        /// Open the source; with `fresh` a paused recording starts from the beginning.
        case start(run: Int, fresh: Bool)
        case stop
        /// Call ``timerFired()`` after this many seconds; replaces an earlier request.
        case wake(after: Double)
        case cancelWake
        /// Scan the sensors, and call ``scanned(_:isCurrentOutdated:)``.
        case scan
        case report(SensorReport)
    }

    /// The time that the sensor stays on after the last requester, in seconds: a client that reconnects at once causes
    /// no restart. Less than one second, after which the sensor must be off.
    static let lingerTime = 0.5
    /// The time that a failed sensor must work before the backoff is reset, in seconds. A fault is detected after five
    /// seconds; a sensor that fails again and again must not be retried ten times per second.
    static let provingTime = 10.0
    /// The longest delay before a sensor with implausible readings is retried, in seconds. The device may be in free
    /// fall or rotating fast, and the readings are valid again afterwards.
    static let implausibleRetry = 2.0

    private enum Phase: Equatable {
        case off
        case running
        /// No longer needed; stopped when the timer fires.
        case lingering
        /// Failed; started when the timer fires.
        case pausing
        /// Ended until a reload.
        case ended
    }

    private var phase = Phase.off
    private var isNeeded = false
    /// Whether the next start is fresh: a reload was requested while the sensor was off.
    private(set) var startsFresh = false
    private var run = 0
    /// The id of the sensor that the last start opened; empty before.
    private(set) var sensor = ""
    /// The sensors that failed since the last device change, each with the reason: other sensors are tried first.
    private(set) var recentFailures: [String: String] = [:]
    private var backoff = ExponentialBackoff.sensorRetry
    /// Whether the sensor works again and the timer runs until the backoff is reset.
    private var isProving = false
    /// Whether devices changed since this start: if it fails, it may have scanned too early.
    private var devicesHaveChanged = false

    /// Handles a change of the demand.
    mutating func demandChanged(isNeeded: Bool) -> [Action] {
        guard isNeeded != self.isNeeded else { return [] }
        self.isNeeded = isNeeded
        switch (phase, isNeeded) {
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

    /// Handles the timer of the last `wake`.
    mutating func timerFired() -> [Action] {
        switch phase {
        case .lingering:
            phase = .off
            recentFailures = [:]
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

    /// Handles a change of the devices, or of another condition of the choice.
    mutating func devicesChanged() -> [Action] {
        recentFailures = [:]
        devicesHaveChanged = true
        guard phase == .pausing else { return isStarted ? [.scan] : [] }
        backoff.reset()
        return [.cancelWake] + start(isFirst: false)
    }

    /// Handles the result of a scan. `isCurrentOutdated`: the facts about the open sensor have changed.
    mutating func scanned(_ sensors: [SensorDescription], isCurrentOutdated: Bool) -> [Action] {
        // A disconnected sensor is not in the list, even if its failure was not reported yet.
        guard isStarted, sensors.first(where: \.isChosen)?.id != sensor || isCurrentOutdated else { return [] }
        return reopen()
    }

    /// Handles the wake from suspend: buffers and triggers may have been reset, so the sensor is opened again.
    mutating func woke() -> [Action] {
        switch phase {
        case .running, .lingering: return reopen()
        case .pausing: return devicesChanged()
        case .off, .ended: return []
        }
    }

    /// The name of the sensor, for a message.
    var name: String { sensor.isEmpty ? "the sensor" : sensor }

    /// Handles a call to the sensor that has not returned.
    mutating func hung(for seconds: Int) -> [Action] {
        guard isStarted else { return [] }
        return [.report(.unavailable(reason: "\(name): timed out: no response for \(seconds) s"))]
    }

    /// Replaces the open source with the best one, without reporting unknown in between.
    private mutating func reopen() -> [Action] {
        run += 1
        return [.start(run: run, fresh: false)]
    }

    /// Opens the source again.
    mutating func reload() -> [Action] {
        backoff.reset()
        recentFailures = [:]
        let isStarted = isStarted
        let stops: [Action] = phase == .off ? [] : [.cancelWake] + (isStarted ? [.stop] : [])
        phase = .off
        startsFresh = true
        return stops + (isNeeded ? start() : [.report(.off)])
    }

    /// Handles a message of the sensor thread; one of an earlier run is dropped.
    mutating func handle(_ event: SensorEvent) -> [Action] {
        switch event {
        case .opened(let number, let info, _) where number == run:
            // Not reported: the first decision reports the sensor.
            sensor = info.id
            return []
        case .decided(let number, let attitude) where number == run && isStarted:
            devicesHaveChanged = false
            recentFailures[sensor] = nil
            return prove() + [.report(.decided(attitude, sensor: sensor))]
        case .withoutGravity(let number, let reason) where number == run && isStarted:
            return [.report(.withoutGravity(reason: reason))]
        case .failed(let number, let failure) where number == run && isStarted:
            return fail(failure)
        case .ended(let number, let reason) where number == run && isStarted:
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

    /// Whether a source is started; it may not have opened a sensor yet.
    private var isStarted: Bool { phase == .running || phase == .lingering }

    private mutating func start(isFirst: Bool = true) -> [Action] {
        run += 1
        phase = .running
        sensor = ""
        devicesHaveChanged = false
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
        if !sensor.isEmpty { recentFailures[sensor] = failure.description }
        if devicesHaveChanged { backoff.reset() }
        let wait = backoff.next()
        let longest =
            if case .implausible = failure { Self.implausibleRetry } else { ExponentialBackoff.sensorRetry.maximum }
        return [.report(.unavailable(reason: failure.description)), .wake(after: min(wait, longest))]
    }
}

/// The state of the sensor, as published to clients.
enum SensorReport: Equatable {
    /// Not needed.
    case off
    /// Started, without a decision yet.
    case starting
    /// Samples arrive, but none has been gravity yet; the reason is a message.
    case withoutGravity(reason: String)
    case decided(Attitude, sensor: String)
    /// Unavailable, for this reason.
    case unavailable(reason: String)
    /// Ended; the last decision stays.
    case ended(reason: String)
}
