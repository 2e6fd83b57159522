// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import OrientationWire
internal import Posix
internal import Sensors
package import Systemd
internal import Varlink
internal import VarlinkServer

/// The daemon: constructs its parts, connects them, and runs the loop.
package final class Daemon {
    private let loop: EventLoop
    private let queue = EventQueue()
    private let dispatcher: Dispatcher
    private let records: [SensorKind: RestoreRecord]
    private let group: GroupLookup
    private let panel: PanelLookup?
    private let core: SensorCoreWatch?
    private var signals: [EventSource] = []

    /// The sources of samples; a new source is a row.
    private static func sources(
        _ device: SimulatedDevice, _ accelerometers: IIOSources
    ) -> [SourceKind] {
        let iio = accelerometers.row
        return [
            .automatic([iio, InputSource.row, CoreSource.row]), iio, InputSource.row, CoreSource.row, ReplaySource.row,
            FakeSource.row(device),
        ]
    }

    package init(_ options: Options, log: Logger) throws {
        // Ignore SIGPIPE: writes to closed sockets return EPIPE.
        signal(SIGPIPE, SIG_IGN)
        loop = try EventLoop()
        let report = { @Sendable (text: String) in log.warning(text) }
        let record = RestoreRecord(folder: options.stateFolder, report: report)
        records = Dictionary(
            uniqueKeysWithValues: SensorKind.allCases.filter { $0 != .hinge }.map { kind in
                let name = "restore-record-\(kind.rawValue)"
                let ambient = { RestoreRecord(folder: options.stateFolder, name: name, report: report) }
                return (kind, kind == .accelerometer ? record : ambient())
            })
        let device = SimulatedDevice()
        let measurements = AccelerometerMeasurements()
        let accelerometers = IIOSources(record: record, folder: options.stateFolder)
        let table = Self.sources(device, accelerometers)
        let uri = try SensorURI(parsing: options.sensor, table: table)
        // Before any thread is started: binding changes the umask for a moment.
        let listener = try Listener.make(options, log: log)
        // Without a service manager that listens, clients would find no daemon. Desktops stay connected to the bus, and
        // a simulated device or a recording would start over.
        let mayExit =
            !listener.ownsFile && !options.servesDesktops && !uri.includes(scheme: FakeSource.scheme)
            && !uri.includes(scheme: ReplaySource.scheme)
        let directory = options.stateFolder.map(StateDirectory.init)
        let lastEdge = LastEdgeFile(folder: options.stateFolder, bootID: BootID.current())
        group = GroupLookup(Authority.groupName, on: loop, queue: queue, log: log)
        let natural = NaturalOrientationHandler(
            option: options.natural, expected: uri.expected, mayUsePanel: uri.includesHardware)
        panel = natural.mayUsePanel ? PanelLookup(on: loop, queue: queue, log: log) : nil
        let sharedCore = SharedCoreList()
        core = try SensorCoreWatch.make(uri, options, shared: sharedCore, loop: loop, queue: queue, log: log)
        let devices = Dispatcher.Devices(
            clients: try ClientTable(
                listener: listener, limits: DescriptorLimit.fit(options.limits, log: log),
                authority: Authority(ownUser: geteuid(), group: nil), interface: OrientationInterface.name, loop: loop,
                log: log, isSeated: LoginSessions.isActive, report: { [queue] in queue.append(.client($0)) }),
            sensors: try SensorLink(
                [
                    .accelerometers(
                        uri, settings: options.classifier, reportsTilt: options.servesDesktops, measurements),
                    .ambient(
                        uri.ambientSources(
                            device, records: records,
                            lid: LidSources.source(accelerometers, measurements))),
                ], measurements, loop: loop, queue: queue
            ) { [records] group in
                // Settings are restored even if no sensor of this machine is in use now.
                for kind in group.kinds { records[kind]?.restoreLocalSettings() }
                return .readingMachine(core: sharedCore.value)
            },
            watch: DeviceWatch(
                loop: loop, queue: queue, log: log, core: core, watchesDisplays: natural.mayUsePanel,
                watchesAmbient: options.servesDesktops),
            lock: RotationLockWriter(directory: directory, loop: loop, queue: queue), lastEdge: lastEdge,
            stateFolder: options.stateFolder, group: group, panel: panel,
            simulated: device,
            tabletSwitches: try TabletSwitches(loop: loop, queue: queue, log: log),
            sensorProxy: options.servesDesktops ? try SensorProxyBus(loop: loop, queue: queue, log: log) : nil)
        let state = DaemonState(
            source: uri.text, natural: natural,
            simulatedSensors: try uri.address(ofScheme: FakeSource.scheme).map(FakeSource.sensors(of:)),
            servesSensorProxy: options.servesDesktops, instance: try InstanceName.make(),
            lock: directory?.readLock(log: log), lastEdge: lastEdge.take(),
            idleExit: mayExit ? options.idleExit : nil, logLevel: options.logLevel,
            measuresLid: !uri.includes(scheme: ReplaySource.scheme), at: BootClock.now())
        dispatcher = try Dispatcher(state, queue: queue, devices: devices, loop: loop, log: log)
        try watchSignals()
    }

    /// Returns the exit status for an error of ``init(_:log:)``: EX_USAGE for invalid options, EX_NOINPUT for a recording
    /// that cannot be opened.
    package static func exitStatus(for error: any Error) -> Int32 {
        switch error {
        case SensorFailure.unusable, SocketError.pathTooLong, SocketError.pathUnusable: EX_USAGE
        case SensorFailure.noDevice: EX_NOINPUT
        default: EXIT_FAILURE
        }
    }

    /// Serves until SIGTERM or SIGINT; returns the exit status.
    package func run() throws -> Int32 {
        loop.enableWatchdog()
        group.wait()
        panel?.wait()
        ServiceManager.ready()
        for group in SensorGroup.allCases where group.kinds.contains(where: { records[$0]?.exists == true }) {
            queue.append(.scanWanted(group, .restore))
        }
        queue.append(.ready)
        dispatcher.drain()
        do { return try loop.run(afterEach: dispatcher.drain) } catch {
            // The buffers would stay enabled otherwise.
            dispatcher.closeSensors()
            throw error
        }
    }

    private func watchSignals() throws {
        for signal in [SIGTERM, SIGINT] {
            signals.append(try loop.watch(signal: signal) { [queue] in queue.append(.end) })
        }
        signals.append(
            try loop.watch(signal: SIGHUP) { [queue] in
                ServiceManager.reloading()
                queue.append(.reload)
            })
    }
}
