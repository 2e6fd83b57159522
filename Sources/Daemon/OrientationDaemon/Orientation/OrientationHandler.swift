// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensors
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Orientation`: the state that all clients see, and its subscribers.
///
/// Orientation is state, not history: a subscriber that does not read skips to the newest state, with a gap in
/// `sequence`. It delays no other client; only a recording waits for its subscribers, up to ``readerTimeout``.
struct OrientationHandler: CallHandler {
    let interface = OrientationInterface.name
    private var keeper: StateKeeper
    /// The subscribers that receive exact measurements (true), and coarse ones.
    private var subscribers: [Bool: Set<ClientID>] = [:]
    /// Those that ask for no reading.
    private var withoutSensor: Set<ClientID> = []
    /// False for a recording: the lid angle of its device is unknown, and each change is sent from the first one.
    private let measuresLid: Bool
    private var coarse = CoarseMeasurements()
    /// Clients whose first state is sent after the sensor has been requested, so that its reason is "starting".
    private var subscribing: [ClientID: Caller] = [:]
    /// The tablet modes that were reported to overrule the tablet switch: each is logged once.
    private var reportedModes: Set<Bool> = []
    /// The time since which a subscriber has unsent bytes, in seconds of the boot clock.
    private var behind: [ClientID: Double] = [:]
    private var isBackpressured = false
    private var listings = Dictionary(uniqueKeysWithValues: SensorGroup.allCases.map { ($0, SensorListing($0)) })

    /// The timeout of a recording for a subscriber that reads nothing, in seconds: longer than a process waits for a
    /// CPU on a busy machine, and short enough that a stopped process causes one brief delay.
    static let readerTimeout = 3.0

    /// Creates the first state; `instance` identifies this run of the daemon.
    init(
        instance: String, natural: Edge = .portrait, lock: RotationLock = .off, lastEdge: PanelEdge? = nil,
        measuresLid: Bool = true
    ) {
        self.measuresLid = measuresLid
        keeper = StateKeeper(instance: instance, natural: natural, lastEdge: lastEdge)
        _ = keeper.apply(lock)
    }

    /// The state that was published last.
    var state: OrientationState { keeper.state }

    /// The last report of the accelerometer.
    var report: SensorState { keeper.report }

    /// The edge of the panel that was up last; nil if unknown.
    var lastEdge: PanelEdge? { keeper.lastEdge }

    func requirement(for call: Call) -> Authority.Requirement? { nil }

    enum Request {
        case get
        case monitor(withSensor: Bool)
        case list(SensorGroup)
    }

    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request {
        switch call.method {
        case OrientationInterface.get, OrientationInterface.monitor:
            guard call.method == OrientationInterface.monitor else { return .get }
            let withSensor = try call.takeOptional(OrientationInterface.sensor) ?? true
            return call.mode == .more ? .monitor(withSensor: withSensor) : .get
        case OrientationInterface.listSensors: return .list(.accelerometer)
        case OrientationInterface.listAmbientSensors: return .list(.ambient)
        default: throw .methodNotImplemented(call.method)
        }
    }

    mutating func handle(_ request: Request, from caller: Caller, _ context: CallContext) -> [Effect] {
        switch request {
        case .monitor(let withSensor):
            subscribing[caller.client] = caller
            if !withSensor { withoutSensor.insert(caller.client) }
            return demand(for: caller.client)
        case .get:
            guard context.isReadingKnown, isLidKnown else {
                return [.raise(.callNeedsReading(.orientation, from: caller))]
            }
            return reply(to: caller, context.machine)
        case .list(let group): return listings[group]?.add(caller, at: context.now) ?? []
        }
    }

    /// Replies to a call of the state.
    mutating func reply(to caller: Caller, _ machine: any Machine) -> [Effect] {
        var state = state(for: caller, machine)
        // Without a subscriber the hinge sensor has just started: a tablet folded to this angle looks like a laptop.
        if keeper.isTabletModeAmbiguous, !hasSubscriber { state.tabletMode = nil }
        return [.reply(caller.client, EncodedMessage(reply: state))]
    }

    /// Sends a new subscriber its first state, after the request of the sensor and the resulting reports were handled, or
    /// makes it wait for the lid angle.
    mutating func sensorRequested(for client: ClientID, _ machine: some Machine) -> [Effect] {
        guard let caller = subscribing[client], !isLidKnown else { return subscribe(client, machine) }
        return [.raise(.callNeedsReading(.subscription, from: caller))]
    }

    /// Sends a new subscriber its first state.
    mutating func subscribe(_ client: ClientID, _ machine: some Machine) -> [Effect] {
        guard let caller = subscribing.removeValue(forKey: client) else { return [] }
        subscribers[caller.isTrusted, default: []].insert(client)
        let state = state(for: caller, machine)
        return [.reply(client, EncodedMessage(reply: state, continues: true), sequence: state.sequence)]
    }

    mutating func clientLeft(_ client: ClientID, at now: Double) -> [Effect] {
        subscribing[client] = nil
        withoutSensor.remove(client)
        for isTrusted in subscribers.keys { subscribers[isTrusted]?.remove(client) }
        for group in listings.keys { listings[group]?.remove(client) }
        let wasBehind = behind.removeValue(forKey: client) != nil
        return demand() + (wasBehind ? updateBackpressure(at: now) : [])
    }

    /// The newest state as this caller may receive it.
    private mutating func state(for caller: Caller, _ machine: any Machine) -> OrientationState {
        let state = keeper.state(measuring: machine.readings.newest)
        return caller.isTrusted ? state : coarse.blur(state, decided: keeper.decided, at: machine.now)
    }
}

// MARK: Changes

extension OrientationHandler {
    mutating func handle(_ report: SensorState, at now: Double) -> [Effect] {
        keeper.apply(report) ? broadcast(at: now) : []
    }

    mutating func handle(lid report: SensorState, _ machine: some Machine) -> [Effect] {
        change(machine) { $0.apply(lid: report) } + reportOverruledSwitch()
    }

    mutating func handle(tabletSwitch isTablet: Bool?, _ machine: some Machine) -> [Effect] {
        change(machine) { $0.apply(tabletSwitch: isTablet) } + demand() + reportOverruledSwitch()
    }

    private mutating func reportOverruledSwitch() -> [Effect] {
        guard let text = state.overruledSwitchText, let isTablet = state.tabletMode,
            reportedModes.insert(isTablet).inserted
        else { return [] }
        return [.log(.notice, text)]
    }

    private var hasSubscriber: Bool { subscribers.values.contains { !$0.isEmpty } }

    var hasTabletSwitch: Bool { keeper.hasTabletSwitch }

    /// Whether the tablet mode is known by a switch or the lid angle, or that there is no lid angle.
    var isLidKnown: Bool { !measuresLid || keeper.lidReport.isAnswer || hasTabletSwitch }

    mutating func handle(_ lock: RotationLock, _ machine: some Machine) -> [Effect] {
        change(machine) { $0.apply(lock) }
    }

    mutating func handle(natural: Edge, _ machine: some Machine) -> [Effect] {
        change(machine) { $0.apply(natural: natural) }
    }

    /// Applies a change that is not one of the sensor, and sends it with the newest measurements.
    private mutating func change(_ machine: some Machine, _ apply: (inout StateKeeper) -> Bool) -> [Effect] {
        keeper.measure(machine.readings.newest)
        return apply(&keeper) ? broadcast(at: machine.now) : []
    }

    /// Sends the newest state to all subscribers.
    private mutating func broadcast(at now: Double) -> [Effect] {
        [true, false].flatMap { send(to: subscribers[$0] ?? [], isTrusted: $0, at: now) }
    }

    /// Sends the newest state to clients.
    private mutating func send(to clients: Set<ClientID>, isTrusted: Bool, at now: Double) -> [Effect] {
        guard !clients.isEmpty else { return [] }
        var state = keeper.state
        if !isTrusted { state = coarse.blur(state, decided: keeper.decided, at: now) }
        return [.broadcast(EncodedMessage(reply: state, continues: true), sequence: state.sequence, to: clients)]
    }
}

// MARK: Slow subscribers

extension OrientationHandler {
    mutating func subscriberFellBehind(_ client: ClientID, since: Double, at now: Double) -> [Effect] {
        guard isTrustedSubscriber(client) != nil else { return [] }
        behind[client] = since
        return updateBackpressure(at: now)
    }

    /// Sends the newest state to a subscriber that has no unsent bytes, unless it was sent already.
    mutating func subscriberCaughtUp(_ client: ClientID, sequence: Int?, at now: Double) -> [Effect] {
        let effects = behind.removeValue(forKey: client) == nil ? [] : updateBackpressure(at: now)
        guard let sequence, let isTrusted = isTrustedSubscriber(client), sequence < state.sequence else {
            return effects
        }
        return effects + send(to: [client], isTrusted: isTrusted, at: now)
    }

    /// Whether a subscriber receives exact measurements; nil if the client is none.
    private func isTrustedSubscriber(_ client: ClientID) -> Bool? { subscribers.first { $1.contains(client) }?.key }

    /// Pauses a recording while subscribers are behind, but not longer than ``readerTimeout`` for each.
    mutating func updateBackpressure(at now: Double) -> [Effect] {
        let wait = behind.values.map { $0 + Self.readerTimeout - now }.filter { $0 > 0 }.max()
        let timer = Effect.setTimer(.backpressure, after: wait)
        guard (wait != nil) != isBackpressured else { return [timer] }
        isBackpressured.toggle()
        return [timer, .raise(.backpressure(isBackpressured))]
    }
}

// MARK: Demand

extension OrientationHandler {
    /// Requests the sensors that subscribers need. ``Event/sensorRequested(for:)`` follows for a client.
    private func demand(for client: ClientID? = nil) -> [Effect] {
        let clients = subscribers.values.reduce(into: Set(subscribing.keys)) { $0.formUnion($1) }
        let isNeeded = !clients.isSubset(of: withoutSensor)
        // Without a tablet switch, the tablet mode follows from the lid angle.
        let isLidNeeded = measuresLid && (isNeeded || !clients.isEmpty && !hasTabletSwitch)
        return [
            .raise(.sensorDemand(.lid, isLidNeeded, for: nil)),
            .raise(.sensorDemand(.orientation, isNeeded, for: client)),
        ]
    }
}

// MARK: Listing sensors

extension OrientationHandler {
    /// The sensors of a group were listed; `desktops` is nil without the SensorProxy service.
    mutating func scanned(
        _ group: SensorGroup, _ list: SensorList, _ desktops: Desktops?, at now: Double
    ) -> [Effect] {
        let trusted: EncodedMessage
        var others: EncodedMessage?
        if let failure = list.failure, list.sensors.isEmpty {
            trusted = EncodedMessage(error: OrientationFailure.sensorUnavailable(reason: failure.description).reply)
        } else if group == .accelerometer {
            trusted = EncodedMessage(reply: SensorDescription.reply(list.sensors))
            others = EncodedMessage(reply: SensorDescription.reply(list.sensors.map(\.withoutMotion)))
        } else {
            let outage = desktops?.outage?.reason
            let message = AmbientSensorListMessage(
                list.sensors.map(withOverruledSwitch), isServed: desktops != nil && outage == nil, outage: outage)
            trusted = EncodedMessage(reply: message.reply)
        }
        return listings[group]?.finish(at: now) { $0.isTrusted ? trusted : others ?? trusted } ?? []
    }

    /// Adds to the hinge that it overrules the tablet switch.
    private func withOverruledSwitch(_ sensor: SensorDescription) -> SensorDescription {
        var sensor = sensor
        if sensor.kind == .hinge, sensor.isChosen, let text = state.overruledSwitchText { sensor.why += "; \(text)" }
        return sensor
    }

    mutating func listingTimerFired(_ group: SensorGroup, at now: Double) -> [Effect] {
        listings[group]?.timerFired(at: now) ?? []
    }
}

extension SensorDescription {
    /// What every client may receive: raw motion can reveal what a user types.
    fileprivate var withoutMotion: SensorDescription {
        var sensor = self
        sensor.lastVector = nil
        return sensor
    }
}

extension SensorState {
    /// Whether it answers a call that waits for the first reading.
    var isAnswer: Bool {
        switch self {
        case .withoutGravity, .decided, .read, .unavailable, .ended: true
        case .off, .starting: false
        }
    }
}
