// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// The list of the Snapdragon sensor core, for the sensor threads.
///
/// Unchecked: the value is accessed while holding the lock only.
final class SharedCoreList: @unchecked Sendable {
    private let lock = Lock()
    private var list: CoreList?

    var value: CoreList? {
        get { lock.withLock { list } }
        set { lock.withLock { list = newValue } }
    }
}

/// Watches the Snapdragon sensor core: keeps a ``CoreConnection`` with its socket and timer, and appends
/// ``Event/devicesChanged`` when the list changes.
///
/// Without a DSP there is no socket: opening one loads a kernel module. ``DeviceWatch`` receives udev's events of the DSP.
final class SensorCoreWatch {
    /// The datagrams that a wake-up reads at most.
    private static let readsAtOnce = 64

    private var connection: CoreConnection
    private let shared: SharedCoreList
    private let loop: EventLoop
    private let queue: EventQueue
    private let log: Logger
    private let openSocket: () throws(Errno) -> any CoreSocket
    private var socket: (any CoreSocket)?
    private var input: EventSource?
    private var timer: EventSource?
    /// Runs while ``changes`` has no token and the list has changed.
    private var changeTimer: EventSource?
    private var isChangePending = false
    /// An event makes the daemon retry a failing sensor at once: a core whose list changes without end must not.
    private var changes = TokenBucket(burst: 20, interval: 10)

    /// Starts at once if `isAlwaysOn`, else when there is a DSP.
    init(
        _ connection: CoreConnection, isAlwaysOn: Bool, shared: SharedCoreList, loop: EventLoop, queue: EventQueue,
        log: Logger, openSocket: @escaping () throws(Errno) -> any CoreSocket = { () throws(Errno) in try QRTRSocket() }
    ) {
        self.connection = connection
        self.shared = shared
        self.loop = loop
        self.queue = queue
        self.log = log
        self.openSocket = openSocket
        if isAlwaysOn || Self.hasDevice { start() }
    }

    /// Creates the watch for the value of `--sensor`; nil if none of its sensors can be of the sensor core.
    static func make(
        _ uri: SensorURI, _ options: Options, shared: SharedCoreList, loop: EventLoop, queue: EventQueue, log: Logger
    ) throws(SensorFailure) -> SensorCoreWatch? {
        let address = uri.address(ofScheme: SensorCore.scheme)
        let hasAccelerometer = address != nil || uri.includes(scheme: "auto")
        let hasAmbient = options.servesDesktops && !uri.isOnly(scheme: FakeSource.scheme)
        let types = CoreType.allCases.filter { $0 == .accelerometer ? hasAccelerometer : hasAmbient }
        guard !types.isEmpty else { return nil }
        let connection = CoreConnection(
            types: types, permitsLocal: try address.map(CoreSource.permitsLocal) ?? false)
        return SensorCoreWatch(
            connection, isAlwaysOn: address != nil, shared: shared, loop: loop, queue: queue, log: log)
    }

    private static var hasDevice: Bool {
        SensorCore.devices.contains { access("/sys/class/\(SensorCore.subsystem)/\($0)", F_OK) == 0 }
    }

    /// Handles a change of a device of ``SensorCore/subsystem``.
    func deviceChanged() { if timer == nil, Self.hasDevice { start() } }

    private func start() {
        do throws(SystemError) {
            changeTimer = try loop.timer { [unowned self] in
                isChangePending = false
                report()
            }
            timer = try loop.timer { [unowned self] in perform(connection.timerFired()) }
        } catch {
            return log.warning("\(error); the Snapdragon sensor core is not used")
        }
        shared.value = connection.list
        perform([.open])
    }

    private func perform(_ effects: [CoreConnection.Effect]) {
        var rest = effects[...]
        while let effect = rest.popFirst() {
            switch effect {
            case .open: rest += open()
            case .send(let bytes, let address):
                do throws(Errno) { try socket?.send(bytes, to: address) } catch { rest += failed(error) }
            case .wake(let seconds): if let seconds { timer?.fire(after: seconds) } else { timer?.pause() }
            case .changed:
                log.log(level: .debug, "sensor core: \(connection.list.state)")
                report()
            case .log(let text): log.warning(text)
            }
        }
        shared.value = connection.list
    }

    /// Appends the event of a change, later if there were too many.
    private func report() {
        guard !isChangePending else { return }
        let now = BootClock.now()
        if changes.take(at: now) { return queue.append(.devicesChanged) }
        isChangePending = true
        changeTimer?.fire(after: changes.wait(at: now))
    }

    private func open() -> [CoreConnection.Effect] {
        close()
        do throws(Errno) {
            let socket = try openSocket()
            self.socket = socket
            // Without it no reply arrives, and the timer opens another socket.
            input = try? loop.watch(socket.descriptor, for: .read) { [unowned self] _ in receive() }
            return connection.opened(node: socket.node)
        } catch {
            return failed(error)
        }
    }

    private func failed(_ error: Errno) -> [CoreConnection.Effect] {
        if error.code != EAGAIN { close() }
        return connection.failed(error)
    }

    private func close() { (input, socket) = (nil, nil) }

    private func receive() {
        for _ in 0..<Self.readsAtOnce {
            do throws(Errno) {
                guard let (bytes, source) = try socket?.receive() else { return }
                perform(connection.received(bytes, from: source))
            } catch {
                return perform(failed(error))
            }
        }
    }
}
