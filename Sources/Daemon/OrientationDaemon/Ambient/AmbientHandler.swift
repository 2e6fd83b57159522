// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import Systemd

/// A report of an ambient sensor.
enum AmbientReport: Equatable {
    case reading(AmbientReading)
    /// No sensor of this kind delivers readings, for this reason.
    case unavailable(AmbientKind, reason: String)

    var kind: AmbientKind {
        switch self {
        case .reading(let reading): reading.kind
        case .unavailable(let kind, _): kind
        }
    }
}

typealias AmbientScanOutcome = Result<[AmbientDescription], SensorFailure>

/// The handler of the ambient sensors: decides when each runs, and reports its readings.
///
/// ``AmbientSupervisor`` is the state machine of one kind. This adds scans, hung calls, the log and closing.
struct AmbientHandler {
    private var supervisors: [AmbientKind: AmbientSupervisor] = [:]
    /// The sensors that failed since the last device change or the end of the demand, and have delivered no reading since, each
    /// with the reason: others are tried first.
    private var recentFailures: [AmbientSensorID: String] = [:]
    /// The last failure of each sensor, even if it has recovered.
    private var lastFailures: [AmbientSensorID: String] = [:]
    /// The sensors that have failed and delivered no reading since.
    private var failing: Set<AmbientSensorID> = []
    /// The description of the sensor of each kind that was opened last, for the log.
    private var opened: [AmbientKind: String] = [:]
    /// The warnings of the sensor of each kind that were logged last.
    private var loggedWarnings: [AmbientKind: [String]] = [:]
    /// The description in the last message of each kind in the log; nil after a failure.
    private var logged: [AmbientKind: String] = [:]
    /// The failures of each kind that were logged since its last reading: retries fail in the same few ways.
    private var loggedFailures: [AmbientKind: Set<String>] = [:]
    /// Why the thread does not answer; nil while it does.
    private var hang: SensorFailure?
    private var scans = PendingScans()
    private var hasStarted = false
    private var isClosing = false

    /// The most sensors whose failures are kept: a machine has a few. With more, most are removed ones, and all failures
    /// are forgotten.
    private static let rememberedSensors = 32

    /// Handles a change of the demand for a kind.
    mutating func demand(_ kind: AmbientKind, _ isNeeded: Bool, at now: Double) -> [Effect] {
        if !isNeeded { recentFailures = recentFailures.filter { $0.key.kind != kind } }
        return update(kind, at: now) { $0.demandChanged(isNeeded: isNeeded) }
    }

    /// The timer of ``TimerID/ambient`` fired.
    mutating func timerFired(at now: Double) -> [Effect] {
        updateAll(at: now) { $0.timerFired(at: now) }
    }

    /// A device was added, removed or changed. A scan for the choice follows.
    mutating func devicesChanged(at now: Double) -> [Effect] {
        recentFailures = [:]
        return updateAll(at: now) { $0.devicesChanged() }
    }

    /// The machine woke from sleep: readings are outdated, and buffers may have been reset.
    mutating func woke(at now: Double) -> [Effect] { updateAll(at: now) { $0.reopen() } }

    /// Opens the sensors again.
    mutating func reload(at now: Double) -> [Effect] {
        recentFailures = [:]
        return updateAll(at: now) { $0.reopen() }
    }

    /// Closes the sensors permanently; ``Event/ambientClosed`` follows.
    mutating func close() -> [Effect] {
        isClosing = true
        return [hasStarted ? .closeAmbient : .raise(.ambientClosed)]
    }

    /// Lists the sensors. While the thread hangs, the result for clients is that failure; other scans follow the hang.
    mutating func scan(_ purpose: ScanPurpose) -> [Effect] {
        if let hang, purpose == .listing { return [.raise(.ambientScanned(purpose, .failure(hang)))] }
        guard let request = scans.begin(purpose) else { return [] }
        return [.scanAmbient(request: request, recentFailures: recentFailures)]
    }

    /// A call to a sensor has not returned for this many seconds.
    mutating func hung(for seconds: Double) -> [Effect] {
        let failure = SensorFailure.failed(
            "a light, proximity or compass sensor: timed out: no response for \(Int(seconds)) s")
        hang = failure
        let failed = scans.failListing() ? [Effect.raise(.ambientScanned(.listing, .failure(failure)))] : []
        let running = AmbientKind.allCases.filter { supervisors[$0]?.isRunning == true }
        let reports = running.map { Effect.raise(.ambient(.unavailable($0, reason: failure.description))) }
        return [.log(.warning, failure.description)] + reports + failed
    }

