// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Sensing

/// Decides when the sensor runs, and what the other handlers learn of it.
///
/// ``SensorSupervisor`` is the state machine of starts, failures and retries. This adds what needs the sensor, scans, the
/// failures for clients, and closing.
struct SensorHandler {
    /// The URI of the source, as it was asked for.
    let source: String
    private var supervisor = SensorSupervisor()
    private var requesters: Set<SensorRequester> = []
    private(set) var isOpen = false
    /// The sensor that was opened last.
    private var sensor: SensorDescription?
    private(set) var failures = FailureLog()
    /// Why the sensor thread does not answer; nil while it does.
    private var hang: SensorFailure?
    private var scans: [Int: ScanPurpose] = [:]
    private var lastScan = 0
    /// A scan that was wanted while one for the same purpose was in progress: what it looks for may have changed.
    private var wantedAgain: Set<ScanPurpose> = []
    private var supportsBackpressure = false
    private var isBackpressured = false
    private var isPaused = false
    /// A sensor has been opened, or at least tried.
    private var hasStarted = false
    private var isClosing = false

    init(source: String) {
        self.source = source
    }

    /// The open sensor, and how its raw numbers become samples; nil while there is none.
    func origin(_ readings: some SensorReadings) -> MotionOrigin? {
        isOpen ? sensor.map { MotionOrigin(sensor: $0, arithmetic: readings.arithmetic) } : nil
    }

    /// A requester needs the sensor, or does not any more; see ``Event/sensorDemand(_:_:for:)``.
    mutating func demand(_ requester: SensorRequester, _ isNeeded: Bool, for client: ClientID?) -> [Effect] {
        if isNeeded { requesters.insert(requester) } else { requesters.remove(requester) }
        let effects = perform(supervisor.demandChanged(isWanted: !requesters.isEmpty))
        return effects + (client.map { [.raise(.sensorRequested(for: $0))] } ?? [])
    }

    /// The timer of ``TimerID/sensor`` fired.
    mutating func timerFired() -> [Effect] { perform(supervisor.timerFired()) }

    /// A device came, went or changed, or something else on which the choice of the sensor depends did.
    mutating func devicesChanged() -> [Effect] { perform(supervisor.devicesChanged()) }

    /// The machine woke from sleep.
    mutating func woke() -> [Effect] { perform(supervisor.resumed()) }

    /// Opens the sensor again.
    mutating func reload() -> [Effect] { perform(supervisor.reload()) }

    /// A recording waits while its readers are behind; a live sensor does not.
    mutating func setBackpressure(_ isBackpressured: Bool) -> [Effect] {
        self.isBackpressured = isBackpressured
        return updatePause()
    }

    private mutating func updatePause() -> [Effect] {
        let shouldPause = isBackpressured && supportsBackpressure && !isClosing
        guard shouldPause != isPaused else { return [] }
        isPaused = shouldPause
        return [.pauseSensor(shouldPause)]
    }

    /// Closes the sensor for good; ``Event/sensorClosed`` follows. A sensor that is just being opened is waited for: its
    /// buffer would be left enabled.
    mutating func close() -> [Effect] {
        isClosing = true
        return updatePause() + [hasStarted ? .closeSensor : .raise(.sensorClosed)]
    }
}

// MARK: Scans

extension SensorHandler {
    /// Lists the sensors. While the sensor thread hangs the answer is why.
    mutating func scan(_ purpose: ScanPurpose) -> [Effect] {
        if let hang { return [.raise(.scanned(purpose, .failure(hang)))] }
        guard !scans.values.contains(purpose) else {
            wantedAgain.insert(purpose)
            return []
        }
        lastScan += 1
        scans[lastScan] = purpose
        return [.scan(request: lastScan, purpose, recentFailures: supervisor.troubled)]
    }

