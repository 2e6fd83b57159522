// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd
internal import VarlinkServer

/// The handler of the sensors of one thread: decides when each runs, and reports its state to the other handlers.
///
/// ``SensorSupervisor`` is the state machine of starts, failures and retries of one kind. This adds the requesters, scans,
/// hung calls, the log, and closing.
struct SensorHandler {
    let group: SensorGroup
    /// The URI of the accelerometer's source, as configured.
    let source: String
    /// Whether each change of the devices causes a scan, whose result the SensorProxy service publishes; else only one
    /// that may change the choice of a sensor that runs.
    private let scansAlways: Bool
    private var supervisors: [SensorKind: SensorSupervisor]
    private var logs: [SensorKind: SensorLog]
    private var requesters: Set<SensorRequester> = []
    private var open: [SensorKind: SensorDescription] = [:]
    private var failures = FailureLog()
    /// Why the thread does not answer; nil while it does.
    private var hang: SensorFailure?
    private var scans = PendingScans()
    /// The delays of scans after those that failed.
    private var scanRetry = ExponentialBackoff(initial: 1, maximum: 60)
    /// Whether the open source can be paused, whether it should be, and whether it is.
    private var supportsBackpressure = false
    private var isBackpressured = false
    private var isPaused = false
    private var phase = Phase.unused

    private enum Phase {
        /// No attempt to open a sensor has been made.
        case unused
        case used
        /// Closing permanently, or closed.
        case closing
    }

    init(_ group: SensorGroup, source: String, scansAlways: Bool) {
        self.group = group
        self.source = source
        self.scansAlways = scansAlways
        supervisors = Dictionary(uniqueKeysWithValues: group.kinds.map { ($0, SensorSupervisor($0)) })
        logs = Dictionary(uniqueKeysWithValues: group.kinds.map { ($0, SensorLog($0)) })
    }

    /// The open sensor of a kind; nil while none is open.
    subscript(kind: SensorKind) -> SensorDescription? { open[kind] }

    /// The last failures, newest last.
    var notes: [FailureNote] { failures.notes }

    /// Whether a reload applies to the next start of a sensor, which may be in the next run of the daemon.
    var hasPendingReload: Bool { supervisors.values.contains(where: \.startsFresh) }

    private var recentFailures: [SensorID: String] {
        supervisors.reduce(into: [:]) { failures, entry in
            for (id, reason) in entry.value.recentFailures { failures[SensorID(kind: entry.key, id: id)] = reason }
        }
    }

    /// Handles a change of the demand of a requester; see ``Event/sensorDemand(_:_:for:)``.
    mutating func demand(_ requester: SensorRequester, _ isNeeded: Bool, for client: ClientID?) -> [Effect] {
        if isNeeded { requesters.insert(requester) } else { requesters.remove(requester) }
        let isAnyNeeded = requesters.contains { $0.kind == requester.kind }
        let effects = update(requester.kind) { $0.demandChanged(isNeeded: isAnyNeeded) }
        return effects + (client.map { [.raise(.sensorRequested(for: $0))] } ?? [])
    }

    mutating func timerFired(_ kind: SensorKind) -> [Effect] { update(kind) { $0.timerFired() } }

    /// Handles a change of the devices, or of another condition of the choice of the sensors.
    mutating func devicesChanged(except unaffected: SensorKind? = nil) -> [Effect] {
        let effects = updateAll(except: unaffected) { $0.devicesChanged() }
        let isScanned = effects.contains { if case .raise(.scanWanted) = $0 { true } else { false } }
        return effects + (scansAlways && !isScanned ? [.raise(.scanWanted(group, .choice))] : [])
    }

    /// The machine woke from sleep.
    mutating func woke() -> [Effect] { updateAll { $0.woke() } }

    /// Opens the sensors again.
    mutating func reload() -> [Effect] { updateAll { $0.reload() } }

    /// Pauses a recording while its readers are behind; a live sensor is not paused.
    mutating func setBackpressure(_ isBackpressured: Bool) -> [Effect] {
        self.isBackpressured = isBackpressured
        return updatePause()
    }

