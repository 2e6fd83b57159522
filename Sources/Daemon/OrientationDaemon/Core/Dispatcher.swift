// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Sensors
internal import Systemd
internal import VarlinkServer

/// The queue of pending events. Event sources and effects append to it; no handler is called.
///
/// An iteration of the loop appends a few events for each ready client, and one for each client that a broadcast disconnects:
/// the limits of connections bound it.
typealias EventQueue = Systemd.EventQueue<Event>

/// The only place that performs effects: passes each event to the state and performs the returned effects, first in,
/// first out, until no event is left.
final class Dispatcher {
    private var state: DaemonState
    private let queue: EventQueue
    private var devices: Devices
    private let loop: EventLoop
    private let log: Logger
    private var timers: [TimerID: EventSource] = [:]

    /// The objects that perform effects; each owns its descriptors.
    struct Devices {
        /// Nil after ``Effect/stopServing``.
        var clients: ClientTable?
        var sensors: SensorLink
        var watch: DeviceWatch
        var lock: RotationLockWriter
        var lastEdge: LastEdgeFile
        /// The state directory; nil to store nothing.
        var stateFolder: String?
        var group: GroupLookup
        /// Nil where the panel is not used.
        var panel: PanelLookup?
        var simulated: SimulatedDevice
        var tabletSwitches: TabletSwitches
        var sensorProxy: SensorProxyBus?
    }

    init(
        _ state: DaemonState, queue: EventQueue, devices: Devices, loop: EventLoop, log: Logger
    ) throws(SystemError) {
        self.state = state
        self.queue = queue
        self.devices = devices
        self.loop = loop
        self.log = log
        for timer in TimerID.all {
            timers[timer] = try loop.timer { queue.append(.timer(timer)) }
        }
    }

    /// Handles all pending events, including events that handlers raise. The loop calls this after each callback.
    func drain() {
        repeat {
            while let event = queue.popFirst() {
                for effect in state.handle(event, on: self) { perform(effect) }
            }
            devices.clients?.settle()
        } while !queue.isEmpty || devices.clients?.needsSettling ?? false
        devices.sensorProxy?.sendChanges()
    }

    /// Closes the sensors and waits for that, when the loop has failed.
    func closeSensors() {
        for group in SensorGroup.allCases { devices.sensors[group]?.close() }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .raise(let event): queue.append(event)
        case .reply(let client, let message, let sequence):
            devices.clients?.reply(to: client, message, sequence: sequence)
        case .broadcast(let message, let sequence, let clients):
            devices.clients?.broadcast(message, sequence: sequence, to: clients)
        case .send(let delivery): devices.clients?.send(delivery)
        case .setTrustedGroup(let group): devices.clients?.setTrustedGroup(group)
        case .stopAccepting:
            ServiceManager.stopping()
            devices.clients?.stopAccepting()
        case .stopServing:
            devices.clients?.flush()
            // Closes all connections, and removes the socket if the daemon created it.
            devices.clients = nil
            devices.sensorProxy = nil
        case .sensors(let group, let command): devices.sensors[group]?.send(command)
        case .watchSensorProxy(let kind, let isInUse): devices.watch.setInUse(kind, isInUse)
        case .setMotionRate(let rate): devices.sensors.setMotionRate(rate)
        case .pauseSensor(let isPaused): devices.sensors.setPaused(isPaused)
        case .moveSimulatedDevice(let move): devices.simulated.move(move, at: now)
        case .setTimer(let timer, let seconds):
            if let seconds { timers[timer]?.fire(after: seconds) } else { timers[timer]?.pause() }
        case .storeLock(let lock): devices.lock.write(lock)
        case .storeLastEdge(let edge): devices.lastEdge.write(edge, log: log)
        case .forgetInterrupts: devices.stateFolder.map(IIOSources.forgetInterrupts)
        case .watchSessions(let isWatched): devices.watch.setWatchesSessions(isWatched)
        case .findTrustedGroup: devices.group.start()
        case .readConnectors: devices.panel?.start()
        case .bus(let effect): devices.sensorProxy?.perform(effect)
        case .setLogLevel(let level): log.logLevel = level
        case .log(let level, let text): log.log(level: level, text)
        case .reloaded: ServiceManager.ready()
        case .exit(let status): loop.exit(status: status)
        }
    }
}

extension Dispatcher: Machine {
    var now: Double { BootClock.now() }
    var readings: SensorReadings { devices.sensors.readings }
    var connections: [UserCount] { devices.clients?.connections ?? [] }
    var hasClients: Bool { devices.clients?.hasClients ?? false }
    func isSeated(user: UInt32) -> Bool { LoginSessions.isActive(user: user) }
}
