// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Sensing
internal import Systemd

/// The handler of the SensorProxy service, `net.hadess.SensorProxy` on the system bus: it publishes the orientation to
/// desktops written for iio-sensor-proxy. It implements the accelerometer and no other sensor.
struct SensorProxyHandler {
    /// The timeout of a claim for the first reading, in seconds.
    static let readingTimeout = 2.0
    /// The delay of the name request until the first scan, in seconds; a hung sensor must not delay it longer.
    static let scanTimeout = 2.0

    private var claims = ClaimTable<BusCallID>()
    private var values = SensorProxyValues()
    private var renewal = TiltRenewal()
    /// The values last sent to claimants, also returned by property reads.
    private var published = SensorProxyValues()
    private var isNameRequested = false
    /// Whether the sensor appeared or disappeared after clients read the properties, which they do when the name
    /// appears.
    private var hasPresenceChanged = false
    private var isTimerRunning = false
    private var isSensorRequested = false

    /// Handles an event of the bus; `report` is the last one of the sensor.
    mutating func handle(_ event: BusEvent, _ report: SensorReport) -> [Effect] {
        // Whether a claim is answered without waiting for a reading.
        let isKnown = report.isAnswer || !values.hasAccelerometer
        switch event {
        case .connected:
            isNameRequested = false
            return [
                .bus(.publish(published)), .raise(.scanWanted(.presence)),
                .setTimer(.busName, after: Self.scanTimeout),
            ]
        case .disconnected:
            isNameRequested = false
            return [.setTimer(.busName, after: nil)] + perform(claims.removeAll())
        case .name(let ownership): return nameChanged(ownership)
        case .claim(let call, let client): return perform(claims.claim(by: client, call, isKnown: isKnown))
        case .release(let call, let client): return perform(claims.release(by: client)) + [.bus(.reply(call))]
        case .identified(let client, let user): return perform(claims.identified(client, user: user))
        case .authorized(let client, let refusal):
            return perform(claims.decided(client, refusal: refusal, isKnown: isKnown))
        case .vanished(let client): return perform(claims.vanished(client))
        }
    }

    private mutating func nameChanged(_ ownership: BusName.Ownership) -> [Effect] {
        let name = SensorProxyBus.name
        switch ownership {
        case .owned: return [.log(.info, "\(name): serving desktops over D-Bus")]
        case .queued:
            let text = "\(name): owned by another program; desktops use orientationd once that program exits"
            return [.log(.warning, text)] + perform(claims.removeAll())
        case .denied(let reason):
            let text =
                "\(name): cannot serve desktops over D-Bus: \(reason); "
                + "install orientationd's D-Bus policy and reload"
            return [.log(.warning, text)]
        }
    }

    mutating func handle(_ report: SensorReport, at now: Double) -> [Effect] {
        var effects: [Effect] = []
        if case .decided(var attitude, let sensor) = report {
            attitude.tiltBand = attitude.tiltBand.map { renewal.update($0, at: now) }
            values.apply(.decided(attitude, sensor: sensor))
            effects.append(.setTimer(.tilt, after: renewal.wait(at: now)))
        }
        effects += publish()
        if report.isAnswer { effects += perform(claims.replyToWaiting()) }
        // The sensor may have been disconnected.
        if case .unavailable = report { effects.append(.raise(.scanWanted(.presence))) }
        return effects
    }

    /// The timer of ``TimerID/tilt`` fired.
    mutating func tiltTimerFired(at now: Double) -> [Effect] {
        values.tilt = renewal.renew(at: now)
        return [.setTimer(.tilt, after: renewal.wait(at: now))] + publish()
    }

    /// The sensors were listed.
    mutating func scanned(_ outcome: ScanOutcome) -> [Effect] {
        // While the sensor thread hangs, the sensors are unknown.
        guard case .success(let sensors) = outcome else { return [] }
        values.hasAccelerometer = sensors.contains(where: \.isChosen)
        var effects = publish()
        if !values.hasAccelerometer { effects += perform(claims.replyToWaiting()) }
        // A client that sees the name appear reads HasAccelerometer at once.
        return effects + requestName()
    }

    /// A device was added, removed or changed.
    func devicesChanged() -> [Effect] { [.raise(.scanWanted(.presence))] }

    /// Scans again, and requests the name again.
    func reload() -> [Effect] {
        [.raise(.scanWanted(.presence))] + (isNameRequested ? [.bus(.requestName)] : [])
    }

