// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// The open event nodes with a tablet switch, in the hinge of a convertible. Performs the effects of
/// ``TabletSwitchHandler``.
///
/// The service must not be able to read keystrokes: see ``SwitchNode``.
final class TabletSwitches {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var devices: DeviceMonitor?
    private var open: [String: OpenSwitch] = [:]
    private var pendingScan: BackgroundCall<TabletSwitchScan>?
    /// The nodes that the last scan could not use: each change of any input device causes a scan.
    private var loggedFailures: [String] = []
    /// The next scan after one that could not read everything.
    private let retry: EventSource
    private var backoff = ExponentialBackoff.sensorRetry

    /// Watches on `loop`, and appends each ``TabletSwitchEvent`` to `queue`.
    init(loop: EventLoop, queue: EventQueue, log: Logger) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.queue = queue
        retry = try loop.timer { queue.append(.tabletSwitch(.devicesChanged)) }
        do {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { queue.append(.tabletSwitch(.devicesChanged)) }
        } catch {
            log.warning("\(error); a tablet switch connected later is not detected")
        }
        queue.append(.tabletSwitch(.devicesChanged))
    }

    func perform(_ effect: TabletSwitchEffect) {
        switch effect {
        case .scan: scan()
        case .close(let node): open.removeValue(forKey: node)?.close()
        }
    }

    /// Scans on another thread, because udev and input devices may block.
    private func scan() {
        let known = Set(open.keys)
        do throws(SystemError) {
            pendingScan = try BackgroundCall(on: loop) {
                TabletSwitchScan(except: known)
            } done: { [unowned self] scan in
                scanned(scan)
            }
        } catch {
            log.warning("tablet switch: cannot scan: \(error)")
            queue.append(.tabletSwitch(.scanFailed))
            retry.fire(after: backoff.next())
        }
    }

    private func scanned(_ scan: TabletSwitchScan) {
        pendingScan = nil
        if scan.failures != loggedFailures { for failure in scan.failures { log.info("\(failure)") } }
        loggedFailures = scan.failures
        if scan.isIncomplete { retry.fire(after: backoff.next()) } else { backoff.reset() }
        for (name, node) in scan.nodes {
            log.info("using the tablet switch of \(name)")
            open[name] = OpenSwitch(node, named: name, on: loop, queue: queue)
        }
        // If EVIOCGSW fails now, the timer of the open switch repeats it.
        queue.append(.tabletSwitch(.scanned(scan.nodes.mapValues { try? $0.isClosed() })))
    }
}

/// A watched node.
private final class OpenSwitch {
    private let node: SwitchNode
    private let name: String
    private let queue: EventQueue
    private var source: EventSource?
    /// Polls a switch without events, and reads one again that could not be read.
    private var timer: EventSource?
    private var failures = ReadingFailures()

    init(_ node: SwitchNode, named name: String, on loop: EventLoop, queue: EventQueue) {
        self.node = node
        self.name = name
        self.queue = queue
        // A hangup is reported without interest in events, too. If the loop cannot watch the node, it is polled.
        source = try? loop.watch(node.descriptor, for: node.sendsEvents ? .read : []) { [weak self] ready in
            self?.read(isHungUp: ready.isHungUp)
        }
        // The loop has timers already: only memory may lack for another one.
        timer = try? loop.timer { [weak self] in self?.read() }
        timer?.fire(after: SwitchNode.pollingInterval)
    }

    /// Ends the watch before the descriptor is closed: the running handler keeps the source alive.
    func close() {
        source?.pause()
        timer?.pause()
        (source, timer) = (nil, nil)
    }

    private func read(isHungUp: Bool = false) {
        if !node.sendsEvents || source == nil { timer?.fire(after: SwitchNode.pollingInterval) }
        do throws(Errno) {
            let isClosed = try node.isClosed()
            failures.succeeded(at: MonotonicClock.now())
            append(isHungUp ? .disconnected(name) : .switched(name, isClosed: isClosed))
        } catch {
            if error.code == ENODEV || isHungUp { return append(.disconnected(name)) }
            let pause = failures.pause(after: "\(error)", at: MonotonicClock.now())
            timer?.fire(after: pause ?? SwitchNode.pollingInterval)
            if pause == nil { append(.switched(name, isClosed: nil)) }
        }
    }

    private func append(_ event: TabletSwitchEvent) { queue.append(.tabletSwitch(event)) }
}

/// A search for tablet switches: the opened nodes by name, and why others cannot be used.
private struct TabletSwitchScan {
    var nodes: [String: SwitchNode] = [:]
    var failures: [String] = []
    /// Whether another scan may find more: something could not be read now.
    private(set) var isIncomplete = false

    /// Opens the event nodes with the switch that are not in `known`. Blocks.
    init(except known: Set<String>) {
        let property = DeviceWatch.switchProperty
        let devices: [DeviceEntry]
        do throws(SystemError) {
            devices = try DeviceDatabase.devices(subsystem: "input", properties: [property])
        } catch {
            add("\(error)", of: "this machine", mayPass: true)
            return
        }
        for name in devices.filter({ $0.properties[property] == "1" }).map(\.name) where name.hasPrefix("event") {
            guard !known.contains(name), nodes.count + known.count < Self.limit else { continue }
            do {
                let attributes = try InputAttributes(node: name)
                guard attributes.hasTabletSwitch else { continue }
                if let rejection = attributes.switchRejection {
                    add("not used: \(rejection)", of: name)
                } else {
                    nodes[name] = try SwitchNode(.tabletMode, node: name)
                }
            } catch {
                let isLasting = (error as? Errno).map { $0.isDenial || $0.isRemoval } ?? false
                add("cannot open: \(error)", of: name, mayPass: !isLasting)
            }
        }
    }

    private mutating func add(_ failure: String, of device: String, mayPass: Bool = false) {
        failures.append("tablet switch of \(device): \(failure)")
        isIncomplete = isIncomplete || mayPass
    }

    /// The number of nodes that are opened: a convertible has one or two.
    private static let limit = 8
}
