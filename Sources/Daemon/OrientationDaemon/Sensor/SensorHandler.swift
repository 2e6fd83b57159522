// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Systemd
internal import VarlinkServer

/// The handler of the sensor: decides when it runs, and reports its state to the other handlers.
///
/// ``SensorSupervisor`` is the state machine of starts, failures and retries. This adds the requesters, scans, the
/// failures for clients, and closing.
struct SensorHandler {
    /// The URI of the source, as configured.
    let source: String
    private var supervisor = SensorSupervisor()
    private var requesters: Set<SensorRequester> = []
    /// The open sensor, and whether its source can be paused; nil while no sensor is open.
    private var open: (sensor: SensorDescription, supportsBackpressure: Bool)?
    /// The last description that was logged.
    private var logged: SensorDescription?
    private(set) var failures = FailureLog()
    /// Why the sensor thread does not answer; nil while it does.
    private var hang: SensorFailure?
    private var scans = PendingScans()
    private var isBackpressured = false
    private var isPaused = false
    /// Whether an attempt to open a sensor has been made.
    private var hasStarted = false
    private var isClosing = false

    init(source: String) {
        self.source = source
    }

    /// The open sensor, with the conversion of its raw values; nil while none is open.
    func origin(_ readings: some SensorReadings) -> MotionOrigin? {
        open.map { MotionOrigin(sensor: $0.sensor, arithmetic: readings.arithmetic) }
    }

    var isOpen: Bool { open != nil }

    /// Whether a reload applies to the next start of the sensor, which may be in the next run of the daemon.
    var hasPendingReload: Bool { supervisor.startsFresh }

    /// Handles a change of the demand of a requester; see ``Event/sensorDemand(_:_:for:)``.
    mutating func demand(_ requester: SensorRequester, _ isNeeded: Bool, for client: ClientID?) -> [Effect] {
        if isNeeded { requesters.insert(requester) } else { requesters.remove(requester) }
        let effects = perform(supervisor.demandChanged(isNeeded: !requesters.isEmpty))
        return effects + (client.map { [.raise(.sensorRequested(for: $0))] } ?? [])
    }

    /// The timer of ``TimerID/sensor`` fired.
    mutating func timerFired() -> [Effect] { perform(supervisor.timerFired()) }

    /// Handles a change of the devices, or of another condition of the choice of the sensor.
    mutating func devicesChanged() -> [Effect] { perform(supervisor.devicesChanged()) }

    /// The machine woke from sleep.
    mutating func woke() -> [Effect] { perform(supervisor.woke()) }

    /// Opens the sensor again.
    mutating func reload() -> [Effect] { perform(supervisor.reload()) }

    /// Pauses a recording while its readers are behind; a live sensor is not paused.
    mutating func setBackpressure(_ isBackpressured: Bool) -> [Effect] {
        self.isBackpressured = isBackpressured
        return updatePause()
    }

    private mutating func updatePause() -> [Effect] {
        let shouldPause = isBackpressured && open?.supportsBackpressure == true && !isClosing
        guard shouldPause != isPaused else { return [] }
        isPaused = shouldPause
        return [.pauseSensor(shouldPause)]
    }

    /// Closes the sensor permanently; ``Event/sensorClosed`` follows. Waits for a sensor that is being
    /// opened: its buffer would stay enabled otherwise.
    mutating func close() -> [Effect] {
        isClosing = true
        return updatePause() + [hasStarted ? .closeSensor : .raise(.sensorClosed)]
    }
}

// MARK: Scans

extension SensorHandler {
    /// Scans the sensors. While the sensor thread hangs, the result of a list is that failure; other scans follow the hang.
    mutating func scan(_ purpose: ScanPurpose) -> [Effect] {
        if let hang, purpose == .listing { return [.raise(.scanned(purpose, .failure(hang)))] }
        guard let request = scans.begin(purpose) else { return [] }
        return [.scan(request: request, purpose, recentFailures: supervisor.recentFailures)]
    }

