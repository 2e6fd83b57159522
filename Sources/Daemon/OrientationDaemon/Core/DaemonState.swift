// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensors
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The state of the daemon: receives every event and returns effects. It decides which handlers receive an event, and
/// in which order.
struct DaemonState {
    private var orientation: OrientationHandler
    private var motion = MotionHandler()
    private var control: ControlHandler
    private var holds = HoldHandler()
    /// Nil unless the source is `fake:`.
    private let simulator: SimulatorHandler?
    private var accelerometer: SensorHandler
    private var ambient: SensorHandler
    private var natural: NaturalOrientationHandler
    /// Nil without `--dbus`.
    private var sensorProxy: SensorProxyHandler?
    /// Replies to `org.varlink.service` and to invalid calls.
    private let service: Service
    /// The time without clients after which the daemon exits, in seconds; nil: it does not.
    private let idleExit: Double?
    /// The calls of all handlers that wait for the first reading.
    private var pending = PendingCalls()

    private var isLockFinished = false
    private var closed: Set<SensorGroup> = []

    /// The timeout for closing the sensors at exit, in seconds.
    static let exitTimeout = 2.0

    /// - Parameters:
    ///   - source: the URI of the source of samples.
    ///   - natural: the natural orientation of the device.
    ///   - simulatedSensors: the sensors of the simulated device, which clients may move; nil without one.
    ///   - servesSensorProxy: whether the SensorProxy service runs.
    ///   - instance: identifies this run of the daemon.
    ///   - lock: the stored rotation lock; nil without a state directory.
    ///   - lastEdge: the last edge of an earlier run; nil if unknown.
    ///   - idleExit: the time without clients after which the daemon exits, in seconds; nil: it does not.
    ///   - logLevel: the log level of the command line.
    ///   - measuresLid: whether the lid angle may be measured.
    ///   - now: the boot clock, in seconds.
    init(
        source: String, natural: NaturalOrientationHandler, simulatedSensors: Set<SensorKind>?, servesSensorProxy: Bool,
        instance: String, lock: RotationLock?, lastEdge: PanelEdge? = nil, idleExit: Double? = nil,
        logLevel: Logger.Level = .info, measuresLid: Bool = true, at now: Double
    ) {
        let keeper = RotationLockKeeper(stored: lock)
        orientation = OrientationHandler(
            instance: instance, natural: natural.current.edge, lock: keeper.current, lastEdge: lastEdge,
            measuresLid: measuresLid)
        self.idleExit = idleExit
        self.natural = natural
        control = ControlHandler(lock: keeper, logLevel: logLevel, started: now)
        accelerometer = SensorHandler(.accelerometer, source: source, scansAlways: servesSensorProxy)
        ambient = SensorHandler(.ambient, source: source, scansAlways: servesSensorProxy)
        simulator = simulatedSensors.map(SimulatorHandler.init)
        sensorProxy = servesSensorProxy ? SensorProxyHandler() : nil
        var interfaces = [OrientationInterface.description, MotionInterface.description, ControlInterface.description]
        // Holds reach desktops that claim the sensor.
        if servesSensorProxy { interfaces.append(DisplayInterface.description) }
        if simulator != nil { interfaces.append(SimulatorInterface.description) }
        service = Service(
            .init(
                vendor: "orientationd", product: "orientationd", version: Version.current, url: "man:orientationd(8)"),
            interfaces: interfaces)
    }

    mutating func handle(_ event: Event, on machine: some Machine) -> [Effect] {
        react(to: event, on: machine)
            + pending.update(
                isReadingKnown: orientation.report.isAnswer, isLidKnown: orientation.isLidKnown,
                hasTabletSwitch: orientation.hasTabletSwitch)
            + holds.update(orientation.state, desktops)
    }