    /// Handles a message of the thread: it does not hang.
    mutating func handle(_ message: AmbientEvent, at now: Double) -> [Effect] {
        hang = nil
        switch message {
        case .responded: return []
        case .opened(let sensor, let run):
            guard supervisors[sensor.kind]?.opened(sensor, run: run, at: now) == true else { return [] }
            opened[sensor.kind] = "using \(sensor.id) (\(sensor.name)) as \(sensor.kind) sensor, \(sensor.reading)"
            // After a failure, the first reading proves that the sensor works.
            return logWarnings(of: sensor) + (loggedFailures[sensor.kind] == nil ? logUse(of: sensor.kind) : [])
        case .read(let reading, let run):
            guard supervisors[reading.kind]?.isCurrent(run) == true else { return [] }
            if let sensor = supervisors[reading.kind]?.sensor?.sensorID {
                recentFailures[sensor] = nil
                failing.remove(sensor)
            }
            let hasRecovered = loggedFailures.removeValue(forKey: reading.kind) != nil
            return (hasRecovered ? logUse(of: reading.kind) : []) + [.raise(.ambient(.reading(reading)))]
        case .failed(let kind, let run, let sensor, let failure):
            guard supervisors[kind]?.isCurrent(run) == true else { return [] }
            if let sensor { remember(failure, of: AmbientSensorID(kind: kind, id: sensor)) }
            return log(failure, of: kind)
                + update(kind, at: now) { $0.failed(failure, at: now) }
        case .idle: return isClosing ? [.raise(.ambientClosed)] : []
        case .scanned(let request, let sensors, let outdated):
            return scanned(request, sensors, outdated: outdated, at: now)
        }
    }

    private mutating func remember(_ failure: SensorFailure, of sensor: AmbientSensorID) {
        if lastFailures.count >= Self.rememberedSensors {
            lastFailures.removeAll()
            failing.removeAll()
        }
        failing.insert(sensor)
        lastFailures[sensor] = failure.description
        recentFailures[sensor] = failure.description
    }

    /// Logs the open sensor of a kind, unless the last message names it.
    private mutating func logUse(of kind: AmbientKind) -> [Effect] {
        guard let text = opened[kind], logged.updateValue(text, forKey: kind) != text else { return [] }
        return [.log(.info, text)]
    }

    /// Logs the warnings of an opened sensor, unless they were the last ones of its kind.
    private mutating func logWarnings(of sensor: AmbientDescription) -> [Effect] {
        let warnings = sensor.warnings.map { "\(sensor.id): \($0)" }
        guard !warnings.isEmpty, warnings != loggedWarnings.updateValue(warnings, forKey: sensor.kind) else {
            return []
        }
        return warnings.map { .log(.warning, $0) }
    }

    /// Logs a failure once until the next reading.
    private mutating func log(_ failure: SensorFailure, of kind: AmbientKind) -> [Effect] {
        logged[kind] = nil
        if loggedFailures[kind, default: []].count >= FailureLog.capacity { loggedFailures[kind] = [] }
        let isNew = loggedFailures[kind, default: []].insert(failure.description).inserted
        var text = "\(kind) sensor failed: \(failure); trying the next one, or the same one again"
        if case .noDevice(let reason) = failure { text = reason }
        return isNew ? [.log(.warning, text)] : []
    }

    /// The thread listed the sensors. A list that arrives after a hang was reported is dropped.
    private mutating func scanned(
        _ request: Int, _ sensors: [AmbientDescription], outdated: Set<AmbientKind>, at now: Double
    ) -> [Effect] {
        guard let (purpose, again) = scans.finish(request) else { return [] }
        var effects = again ? scan(purpose) : []
        for kind in AmbientKind.allCases where purpose == .choice {
            let chosen = sensors.first { $0.kind == kind && $0.isChosen }
            effects += update(kind, at: now) { $0.chose(chosen?.id, isOutdated: outdated.contains(kind)) }
        }
        return effects + [.raise(.ambientScanned(purpose, .success(sensors.map(explained))))]
    }

    /// Adds to a description how the sensor is read, and its last failure.
    private func explained(_ listed: AmbientDescription) -> AmbientDescription {
        var listed = listed
        if let supervisor = supervisors[listed.kind], supervisor.isRunning, let used = supervisor.sensor,
            used.id == listed.id
        {
            listed.reading = used.reading
            if listed.isChosen { listed.why = listed.use }
        }
        listed.lastError = lastFailures[listed.sensorID]
        listed.isFailing = failing.contains(listed.sensorID)
        return listed
    }

    private mutating func updateAll(
        at now: Double, _ change: (inout AmbientSupervisor) -> [AmbientSupervisor.Action]
    ) -> [Effect] {
        AmbientKind.allCases.flatMap { update($0, at: now, change) }
    }

    private mutating func update(
        _ kind: AmbientKind, at now: Double, _ change: (inout AmbientSupervisor) -> [AmbientSupervisor.Action]
    ) -> [Effect] {
        var effects: [Effect] = []
        for action in change(&supervisors[kind, default: AmbientSupervisor()]) {
            switch action {
            case .start(let run):
                guard !isClosing else { continue }
                hasStarted = true
                effects.append(.startAmbient(kind, run: run, recentFailures: recentFailures))
            case .stop: effects.append(.stopAmbient(kind))
            case .setTimer:
                let next = supervisors.values.compactMap(\.retryTime).min()
                effects.append(.setTimer(.ambient, after: next.map { max($0 - now, 0) }))
            case .report(let reason): effects.append(.raise(.ambient(.unavailable(kind, reason: reason))))
            }
        }
        return effects
    }
}
