// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Sensors

/// The state machine of one kind of sensor: starts, stops, failures and retries. Events in, actions out.
///
/// The sensor runs while a requester needs it, and for its linger time afterwards. After a failure it is started again
/// with exponential backoff, and at once when udev reports a change. A recording that has ended stays ended until
/// ``reload()``. Times are in seconds.
struct SensorSupervisor {
    enum Action: Equatable {
        /// Open the sensor; with `fresh` a paused recording starts from the beginning.
        case start(run: Int, fresh: Bool)
        case stop
        /// Call ``timerFired()`` after this many seconds; replaces an earlier request.
        case wake(after: Double)
        case cancelWake
        /// Scan the sensors, and call ``scanned(_:isOutdated:)``.
        case scan
        case report(SensorState)
    }

    /// The longest delay before a sensor with implausible readings is retried. The device may be in free fall or rotating
    /// fast, and the readings are valid again afterwards.
    static let implausibleRetry = 2.0

    private enum Phase: Equatable {
        case off
        case running
        /// No longer needed; stopped when the timer fires.
        case lingering
        /// Failed; started when the timer fires, or the devices change.
        case pausing
        /// Ended until a reload.
        case ended(isNeeded: Bool)
    }

    private let kind: SensorKind
    private var phase = Phase.off
    /// Whether the next start is fresh: no start since the last reload has opened a sensor.
    private(set) var startsFresh = false
    private var run = 0
    /// The id of the sensor that the last start opened; empty before.
    private var sensorID = ""
    /// The sensors that failed since the last device change, each with the reason: other sensors are tried first.
    private(set) var recentFailures: [String: String] = [:]
    private var backoff = ExponentialBackoff.sensorRetry
    /// Whether devices changed since this start: if it fails, it may have scanned too early.
    private var devicesHaveChanged = false

    init(_ kind: SensorKind) { self.kind = kind }

    /// Whether a sensor is started; it may not be open yet.
    var isStarted: Bool { phase == .running || phase == .lingering }

    /// Whether a sensor is started, or will be again without a new request.
    var isInUse: Bool { isStarted || phase == .pausing }

    private var isNeeded: Bool {
        switch phase {
        case .off, .lingering: false
        case .running, .pausing: true
        case .ended(let isNeeded): isNeeded
        }
    }

    /// Whether events with this number are of the started sensor.
    func isCurrent(_ number: Int) -> Bool { isStarted && number == run }

    /// The sensor, for a message.
    var subject: String { sensorID.isEmpty ? "the sensor" : sensorID }

    /// Handles a change of the demand.
    mutating func demandChanged(isNeeded: Bool) -> [Action] {
        guard isNeeded != self.isNeeded else { return [] }
        switch (phase, isNeeded) {
        case (.off, true): return start()
        case (.lingering, true):
            phase = .running
            return [.cancelWake]
        case (.running, false):
            guard let lingerTime = kind.lingerTime else { return stop() }
            phase = .lingering
            return [.wake(after: lingerTime)]
        case (.pausing, false): return [.cancelWake] + turnOff()
        case (.ended, _):
            phase = .ended(isNeeded: isNeeded)
            return []
        default: return []
        }
    }

    /// Handles the timer of the last `wake`.
    mutating func timerFired() -> [Action] {
        switch phase {
        case .lingering: stop()
        case .pausing: start(isFirst: false)
        case .running, .off, .ended: []
        }
    }

    private mutating func stop() -> [Action] { [.stop] + turnOff() }

    private mutating func turnOff() -> [Action] {
        phase = .off
        recentFailures = [:]
        backoff.reset()
        return [.report(.off)]
    }

    /// Handles a change of the devices, or of another condition of the choice.
    mutating func devicesChanged() -> [Action] {
        recentFailures = [:]
        devicesHaveChanged = true
        guard phase == .pausing else { return isStarted ? [.scan] : [] }
        backoff.reset()
        return [.cancelWake] + start(isFirst: false)
    }

    /// Handles the result of a scan; `id` is that of the chosen sensor. `isOutdated`: the facts about the open sensor have
    /// changed.
    mutating func scanned(_ id: String?, isOutdated: Bool) -> [Action] {
        // The sensor appeared after the last attempt had searched, and before it reported that there is none.
        if phase == .pausing, !kind.retriesAbsence, devicesHaveChanged, id != nil {
            return [.cancelWake] + start(isFirst: false)
        }
        // A disconnected sensor is not in the list, even if its failure was not reported yet.
        guard isStarted, !sensorID.isEmpty, id != sensorID || isOutdated else { return [] }
        return reopen()
    }