    /// The sensor thread listed the sensors. A list that arrives after a hang was reported is dropped.
    private mutating func scanned(
        _ request: Int, _ sensors: [SensorDescription], isCurrentOutdated: Bool
    ) -> [Effect] {
        guard let (purpose, again) = scans.finish(request) else { return [] }
        let next = again ? scan(purpose) : []
        if purpose == .choice {
            return next + perform(supervisor.scanned(sensors, isCurrentOutdated: isCurrentOutdated))
        }
        return next + [.raise(.scanned(purpose, .success(sensors.map(explained))))]
    }

    /// Adds to a description how the sensor is read, and its last failure.
    private func explained(_ listed: SensorDescription) -> SensorDescription {
        var listed = listed
        let inUse = open?.sensor.id == listed.id ? open?.sensor : nil
        if let inUse { listed.warnings = inUse.warnings }
        listed.lastError = failures.last(of: listed.id)
        if let reading = inUse?.reading ?? listed.reading { listed.why += "; \(reading)" }
        return listed
    }
}

// MARK: The sensor thread

extension SensorHandler {
    /// Handles a message of the sensor thread: the thread does not hang.
    mutating func handle(_ message: SensorEvent, at now: Double) -> [Effect] {
        hang = nil
        return note(message, at: now) + perform(supervisor.handle(message))
    }

    /// A call to the sensor has not returned for this many seconds.
    mutating func hung(for seconds: Double, at now: Double) -> [Effect] {
        let failure = SensorFailure.failed("\(supervisor.name): timed out: no response for \(Int(seconds)) s")
        hang = failure
        let failed = scans.failListing() ? [Effect.raise(.scanned(.listing, .failure(failure)))] : []
        return perform(supervisor.hung(for: Int(seconds))) + remember(failure, at: now) + failed
    }

    private mutating func note(_ message: SensorEvent, at now: Double) -> [Effect] {
        switch message {
        case .opened(_, let opened, let supportsBackpressure):
            open = (opened, supportsBackpressure)
            let pause = updatePause()
            guard opened != logged else { return pause }
            let known = logged?.id == opened.id ? logged?.warnings ?? [] : []
            logged = opened
            let reading = opened.reading.map { ", \($0)" } ?? ""
            let text = "using \(opened.id) (\(opened.name)), mount matrix from \(opened.matrixSource)\(reading)"
            let warnings = opened.warnings.filter { !known.contains($0) }
            return pause + [.log(.info, text)] + warnings.map { .log(.warning, "\(opened.id): \($0)") }
        case .failed(_, let failure): return remember(failure, at: now) + closed()
        case .ended(_, let reason): return closed() + [.log(.info, "\(source): \(reason)")]
        case .stopped: return closed()
        case .idle: return isClosing ? [.raise(.sensorClosed)] : []
        // Logged as a failure, if it lasts.
        case .withoutGravity: return []
        case .decided(_, let attitude):
            failures.recovered()
            return [.log(.debug, attitude.pose?.description ?? "unknown")]
        case .scanned(let request, let sensors, let isCurrentOutdated):
            return scanned(request, sensors, isCurrentOutdated: isCurrentOutdated)
        }
    }

    private mutating func closed() -> [Effect] {
        open = nil
        return updatePause()
    }

    private mutating func remember(_ failure: SensorFailure, at now: Double) -> [Effect] {
        let isNew = failures.note(failure, of: open?.sensor.id, at: now)
        return isNew ? [.log(.warning, "waiting for an accelerometer: \(failure)")] : []
    }

    private mutating func perform(_ actions: [SensorSupervisor.Action]) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .start(let run, let fresh):
                guard !isClosing else { continue }
                hasStarted = true
                effects.append(.readConnectors)
                effects.append(.startSensor(run: run, fresh: fresh, recentFailures: supervisor.recentFailures))
            case .stop: effects.append(.stopSensor)
            case .scan: effects.append(.raise(.scanWanted(.choice)))
            case .wake(let seconds): effects.append(.setTimer(.sensor, after: seconds))
            case .cancelWake: effects.append(.setTimer(.sensor, after: nil))
            case .report(let report): effects.append(.raise(.report(report)))
            }
        }
        return effects
    }
}