    private mutating func updatePause() -> [Effect] {
        let shouldPause = isBackpressured && supportsBackpressure && phase != .closing
        guard shouldPause != isPaused else { return [] }
        isPaused = shouldPause
        return [.pauseSensor(shouldPause)]
    }

    /// Closes the sensors permanently; ``Event/sensorsClosed(_:)`` follows. Waits for a sensor that is being opened: its
    /// buffer would stay enabled otherwise.
    mutating func close() -> [Effect] {
        guard phase != .closing else { return [] }
        let isUsed = phase == .used
        phase = .closing
        return updatePause() + [isUsed ? .sensors(group, .close) : .raise(.sensorsClosed(group))]
    }

    private mutating func updateAll(
        except unaffected: SensorKind? = nil, _ change: (inout SensorSupervisor) -> [SensorSupervisor.Action]
    ) -> [Effect] {
        var effects: [Effect] = []
        var isScanWanted = false
        for kind in group.kinds where kind != unaffected {
            for effect in update(kind, change) {
                // One scan lists the sensors of all kinds.
                if case .raise(.scanWanted) = effect { isScanWanted = true } else { effects.append(effect) }
            }
        }
        return effects + (isScanWanted ? [.raise(.scanWanted(group, .choice))] : [])
    }

    private mutating func update(
        _ kind: SensorKind, _ change: (inout SensorSupervisor) -> [SensorSupervisor.Action]
    ) -> [Effect] {
        var supervisor = supervisors[kind, default: SensorSupervisor(kind)]
        let wasInUse = supervisor.isInUse
        let actions = change(&supervisor)
        supervisors[kind] = supervisor
        // Before the start, which reads whether iio-sensor-proxy runs.
        var effects: [Effect] =
            supervisor.isInUse == wasInUse ? [] : [.watchSensorProxy(kind, isInUse: supervisor.isInUse)]
        for action in actions {
            switch action {
            case .start(let run, let fresh):
                guard phase != .closing else { continue }
                phase = .used
                if kind == .accelerometer { effects.append(.readConnectors) }
                let start = SensorStart(kind, run: run, isFresh: fresh, recentFailures: recentFailures)
                effects.append(.sensors(group, .start(start)))
                // The hang is notified once, perhaps before this start.
                if let hang { effects.append(.raise(.report(kind, .unavailable(reason: hang.description)))) }
            case .stop: effects.append(.sensors(group, .stop(kind)))
            case .scan: effects.append(.raise(.scanWanted(group, .choice)))
            case .wake(let seconds): effects.append(.setTimer(.sensor(kind), after: seconds))
            case .cancelWake: effects.append(.setTimer(.sensor(kind), after: nil))
            case .report(let report): effects.append(.raise(.report(kind, report)))
            }
        }
        return effects
    }
}

// MARK: Scans

extension SensorHandler {
    /// Lists the sensors. While the thread hangs, the result of a list for clients is that failure; other scans follow the
    /// hang.
    mutating func scan(_ purpose: ScanPurpose) -> [Effect] {
        if let hang, purpose == .listing { return [.raise(.scanned(group, purpose, SensorList(failure: hang)))] }
        guard let request = scans.begin(purpose) else { return [] }
        return [.sensors(group, .scan(request: request, recentFailures: recentFailures))]
    }

    /// The thread listed the sensors. A list that arrives after a hang was reported is dropped. After a failure the sensors that
    /// were not found stay present and chosen, and a scan follows.
    private mutating func scanned(_ request: Int, _ list: SensorList, outdated: Set<SensorKind>) -> [Effect] {
        guard let (purpose, again) = scans.finish(request) else { return [] }
        var effects: [Effect] = again ? [.raise(.scanWanted(group, purpose))] : []
        for kind in group.kinds where purpose == .choice {
            let chosen = list.sensors.first { $0.kind == kind && $0.isChosen }
            guard chosen != nil || list.failure == nil else { continue }
            effects += update(kind) { $0.scanned(chosen?.id, isOutdated: outdated.contains(kind)) }
        }
        if list.failure == nil {
            scanRetry.reset()
        } else if purpose == .choice || purpose == .presence {
            effects.append(.setTimer(.scan(group), after: scanRetry.next()))
        }
        return effects + [.raise(.scanned(group, purpose, list.mapped(explained)))]
    }