    /// Handles the wake from suspend: buffers and triggers may have been reset, so the sensor is opened again.
    mutating func woke() -> [Action] {
        switch phase {
        case .running, .lingering: reopen()
        case .pausing: devicesChanged()
        case .off, .ended: []
        }
    }

    /// Handles a call to the sensor that has not returned, for this reason.
    func hung(_ reason: String) -> [Action] { isStarted ? [.report(.unavailable(reason: reason))] : [] }

    /// Replaces the open sensor with the best one, without reporting unknown in between.
    private mutating func reopen() -> [Action] {
        run += 1
        return [.start(run: run, fresh: startsFresh)]
    }

    /// Opens the sensor again.
    mutating func reload() -> [Action] {
        let isNeeded = isNeeded
        let stops: [Action] = phase == .off ? [] : [.cancelWake] + (isStarted ? [.stop] : [])
        let off = turnOff()
        startsFresh = true
        return stops + (isNeeded ? start() : off)
    }

    /// Handles an event of the sensor thread; one of an earlier run is dropped.
    mutating func handle(_ event: RunEvent, run number: Int) -> [Action] {
        guard number == run else { return [] }
        if case .opened(let info, _) = event {
            // Not reported: the first reading reports the sensor.
            if isStarted { startsFresh = false }
            sensorID = info.id
            return []
        }
        guard isStarted else { return [] }
        switch event {
        case .opened, .stopped: return []
        case .decided(let attitude): return read(.decided(attitude, sensor: sensorID))
        case .read(let reading): return read(.read(reading))
        case .withoutGravity(let reason): return [.report(.withoutGravity(reason: reason))]
        case .failed(let id, let failure, let wasUseful): return fail(failure, of: id, wasUseful)
        case .ended(let reason):
            defer { phase = .ended(isNeeded: isNeeded) }
            return (phase == .lingering ? [.cancelWake] : []) + [.report(.ended(reason: reason))]
        }
    }

    private mutating func read(_ report: SensorState) -> [Action] {
        devicesHaveChanged = false
        recentFailures[sensorID] = nil
        return [.report(report)]
    }

    private mutating func start(isFirst: Bool = true) -> [Action] {
        run += 1
        phase = .running
        sensorID = ""
        devicesHaveChanged = false
        return (isFirst ? [.report(.starting)] : []) + [.start(run: run, fresh: startsFresh)]
    }

    private mutating func fail(_ failure: SensorFailure, of id: String?, _ wasUseful: Bool) -> [Action] {
        let cancel: [Action] = phase == .lingering ? [.cancelWake] : []
        let report = Action.report(.unavailable(reason: failure.description))
        guard failure.isWorthRetrying else {
            phase = .ended(isNeeded: isNeeded)
            return cancel + [report]
        }
        guard phase == .running else { return cancel + turnOff() }
        phase = .pausing
        if let id { recentFailures[id] = failure.description }
        let isImplausible = if case .implausible = failure { true } else { false }
        if devicesHaveChanged || wasUseful && !isImplausible { backoff.reset() }
        if case .noDevice = failure, !kind.retriesAbsence { return [report] }
        let longest = isImplausible ? Self.implausibleRetry : ExponentialBackoff.sensorRetry.maximum
        return [report, .wake(after: min(backoff.next(), longest))]
    }
}

/// What differs between the kinds of sensors for their supervisor.
extension SensorKind {
    /// The time that the sensor stays on after the last requester, in seconds: a client that reconnects at once causes no
    /// restart. Less than one second, after which the sensor must be off. Nil for sensors that start within milliseconds.
    var lingerTime: Double? { self == .accelerometer ? 0.5 : nil }

    /// Whether an absent sensor is retried with exponential backoff; else it is started when udev reports a change. A
    /// recording appears without such a report.
    var retriesAbsence: Bool { self == .accelerometer }
}

/// The state of a sensor, as published to clients.
enum SensorState: Equatable {
    /// Not needed.
    case off
    /// Started, without a decision yet.
    case starting
    /// Samples arrive, but none has been gravity yet; the reason is a message.
    case withoutGravity(reason: String)
    case decided(ClassifiedSample, sensor: String)
    case read(AmbientReading)
    case unavailable(reason: String)
    /// Ended; the last decision stays.
    case ended(reason: String)
}