    /// The timer of ``TimerID/claims`` fired.
    mutating func claimsTimedOut() -> [Effect] {
        isTimerRunning = false
        return perform(claims.replyToWaiting())
    }

    /// Requests the name once: after the first scan, or when the timer of ``TimerID/busName`` fires.
    mutating func requestName() -> [Effect] {
        guard !isNameRequested else { return [] }
        isNameRequested = true
        hasPresenceChanged = false
        return [.setTimer(.busName, after: nil), .bus(.requestName)]
    }

    private mutating func publish() -> [Effect] {
        let changes = values.changes(since: published)
        guard !changes.isEmpty else { return [] }
        let hasAppeared = values.hasAccelerometer && !published.hasAccelerometer
        if values.hasAccelerometer != published.hasAccelerometer { hasPresenceChanged = true }
        published = values
        var effects: [Effect] = [.bus(.publish(values))]
        // Clients without a claim receive no signals. They watch the name, which iio-sensor-proxy owns only while there
        // is a sensor.
        if isNameRequested, hasAppeared, !claims.isHeld {
            effects.append(.bus(.reacquireName))
            hasPresenceChanged = false
        }
        return effects + claims.subscribers.map { .bus(.signal($0, changes)) }
    }

    /// Sends a new claimant the values that differ from those that it may have read before its claim.
    private func welcome(_ client: String) -> [Effect] {
        let present = values.hasAccelerometer
        let read = SensorProxyValues.unread(hasAccelerometer: hasPresenceChanged ? !present : present)
        let changes = values.changes(since: read)
        return changes.isEmpty ? [] : [.bus(.signal(client, changes))]
    }

    private mutating func perform(_ actions: [ClaimTable<BusCallID>.Action]) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .identify(let client): effects.append(.bus(.identify(client)))
            case .authorize(let client, let user): effects.append(.bus(.authorize(client, user: user)))
            case .watch(let client): effects.append(.bus(.watch(client)))
            case .unwatch(let client): effects.append(.bus(.unwatch(client)))
            case .sendValues(let client): effects += welcome(client)
            case .reply(let call): effects.append(.bus(.reply(call)))
            case .refuse(let call, .denied(let reason)):
                effects.append(.bus(.refuse(call, name: "org.freedesktop.DBus.Error.AccessDenied", text: reason)))
            case .refuse(let call, .tooMany(let what)):
                let text = "Too many \(what)"
                effects.append(.bus(.refuse(call, name: "org.freedesktop.DBus.Error.LimitsExceeded", text: text)))
            }
        }
        if claims.isHeld != isSensorRequested {
            isSensorRequested = claims.isHeld
            effects.append(.raise(.sensorDemand(.sensorProxy, isSensorRequested, for: nil)))
        }
        if claims.isPending != isTimerRunning {
            isTimerRunning = claims.isPending
            effects.append(.setTimer(.claims, after: isTimerRunning ? Self.readingTimeout : nil))
        }
        return effects
    }
}

/// Identifies a call on the bus until it is answered.
typealias BusCallID = Int

/// An event of the bus.
nonisolated enum BusEvent {
    case connected
    case disconnected
    case name(BusName.Ownership)
    case claim(BusCallID, client: String)
    case release(BusCallID, client: String)
    /// The user of a client; nil if the client has left the bus.
    case identified(String, user: UInt32?)
    /// polkit decided on a claim; nil permits it.
    case authorized(String, refusal: String?)
    /// A client has left the bus.
    case vanished(String)
}

/// An effect on the bus.
nonisolated enum BusEffect {
    /// Request the name, again if it was refused.
    case requestName
    /// Release the name and request it again, so that the clients that watch it read the properties.
    case reacquireName
    /// Return these values to property reads.
    case publish(SensorProxyValues)
    /// Send one client PropertiesChanged.
    case signal(String, [(name: String, value: BusValue)])
    /// Request the user of a client from the bus; ``BusEvent/identified(_:user:)`` follows.
    case identify(String)
    /// Check whether a client of a user may claim; ``BusEvent/authorized(_:refusal:)`` follows.
    case authorize(String, user: UInt32)
    /// Report when a client leaves the bus; ``BusEvent/vanished(_:)`` follows.
    case watch(String)
    case unwatch(String)
    case reply(BusCallID)
    case refuse(BusCallID, name: String, text: String)
}
