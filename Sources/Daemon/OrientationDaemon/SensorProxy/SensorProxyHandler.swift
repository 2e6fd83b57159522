// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Systemd

/// The handler of the SensorProxy service, `net.hadess.SensorProxy` on the system bus: it publishes the orientation, the
/// light, the proximity and the heading to desktops written for iio-sensor-proxy.
struct SensorProxyHandler {
    /// The timeout of a claim for the first reading, in seconds.
    static let readingTimeout = 2.0
    /// The delay of the name request until the first scans, in seconds; a hung sensor must not delay it longer.
    static let scanTimeout = 2.0

    private var claims = ClaimTable()
    private var values = SensorProxyValues()
    private var renewal = TiltRenewal()
    /// The values last sent to claimants, also returned by property reads; to users in `shown` with another edge.
    private var published = SensorProxyValues()
    private var shown: [UInt32: PanelEdge] = [:]
    /// The holds of users at the device.
    private var held: [UInt32: [HeldEdges]] = [:]
    private var outage: Desktops.Outage? = disconnected
    private var isNameRequested = false
    /// The groups whose sensors were listed since the connection.
    private var listed: Set<SensorGroup> = []
    /// The sensors that appeared or disappeared after clients read the properties, which they do when the name appears.
    private var changedPresences: Set<SensorKind> = []
    /// When the claims that wait for the first reading of a sensor are answered, in seconds of the boot clock.
    private var deadlines: [SensorKind: Double] = [:]
    private var requestedSensors: Set<SensorKind> = []
    private var reports: [SensorKind: SensorState] = [:]

    private static let disconnected = Desktops.Outage.unreachable("orientationd is not connected to the system bus")

    mutating func handle(_ event: BusEvent, at now: Double) -> [Effect] {
        switch event {
        case .connected:
            isNameRequested = false
            listed = []
            outage = nil
            return [.bus(.publish(published, shown: shown)), .setTimer(.busName, after: Self.scanTimeout)] + scanAll()
        case .disconnected:
            isNameRequested = false
            outage = Self.disconnected
            return [.setTimer(.busName, after: nil)] + perform(claims.removeAll(), at: now)
        case .name(let ownership): return nameChanged(ownership, at: now)
        case .claim(let call, let client):
            return perform(claims.claim(by: client, call, isKnown: isKnown(client.sensor)), at: now)
        case .release(let call, let client):
            return perform(claims.release(by: client), at: now) + [.bus(.claim(.reply(call)))]
        case .identified(let client, let user): return perform(claims.identified(client, user), at: now)
        case .authorized(let client, let refusal):
            let effects = claims.decided(client, refusal: refusal)
            return isKnown(client.sensor)
                ? replyToWaiting(for: client.sensor, at: now, after: effects) : perform(effects, at: now)
        case .vanished(let client): return perform(claims.vanished(client), at: now)
        }
    }

    /// Whether a claim is answered without waiting for a reading.
    private func isKnown(_ sensor: SensorKind) -> Bool {
        reports[sensor]?.isAnswer == true || !values.present.contains(sensor)
    }

    private mutating func nameChanged(_ ownership: BusName.Ownership, at now: Double) -> [Effect] {
        let name = SensorProxyBus.name
        let log: Effect
        switch ownership {
        case .owned:
            outage = nil
            log = .log(.info, "\(name): serving desktops over D-Bus")
        case .queued:
            outage = .otherProgram
            log = .log(.warning, "\(name): owned by another program; desktops use orientationd once that program exits")
        case .denied(let reason), .failed(let reason):
            var text = "\(name): cannot serve desktops over D-Bus: \(reason)"
            if ownership == .denied(reason) {
                text += "; install the package orientationd-sensorproxy, which has the D-Bus policy, and reload"
            }
            outage = .unreachable(text)
            log = .log(.warning, text)
        }
        return [log] + perform(ownership == .queued ? claims.removeAll() : [], at: now)
    }

    mutating func handle(_ sensor: SensorKind, _ report: SensorState, at now: Double) -> [Effect] {
        reports[sensor] = report
        var effects: [Effect] = []
        if case .decided(var attitude, let id) = report {
            attitude.tiltBand = attitude.tiltBand.map { renewal.update($0, at: now) }
            values.apply(.decided(attitude, sensor: id))
            effects.append(.setTimer(.tilt, after: renewal.wait(at: now)))
        } else {
            values.apply(report)
        }
        effects += publish()
        if report.isAnswer { effects += replyToWaiting(for: sensor, at: now) }
        // The sensor may have been disconnected.
        if case .unavailable = report { effects.append(.raise(.scanWanted(sensor.group, .presence))) }
        return effects
    }

    mutating func tiltTimerFired(at now: Double) -> [Effect] {
        values.tilt = renewal.renew(at: now)
        return [.setTimer(.tilt, after: renewal.wait(at: now))] + publish()
    }

    mutating func scanned(_ group: SensorGroup, _ list: SensorList, at now: Double) -> [Effect] {
        let present = Set(list.sensors.filter(\.isChosen).map(\.kind))
        // After a failure a sensor that was not found may be there: a scan follows.
        let absent = list.failure == nil ? Set(group.kinds).subtracting(present) : []
        if list.failure == nil { listed.insert(group) }
        values.present = values.present.subtracting(absent).union(present)
        var effects = publish()
        for sensor in absent {
            effects += replyToWaiting(for: sensor, at: now)
        }
        // A client that sees the name appear reads the presence of all sensors at once.
        return effects + (listed == Set(SensorGroup.allCases) ? requestName() : [])
    }

    private func scanAll() -> [Effect] { SensorGroup.allCases.map { .raise(.scanWanted($0, .presence)) } }