    private mutating func react(to event: Event, on machine: some Machine) -> [Effect] {
        let now = machine.now
        switch event {
        case .client(.call(let call, let caller)): return answer(call, from: caller, machine)
        case .resumedCall(let call, let caller):
            return switch call {
            case .orientation: orientation.reply(to: caller, machine)
            case .subscription: orientation.subscribe(caller.client, machine)
            case .control(let request):
                control.handle(request, from: caller, context(machine, isReadingKnown: true))
            case .hold(let request): holds.handle(request, from: caller, context(machine, isReadingKnown: true))
            }
        case .callNeedsReading(let call, let caller): return pending.add(call, from: caller, at: now)
        case .client(.left(let client)):
            control.lock.clientLeft(client)
            pending.remove(client)
            return orientation.clientLeft(client, at: now) + motion.clientLeft(client)
                + holds.clientLeft(client, orientation.state, machine) + restartIdleTimer()
        case .client(.fellBehind(let client, let since)):
            motion.subscriberFellBehind(client)
            return orientation.subscriberFellBehind(client, since: since, at: now)
        case .client(.caughtUp(let client, let sequence)):
            return orientation.subscriberCaughtUp(client, sequence: sequence, at: now)
                + motion.subscriberCaughtUp(client, orientation.report)
                + holds.subscriberCaughtUp(client, sequence: sequence)
        case .sensorDemand(let requester, let isNeeded, let client):
            return self[requester.kind.group].demand(requester, isNeeded, for: client)
        case .sensorRequested(let client): return orientation.sensorRequested(for: client, machine)
        case .sensorThread(let group, let message):
            return natural.handle(message) + self[group].handle(message, at: now)
        case .sensorHung(let group, let seconds): return self[group].hung(for: seconds, at: now)
        case .report(.hinge, let report): return orientation.handle(lid: report, machine)
        case .report(let kind, let report):
            let effects = sensorProxy?.handle(kind, report, at: now) ?? []
            let lastEdge = orientation.lastEdge
            guard kind == .accelerometer else { return effects }
            return orientation.handle(report, at: now) + motion.handle(report) + effects
                + holds.lastEdgeChanged(from: lastEdge, to: orientation.lastEdge, orientation.state, machine)
        case .samples(let samples):
            let origin = accelerometer[.accelerometer].map {
                MotionOrigin(sensor: $0, conversion: machine.readings.conversion)
            }
            return motion.handle(samples, from: origin)
        case .scanWanted(let group, let purpose): return self[group].scan(purpose)
        case .scanned(let group, .listing, let list):
            return orientation.scanned(
                group, list.mapped(natural.described), sensorProxy?.desktops, at: now)
        case .scanned(let group, .presence, let list), .scanned(let group, .choice, let list):
            return sensorProxy?.scanned(group, list, at: now) ?? []
        case .scanned(_, .restore, _): return []
        case .backpressure(let isBehind): return accelerometer.setBackpressure(isBehind)
        case .sensorsClosed(let group):
            closed.insert(group)
            return exitIfFinished()
        case .devicesChanged, .sensorProxyUnitChanged:
            return accelerometer.devicesChanged() + ambient.devicesChanged()
        // The hinge is no such device, but orientation-tablet-switch creates one when the lid angle becomes known, and removes
        // it when the sensor fails: a failed sensor would always be retried first.
        case .ambientDevicesChanged: return ambient.devicesChanged(except: .hinge)
        case .displaysChanged: return natural.displaysChanged(at: now)
        case .connectorsRead(let connectors): return natural.handle(connectors)
        case .naturalChanged(let edge):
            return orientation.handle(natural: edge, machine) + holds.change(orientation.state, machine)
        case .woke: return accelerometer.woke() + ambient.woke()
        case .tabletSwitchChanged(let isTablet): return orientation.handle(tabletSwitch: isTablet, machine)
        case .sessionsChanged: return holds.change(orientation.state, machine)
        case .desktopsChanged:
            let effects = sensorProxy?.hold(holds.held) ?? []
            return effects + holds.publish(orientation.state, desktops)
        case .timer(.idleExit):
            return idleTimerFired(hasClients: machine.hasClients)
        case .timer(.holdChange): return holds.timerFired(orientation.state, machine)
        case .timer(let timer): return timerFired(timer, at: now)
        case .lockStored(let lock, let failure): return control.lock.stored(lock, failure: failure)
        case .lockChanged(let lock): return orientation.handle(lock, machine)
        case .trustedGroup(let group): return [.setTrustedGroup(group)]
        case .bus(let event): return sensorProxy?.handle(event, at: now) ?? []
        case .reload:
            return [.log(.info, "reopening the sensors")] + accelerometer.reload() + ambient.reload()
                + (sensorProxy?.reload() ?? []) + [.findTrustedGroup, .readConnectors, .reloaded]
        case .ready: return restartIdleTimer()
        case .end:
            return [
                .stopAccepting, .setTimer(.exit, after: Self.exitTimeout), .storeLastEdge(orientation.lastEdge),
            ] + (accelerometer.hasPendingReload ? [.forgetInterrupts] : [])
                + control.lock.finish() + accelerometer.close() + ambient.close()
        case .lockFinished:
            // The clients that waited for the write have been answered.
            isLockFinished = true
            return [.stopServing] + exitIfFinished()
        }
    }

