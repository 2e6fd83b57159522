// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// Watches the tablet switches in the hinges of convertibles, and appends ``Event/tabletSwitchChanged(_:)``. The device is a
/// tablet while one of them is closed, because a machine may have one that never changes.
///
/// The service must not be able to read keystrokes: see ``SwitchNode``.
final class TabletSwitches {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var devices: DeviceMonitor?
    /// By event node.
    private var open: [String: OpenSwitch] = [:]
    private var scan: BackgroundCall<TabletSwitchScan>?
    /// Whether input devices changed during the scan.
    private var isScanWanted = false
    /// The nodes that the last scan could not use: each change of any input device causes a scan.
    private var loggedFailures: [String] = []
    /// The next scan after one that could not read everything.
    private var retry: EventSource?
    private var backoff = ExponentialBackoff.sensorRetry
    /// The last report.
    private var isTablet: Bool?

    init(loop: EventLoop, queue: EventQueue, log: Logger) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.queue = queue
        retry = try loop.timer { [unowned self] in startScan() }
        devices = log.attempt(
            { try DeviceMonitor(subsystem: "input", on: loop) { [unowned self] in startScan() } },
            otherwise: "a tablet switch connected later is not detected")
        startScan()
    }

    /// Returns what switches say together: true while the device is a tablet; nil if none can be read.
    static func mode(of switches: some Sequence<Bool?>) -> Bool? {
        let known = switches.compactMap(\.self)
        return known.isEmpty ? nil : known.contains(true)
    }

    private func report() {
        let new = Self.mode(of: open.values.map(\.isClosed))
        guard new != isTablet else { return }
        isTablet = new
        queue.append(.tabletSwitchChanged(new))
    }

    /// Scans on another thread, because udev and input devices may block.
    private func startScan() {
        guard scan == nil else { return isScanWanted = true }
        isScanWanted = false
        let known = Set(open.keys)
        do throws(SystemError) {
            scan = try BackgroundCall(on: loop) {
                TabletSwitchScan(except: known)
            } done: { [unowned self] in
                scanned($0)
            }
        } catch {
            log.warning("tablet switch: cannot scan: \(error)")
            retry?.fire(after: backoff.next())
        }
    }

    private func scanned(_ found: TabletSwitchScan) {
        scan = nil
        if found.failures != loggedFailures { for failure in found.failures { log.info("\(failure)") } }
        loggedFailures = found.failures
        if found.isIncomplete { retry?.fire(after: backoff.next()) } else { backoff.reset() }
        for (name, node) in found.nodes {
            log.info("using the tablet switch of \(name)")
            open[name] = OpenSwitch(node, on: loop) { [unowned self] isRemoved in changed(name, isRemoved: isRemoved) }
        }
        report()
        if isScanWanted { startScan() }
    }

    private func changed(_ name: String, isRemoved: Bool) {
        if isRemoved { open.removeValue(forKey: name)?.close() }
        report()
        if isRemoved { startScan() }
    }
}

/// A watched node.
private final class OpenSwitch {
    /// Nil if it cannot be read.
    private(set) var isClosed: Bool?
    private let node: SwitchNode
    private let changed: (_ isRemoved: Bool) -> Void
    private var source: EventSource?
    /// Polls a switch without events, and reads one again that could not be read.
    private var timer: EventSource?
    private var failures = ReadingFailures()

    /// `changed` is called after each reading, and when the device was removed.
    init(_ node: SwitchNode, on loop: EventLoop, changed: @escaping (_ isRemoved: Bool) -> Void) {
        self.node = node
        self.changed = changed
        // If EVIOCGSW fails now, the timer repeats it.
        isClosed = try? node.isClosed()
        // A hangup is reported without interest in events, too. If the loop cannot watch the node, it is polled.
        source = try? loop.watch(node.descriptor, for: node.sendsEvents ? .read : []) { [weak self] ready in
            self?.read(isHungUp: ready.isHungUp)
        }
        // The loop has timers already: only memory may lack for another one.
        timer = try? loop.timer { [weak self] in self?.read() }
        timer?.fire(after: SwitchNode.pollingInterval)
    }

    /// Ends the watch before the descriptor is closed: properties are released in their order.
    func close() {
        (source, timer) = (nil, nil)
    }

    private func read(isHungUp: Bool = false) {
        if !node.sendsEvents || source == nil { timer?.fire(after: SwitchNode.pollingInterval) }
        do throws(Errno) {
            isClosed = try node.isClosed()
            failures.succeeded(at: MonotonicClock.now())
            changed(isHungUp)
        } catch {
            if error.code == ENODEV || isHungUp { return changed(true) }
            let pause = failures.pause(after: "\(error)", at: MonotonicClock.now())
            timer?.fire(after: pause ?? SwitchNode.pollingInterval)
            guard pause == nil else { return }
            isClosed = nil
            changed(false)
        }
    }
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