    /// Scans again, and requests the name again.
    func reload() -> [Effect] { scanAll() + (isNameRequested ? [.bus(.requestName)] : []) }

    /// The timer of ``TimerID/claims`` fired.
    mutating func claimsTimedOut(at now: Double) -> [Effect] {
        var effects: [Effect] = []
        for sensor in SensorKind.allCases where deadlines[sensor].map({ $0 <= now }) == true {
            deadlines[sensor] = nil
            effects += replyToWaiting(for: sensor, at: now)
        }
        return effects + [setClaimTimer(at: now)]
    }

    /// Requests the name once: after the first scans, or when the timer of ``TimerID/busName`` fires.
    mutating func requestName() -> [Effect] {
        guard !isNameRequested else { return [] }
        isNameRequested = true
        changedPresences = []
        return [.setTimer(.busName, after: nil), .bus(.requestName)]
    }
}

// MARK: Values and claims

extension SensorProxyHandler {
    /// Sets the holds of the users at the device.
    mutating func hold(_ held: [UInt32: [HeldEdges]]) -> [Effect] {
        self.held = held
        return publish()
    }

    /// What desktops receive.
    var desktops: Desktops {
        held.reduce(into: Desktops(outage: outage)) { desktops, entry in
            desktops.views[entry.key] = DesktopView(
                entry.value, device: values.edge, hasSensor: values.present.contains(.accelerometer),
                isClaimed: claims.isHeld(.accelerometer, by: entry.key))
        }
    }

    private mutating func publish() -> [Effect] {
        let (old, oldShown) = (published, shown)
        shown = desktops.views.compactMapValues(\.shown)
        guard shown != oldShown || SensorKind.allCases.contains(where: { !values.changes(of: $0, since: old).isEmpty })
        else { return [] }
        let hasAppeared = !values.present.isSubset(of: published.present)
        changedPresences.formUnion(values.present.symmetricDifference(published.present))
        published = values
        var effects: [Effect] = [.bus(.publish(values, shown: shown))]
        // Clients without a claim receive no signals. They watch the name, which iio-sensor-proxy owns only while there
        // is a sensor.
        if isNameRequested, hasAppeared, !claims.isHeld {
            effects.append(.bus(.reacquireName))
            changedPresences = []
        }
        for sensor in SensorKind.allCases {
            for client in claims.subscribers(of: sensor) {
                let claimant = Claimant(client: client, sensor: sensor)
                let user = claims.user(of: claimant)
                let changes = values.showing(user.flatMap { shown[$0] }).changes(
                    of: sensor, since: old.showing(user.flatMap { oldShown[$0] }))
                if !changes.isEmpty { effects.append(.bus(.signal(claimant, changes))) }
            }
        }
        return effects
    }

    /// Returns a signal with the values that differ from those that a new claimant may have read before its claim.
    private func changes(for claimant: Claimant) -> [Effect] {
        let sensor = claimant.sensor
        let wasPresent = values.present.contains(sensor) != changedPresences.contains(sensor)
        let changes = values.showing(claims.user(of: claimant).flatMap { shown[$0] }).changes(
            of: sensor, since: SensorProxyValues(present: wasPresent ? [sensor] : []))
        return changes.isEmpty ? [] : [.bus(.signal(claimant, changes))]
    }

    private mutating func perform(_ effects: [ClaimEffect], at now: Double) -> [Effect] {
        effects.map { .bus(.claim($0)) } + updateDemand() + updateDeadlines(at: now)
    }

    /// Sends the values to clients that have claimed a sensor, and answers their calls, after `effects`.
    private mutating func replyToWaiting(
        for sensor: SensorKind, at now: Double, after effects: [ClaimEffect] = []
    ) -> [Effect] {
        let signals = claims.newcomers(to: sensor).flatMap(changes)
        return signals + perform(effects + claims.replyToWaiting(for: sensor), at: now)
    }

    private mutating func updateDemand() -> [Effect] {
        let held = Set(SensorKind.allCases.filter(claims.isHeld))
        let changed = SensorKind.allCases.filter { held.contains($0) != requestedSensors.contains($0) }
        requestedSensors = held
        return changed.map { .raise(.sensorDemand(.sensorProxy($0), held.contains($0), for: nil)) }
    }

    /// Sets the timeout of each sensor for which claims have begun to wait.
    private mutating func updateDeadlines(at now: Double) -> [Effect] {
        let former = deadlines
        for sensor in SensorKind.allCases where claims.isPending(sensor) != (deadlines[sensor] != nil) {
            deadlines[sensor] = deadlines[sensor] == nil ? now + Self.readingTimeout : nil
        }
        return deadlines == former ? [] : [setClaimTimer(at: now)]
    }

    private func setClaimTimer(at now: Double) -> Effect {
        .setTimer(.claims, after: deadlines.values.min().map { max($0 - now, 0) })
    }
}

enum BusEvent {
    case connected
    case disconnected
    case name(BusName.Ownership)
    case claim(BusCallID, by: Claimant)
    case release(BusCallID, by: Claimant)
    /// The user of a client, or why the claim is refused.
    case identified(Claimant, SensorProxyBus.User)
    /// polkit decided on a claim; nil permits it.
    case authorized(Claimant, refusal: String?)
    /// A client has left the bus.
    case vanished(Claimant)
}

enum BusEffect {
    /// Request the name, again if it was refused.
    case requestName
    /// Release the name and request it again: the clients that watch it read the properties.
    case reacquireName
    /// Return these values to property reads; to a user's in `shown` with another edge.
    case publish(SensorProxyValues, shown: [UInt32: PanelEdge])
    /// Send one client PropertiesChanged of the interface of its sensor.
    case signal(Claimant, [SensorProxyValues.Property])
    case claim(ClaimEffect)
}
