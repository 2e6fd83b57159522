// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import IIOSensing
package import Logging
internal import OrientationWire
internal import Sensing
internal import Systemd
internal import Varlink

/// The daemon: a sensor, a state, and whoever wants to know it.
package final class Daemon {
    private let loop: EventLoop
    private let log: Logger
    private let note: ArmedNote
    /// This machine's own sensors.
    private let local: SensorURI
    private let sensor: SensorControl
    private let lock: LockKeeper
    private let served: ServedInterfaces
    /// Looked up when somebody first asks for more than the orientation: naming a group loads a good part of the C library.
    private lazy var authority = Authority.ofThisProcess()
    private var clients: ClientTable?
    private var signals: [EventSource] = []
    private var exitTimer: EventSource?
    private var tablet: TabletSwitch?
    private var desktops: SensorProxyFace?

    /// Seconds that the sensor has to close when the daemon is to end.
    private static let patienceAtExit = 2.0

    /// Where samples can come from; a new source is a row.
    private static func sources(_ device: SimulatedDevice, _ note: ArmedNote) -> [SourceKind] {
        IIOSources(note: note).rows + [ReplaySource.row, FakeSource.row(device)]
    }

    /// Makes everything ready to ``run()``.
    package init(_ options: Options, log: Logger) throws {
        self.log = log
        // Whoever reads our messages may go; that is no reason to.
        signal(SIGPIPE, SIG_IGN)
        loop = try EventLoop()
        note = ArmedNote(folder: options.stateFolder)
        let device = SimulatedDevice()
        let table = Self.sources(device, note)
        let uri = try SensorURI(parsing: options.sensor, table: table)
        local = try SensorURI(parsing: "auto", table: table)
        let reports = ReportRelay()
        sensor = try SensorControl(
            uri: uri, settings: options.classifier, loop: loop, log: log, report: reports.take, motion: reports.take)
        let orientation = try OrientationCalls(
            loop: loop, sensor: sensor, keeper: StateKeeper(instance: try InstanceName.make()))
        lock = try LockKeeper(directory: options.stateFolder.map(StateDirectory.init), loop: loop, log: log)
        served = try ServedInterfaces(
            orientation, MotionCalls(sensor: sensor),
            ControlCalls(orientation: orientation, sensor: sensor, keeper: lock, log: log),
            moving: uri.includes(scheme: FakeSource.scheme) ? device : nil)
        reports.orientation = served.orientation
        reports.motion = served.motion
        try listen(options)
        // Unowned: it is ours, and a weak reference would make each retain of it slower for good.
        tablet = TabletSwitch(loop: loop, log: log) { [unowned orientation] in orientation.setTabletMode($0) }
        if options.servesDesktops { try serveDesktops(reports) }
        try watchSignals()
    }

    private func listen(_ options: Options) throws {
        clients = try ClientTable(
            listener: try Listener.make(options, log: log), limits: DescriptorLimit.fit(options.limits, log: log),
            loop: loop, log: log, owner: self)
        served.connect { [unowned self] in
            clients
        } mayFollowMotion: { [unowned self] session in
            authority.missing(.trusted, for: Authority.Client(session)) == nil
        }
    }

    private func serveDesktops(_ reports: ReportRelay) throws {
        desktops = try SensorProxyFace(loop: loop, sensor: sensor, log: log)
        reports.desktops = desktops
        sensor.whenDevicesChange = { [unowned self] in desktops?.devicesChanged() }
    }

    /// The exit status that says why a daemon could not be made: wrong use is told apart.
    package static func exitStatus(for error: any Error) -> Int32 {
        if case .unusable? = error as? SensorFailure { EX_USAGE } else { EXIT_FAILURE }
    }

    /// Serves until it is told to end; returns the exit status.
    package func run() throws -> Int32 {
        loop.keepWatchdogFed()
        ServiceManager.ready()
        if note.isPresent { sensor.giveBack(local) }
        return try loop.run()
    }

    private func watchSignals() throws {
        for signal in [SIGTERM, SIGINT] {
            signals.append(try loop.watch(signal: signal) { [unowned self] in end() })
        }
        signals.append(try loop.watch(signal: SIGHUP) { [unowned self] in reload() })
        exitTimer = try loop.timer { [loop] in loop.exit(status: 0) }
    }

    private func reload() {
        ServiceManager.reloading()
        log.info("opening the sensor anew")
        sensor.reload()
        desktops?.reload()
        ServiceManager.ready()
    }

    private func end() {
        ServiceManager.stopping()
        lock.finish()
        // Closes every connection, and removes the socket if it was made here.
        clients = nil
        desktops = nil
        exitTimer?.fire(after: Self.patienceAtExit)
        sensor.close { [loop] in loop.exit(status: 0) }
    }
}

extension Daemon: ClientOwner {
    func answer(_ call: Call, _ session: ClientSession) {
        if let answer = served.service.answer(to: call) { return session.send(answer) }
        let name = call.interface
        guard let calls = served.all.first(where: { $0.interface == name }) else {
            return session.send(EncodedMessage(error: .methodNotImplemented(call.method)))
        }
        if let requirement = calls.requirement(for: call),
            let needs = authority.missing(requirement, for: Authority.Client(session))
        {
            return session.send(EncodedMessage(error: .permissionDenied(calls.interface, needs: needs)))
        }
        calls.answer(call, session)
    }

    func hasWritten(to session: ClientSession) {
        for calls in served.all { calls.hasWritten(to: session) }
    }

    func hasLeft(_ session: ClientSession) {
        for calls in served.all { calls.forget(session) }
    }
}

/// Those who hear of the sensor, who are made after it.
private final class ReportRelay {
    // Unowned, as the sensor is theirs; desktops are let go first when the daemon ends.
    unowned var orientation: OrientationCalls?
    unowned var motion: MotionCalls?
    weak var desktops: SensorProxyFace?

    func take(_ report: SensorReport) {
        orientation?.take(report)
        motion?.take(report)
        desktops?.take(report)
    }

    func take(_ samples: [MotionSample]) {
        motion?.take(samples)
    }
}