    private subscript(group: SensorGroup) -> SensorHandler {
        get { group == .accelerometer ? accelerometer : ambient }
        set { if group == .accelerometer { accelerometer = newValue } else { ambient = newValue } }
    }

    private var desktops: Desktops { sensorProxy?.desktops ?? Desktops() }

    private func exitIfFinished() -> [Effect] {
        isLockFinished && closed == Set(SensorGroup.allCases) ? [.exit(0)] : []
    }

    private mutating func timerFired(_ timer: TimerID, at now: Double) -> [Effect] {
        switch timer {
        case .sensor(let kind): self[kind.group].timerFired(kind)
        case .scan(let group): self[group].scanTimerFired()
        case .pendingCalls: pending.timedOut(at: now)
        case .listing(let group): orientation.listingTimerFired(group, at: now)
        case .backpressure: orientation.updateBackpressure(at: now)
        case .lockChange: control.lock.timerFired(at: now)
        case .displayRead: natural.displaysChanged(at: now)
        case .claims: sensorProxy?.claimsTimedOut(at: now) ?? []
        case .tilt: sensorProxy?.tiltTimerFired(at: now) ?? []
        case .busName: sensorProxy?.requestName() ?? []
        case .simulatedReturn: [.raise(.devicesChanged)]
        case .idleExit, .holdChange: []
        case .exit: [.exit(0)]
        }
    }
}

// MARK: Exit

extension DaemonState {
    /// Starts the time without clients: the daemon is ready, or a client has disconnected.
    private func restartIdleTimer() -> [Effect] { idleExit.map { [.setTimer(.idleExit, after: $0)] } ?? [] }

    /// Ends the daemon: the service manager keeps the socket, and starts the daemon again for the next client. Restarts the
    /// timer if only state that would be lost keeps the daemon running, such as a lock that is not written yet.
    ///
    /// No client is lost: connections are accepted by the loop, which handles this and the resulting ``Event/end`` without an
    /// iteration in between. A connection that arrives later stays in the backlog of the socket.
    private func idleTimerFired(hasClients: Bool) -> [Effect] {
        guard let idleExit, !hasClients else { return [] }
        if control.holdsUnstoredState { return restartIdleTimer() }
        return [.log(.debug, "no client for \(idleExit) s: exiting"), .raise(.end)]
    }
}

// MARK: Calls

extension DaemonState {
    private func context(_ machine: some Machine, isReadingKnown: Bool) -> CallContext {
        CallContext(
            now: machine.now, state: orientation.state, lastEdge: orientation.lastEdge, desktops: desktops,
            report: orientation.report, isReadingKnown: isReadingKnown, source: accelerometer.source,
            isSensorOpen: accelerometer[.accelerometer] != nil, failures: accelerometer.notes, machine: machine)
    }

    private mutating func answer(_ call: Call, from caller: Caller, _ machine: some Machine) -> [Effect] {
        if let answer = service.answer(to: call) { return [.reply(caller.client, answer)] }
        let context = context(machine, isReadingKnown: orientation.report.isAnswer)
        switch call.interface {
        case orientation.interface[...]: return Self.answer(call, from: caller, context, by: &orientation)
        case motion.interface[...]: return Self.answer(call, from: caller, context, by: &motion)
        case control.interface[...]: return Self.answer(call, from: caller, context, by: &control)
        case holds.interface[...]: return Self.answer(call, from: caller, context, by: &holds)
        default:
            guard var simulator, call.interface == simulator.interface else {
                return [.reply(caller.client, EncodedMessage(error: .methodNotImplemented(call.method)))]
            }
            return Self.answer(call, from: caller, context, by: &simulator)
        }
    }

    private static func answer(
        _ call: Call, from caller: Caller, _ context: CallContext, by handler: inout some CallHandler
    ) -> [Effect] {
        if let requirement = handler.requirement(for: call),
            let needs = requirement.missing(for: caller, isSeated: context.machine.isSeated)
        {
            let refusal = EncodedMessage(error: .permissionDenied(handler.interface, needs: needs))
            return [.reply(caller.client, refusal)]
        }
        do throws(ErrorReply) {
            var call = call
            let request = try handler.decode(&call, natural: context.state.assumedNatural)
            try call.refuseUnknownParameters()
            return handler.handle(request, from: caller, context)
        } catch {
            return [.reply(caller.client, EncodedMessage(error: error))]
        }
    }
}