    /// The sensor thread listed the sensors. A list that comes after the thread hung is dropped.
    private mutating func scanned(
        _ request: Int, _ sensors: [SensorDescription], isCurrentOutdated: Bool
    ) -> [Effect] {
        guard let purpose = scans.removeValue(forKey: request) else { return [] }
        let again = wantedAgain.remove(purpose) == nil ? [] : scan(purpose)
        if purpose == .choice {
            return again + perform(supervisor.looked(at: sensors, isCurrentOutdated: isCurrentOutdated))
        }
        return again + [.raise(.scanned(purpose, .success(sensors.map(explained))))]
    }

    /// Adds how a sensor is read, or would be, and what went wrong with it last.
    private func explained(_ listed: SensorDescription) -> SensorDescription {
        var listed = listed
        let inUse = isOpen && sensor?.id == listed.id ? sensor : nil
        if let inUse { listed.warnings = inUse.warnings }
        listed.lastError = failures.last(of: listed.id)
        if let reading = inUse?.reading ?? listed.reading { listed.why += "; \(reading)" }
        return listed
    }
}

// MARK: The sensor thread

extension SensorHandler {
    /// The sensor thread sent a message, which means that it does not hang.
    mutating func take(_ message: SensorEvent, at now: Double) -> [Effect] {
        hang = nil
        return note(message, at: now) + perform(supervisor.handle(message))
    }

    /// A call to the sensor has not returned for this many seconds.
    mutating func hung(for seconds: Double, at now: Double) -> [Effect] {
        let failure = SensorFailure.failed("\(supervisor.name) has not answered for \(Int(seconds)) seconds")
        hang = failure
        let failed = scans.sorted { $0.key < $1.key }.map { Effect.raise(.scanned($0.value, .failure(failure))) }
        (scans, wantedAgain) = ([:], [])
        return perform(supervisor.hung(for: Int(seconds))) + remember(failure, at: now) + failed
    }

    private mutating func note(_ message: SensorEvent, at now: Double) -> [Effect] {
        switch message {
        case .opened(_, let opened, let supportsBackpressure):
            isOpen = true
            self.supportsBackpressure = supportsBackpressure
            let pause = updatePause()
            guard opened != sensor else { return pause }
            let logged = sensor?.id == opened.id ? sensor?.warnings ?? [] : []
            sensor = opened
            let reading = opened.reading.map { ", \($0)" } ?? ""
            let text = "using \(opened.id) (\(opened.name)), mount matrix from \(opened.matrixSource)\(reading)"
            let warnings = opened.warnings.filter { !logged.contains($0) }
            return pause + [.log(.info, text)] + warnings.map { .log(.warning, "\(opened.id): \($0)") }
        case .failed(_, let failure): return remember(failure, at: now) + closed()
        case .ended(_, let reason): return closed() + [.log(.info, "\(source): \(reason)")]
        case .stopped: return closed()
        case .idle: return isClosing ? [.raise(.sensorClosed)] : []
        case .measuring(_, let reason): return [.log(.info, reason)]
        case .decided(_, let attitude):
            failures.recovered()
            return [.log(.debug, "\(attitude.orientation)")]
        case .scanned(let request, let sensors, let isCurrentOutdated):
            return scanned(request, sensors, isCurrentOutdated: isCurrentOutdated)
        }
    }

    private mutating func closed() -> [Effect] {
        isOpen = false
        supportsBackpressure = false
        return updatePause()
    }

    private mutating func remember(_ failure: SensorFailure, at now: Double) -> [Effect] {
        let isNew = failures.note(failure, of: isOpen ? sensor?.id : nil, at: now)
        return isNew ? [.log(.warning, "no sensor: \(failure)")] : []
    }

    private mutating func perform(_ actions: [SensorSupervisor.Action]) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .start(let run, let fresh):
                guard !isClosing else { continue }
                hasStarted = true
                effects.append(.startSensor(run: run, fresh: fresh, recentFailures: supervisor.troubled))
            case .stop: effects.append(.stopSensor)
            case .look: effects.append(.raise(.scanWanted(.choice)))
            case .wake(let seconds): effects.append(.setTimer(.sensor, after: seconds))
            case .cancelWake: effects.append(.setTimer(.sensor, after: nil))
            case .report(let report): effects.append(.raise(.report(report)))
            }
        }
        return effects
    }
}
