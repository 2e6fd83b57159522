// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Sensing
internal import Systemd

/// The handler of the SensorProxy service, `net.hadess.SensorProxy` on the system bus, from which desktops written for
/// iio-sensor-proxy receive the orientation. It has the accelerometer, and no other sensor.
struct SensorProxyHandler {
    /// Seconds that a claim waits for the first reading.
    static let readingTimeout = 2.0
    /// Seconds that the request of the name waits for the first scan: a sensor that hangs must not delay it for long.
    static let scanTimeout = 2.0

    private var claims = ClaimTable<BusCallID>()
    private var values = SensorProxyValues()
    private var renewal = TiltRenewal()
    /// The values that claimants were sent last, and that property reads return.
    private var published = SensorProxyValues()
    private var report = SensorReport.off
    private var isNameRequested = false
    /// Whether the sensor came or went after the name appeared, at which time clients read the properties.
    private var hasPresenceChanged = false
    private var isTimerRunning = false
    private var isSensorRequested = false

    /// Whether a claim need not wait for a reading.
    private var isKnown: Bool { report.isAnswer || !values.hasAccelerometer }

    /// The bus connected, the name changed hands, or a client sent a message.
    mutating func handle(_ event: BusEvent) -> [Effect] {
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
            let text = "\(name): owned by another program: desktops use that until it ends, and orientationd then"
            return [.log(.warning, text)] + perform(claims.removeAll())
        case .denied(let reason):
            let text =
                "\(name): cannot serve desktops over D-Bus: \(reason); "
                + "install orientationd's policy for the bus and reload"
            return [.log(.warning, text)]
        }
    }

    mutating func take(_ report: SensorReport, at now: Double) -> [Effect] {
        self.report = report
        var effects: [Effect] = []
        if case .decided(var attitude, let sensor) = report {
            attitude.tiltBand = attitude.tiltBand.map { renewal.take($0, at: now) }
            values.take(.decided(attitude, sensor: sensor))
            effects.append(.setTimer(.tilt, after: renewal.wait(at: now)))
        }
        effects += publish()
        if report.isAnswer { effects += perform(claims.answerWaiting()) }
        // It may have been unplugged.
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
        // While the sensor thread hangs, nothing new is known of the sensors.
        guard case .success(let sensors) = outcome else { return [] }
        values.hasAccelerometer = sensors.contains(where: \.isChosen)
        var effects = publish()
        if !values.hasAccelerometer { effects += perform(claims.answerWaiting()) }
        // A client that sees the name appear reads HasAccelerometer at once.
        return effects + requestName()
    }

    /// A device came, went or changed.
    func devicesChanged() -> [Effect] { [.raise(.scanWanted(.presence))] }

    /// Tries everything again.
    func reload() -> [Effect] {
        [.raise(.scanWanted(.presence))] + (isNameRequested ? [.bus(.requestName)] : [])
    }

    /// The timer of ``TimerID/claims`` fired.
    mutating func claimsTimedOut() -> [Effect] {
        isTimerRunning = false
        return perform(claims.answerWaiting())
    }

    /// Requests the name, unless that was done: the sensors were listed, or the timer of ``TimerID/busName`` fired.
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
        // Clients without a claim are sent no signals, but all watch the name, which iio-sensor-proxy owns only with a
        // sensor.
        if isNameRequested, hasAppeared, !claims.isHeld {
            effects.append(.bus(.reacquireName))
            hasPresenceChanged = false
        }
        return effects + claims.listeners.map { .bus(.signal($0, changes)) }
    }

    /// Sends a new claimant what it may have read otherwise before its claim.
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
            case .ask(let client, let user): effects.append(.bus(.authorize(client, user: user)))
            case .watch(let client): effects.append(.bus(.watch(client)))
            case .unwatch(let client): effects.append(.bus(.unwatch(client)))
            case .tell(let client): effects += welcome(client)
            case .answer(let call): effects.append(.bus(.reply(call)))
            case .refuse(let call, .denied(let reason)):
                effects.append(.bus(.refuse(call, name: "org.freedesktop.DBus.Error.AccessDenied", text: reason)))
            case .refuse(let call, .tooMany(let what)):
                let text = "There are too many \(what) at a time"
                effects.append(.bus(.refuse(call, name: "org.freedesktop.DBus.Error.LimitsExceeded", text: text)))
            }
        }
        if claims.isHeld != isSensorRequested {
            isSensorRequested = claims.isHeld
            effects.append(.raise(.sensorDemand(.sensorProxy, isSensorRequested, for: nil)))
        }
        if claims.isAwaited != isTimerRunning {
            isTimerRunning = claims.isAwaited
            effects.append(.setTimer(.claims, after: isTimerRunning ? Self.readingTimeout : nil))
        }
        return effects
    }
}

/// Identifies a call on the bus until it is answered.
typealias BusCallID = Int

/// What happened on the bus.
nonisolated enum BusEvent {
    case connected
    case disconnected
    case name(BusName.Ownership)
    case claim(BusCallID, client: String)
    case release(BusCallID, client: String)
    /// The bus knows the user of a client; nil where the client is not on the bus any more.
    case identified(String, user: UInt32?)
    /// polkit decided on a claim; nil permits it.
    case authorized(String, refusal: String?)
    /// A client is not on the bus any more.
    case vanished(String)
}

/// What the SensorProxy service does on the bus.
nonisolated enum BusEffect {
    /// Request the name, or request it again where it was refused.
    case requestName
    /// Release the name and request it again, so that the clients that watch it read the properties.
    case reacquireName
    /// Return these values to property reads.
    case publish(SensorProxyValues)
    /// Send one client PropertiesChanged.
    case signal(String, [(name: String, value: BusValue)])
    /// Ask the bus for the user of a client; ``BusEvent/identified(_:user:)`` follows.
    case identify(String)
    /// Find out whether a client of a user may claim; ``BusEvent/authorized(_:refusal:)`` follows.
    case authorize(String, user: UInt32)
    /// Watch for a client to leave the bus; ``BusEvent/vanished(_:)`` follows.
    case watch(String)
    case unwatch(String)
    case reply(BusCallID)
    case refuse(BusCallID, name: String, text: String)
}