    func scanTimerFired() -> [Effect] { [.raise(.scanWanted(group, .choice))] }

    /// Adds to a description how the sensor is read, and its last failure.
    private func explained(_ listed: SensorDescription) -> SensorDescription {
        var listed = listed
        if let used = open[listed.kind], used.id == listed.id {
            listed.method = used.method ?? listed.method
            (listed.warnings, listed.statements) = (used.warnings, used.statements)
        }
        if listed.kind == .accelerometer {
            if let method = listed.method { listed.why += "; \(method)" }
        } else if listed.isChosen {
            listed.why = listed.use
        }
        failures.describe(&listed)
        return listed
    }
}

// MARK: The sensor thread

extension SensorHandler {
    /// Handles a message of the thread: it does not hang.
    mutating func handle(_ message: SensorEvent, at now: Double) -> [Effect] {
        hang = nil
        switch message {
        case .responded: return []
        case .closed: return phase == .closing ? [.raise(.sensorsClosed(group))] : []
        case .scanned(let request, let list, let outdated): return scanned(request, list, outdated: outdated)
        case .sensor(let kind, let run, let event):
            return note(event, of: kind, run, at: now) + update(kind) { $0.handle(event, run: run) }
        }
    }

    /// A call to a sensor has not returned for this many seconds.
    mutating func hung(for seconds: Double, at now: Double) -> [Effect] {
        let failure = SensorFailure.failed("\(subject): timed out: no response for \(Int(seconds)) s")
        hang = failure
        var effects = scans.failListing() ? [Effect.raise(.scanned(group, .listing, SensorList(failure: failure)))] : []
        effects += updateAll { $0.hung(failure.description) }
        guard group == .accelerometer else { return [.log(.warning, failure.description)] + effects }
        failures.note(failure, of: open[.accelerometer]?.sensorID, at: now)
        return effects + (logs[.accelerometer]?.failed(failure, at: now) ?? [])
    }

    /// What does not respond, for a message. A scan may hang at another ambient sensor than those that run.
    private var subject: String { supervisors[.accelerometer]?.subject ?? "an ambient sensor" }

    /// Logs and remembers what an event says about a sensor.
    private mutating func note(_ event: RunEvent, of kind: SensorKind, _ run: Int, at now: Double) -> [Effect] {
        switch event {
        case .opened(let sensor, let supportsBackpressure):
            open[kind] = sensor
            self.supportsBackpressure = supportsBackpressure
            return updatePause() + (logs[kind]?.opened(sensor) ?? [])
        case .failed(let id, let failure, _):
            let effects = closed(kind)
            guard supervisors[kind]?.isCurrent(run) == true else { return effects }
            failures.note(failure, of: id.map { SensorID(kind: kind, id: $0) }, at: now)
            return (logs[kind]?.failed(failure, at: now) ?? []) + effects
        case .ended(let reason): return closed(kind) + [.log(.info, "\(source): \(reason)")]
        case .stopped: return closed(kind)
        // Logged as a failure, if it lasts.
        case .withoutGravity: return []
        case .decided(let attitude):
            return worked(kind) + [.log(.debug, attitude.pose?.description ?? "unknown")]
        case .read: return supervisors[kind]?.isCurrent(run) == true ? worked(kind) : []
        }
    }

    private mutating func worked(_ kind: SensorKind) -> [Effect] {
        if let sensor = open[kind]?.sensorID { failures.worked(sensor) }
        return logs[kind]?.read() ?? []
    }

    private mutating func closed(_ kind: SensorKind) -> [Effect] {
        open[kind] = nil
        supportsBackpressure = false
        return updatePause()
    }
}
