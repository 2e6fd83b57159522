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

    /// Watches on `loop`, and appends each ``TabletSwitchEvent`` to `queue`.
    init(loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.log = log
        self.queue = queue
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
        }
    }

    private func scanned(_ scan: TabletSwitchScan) {
        pendingScan = nil
        if scan.failures != loggedFailures { for failure in scan.failures { log.info("\(failure)") } }
        loggedFailures = scan.failures
        for (name, node) in scan.nodes {
            log.info("using the tablet switch of \(name)")
            open[name] = OpenSwitch(node, named: name, on: loop, queue: queue)
        }
        queue.append(.tabletSwitch(.scanned(scan.nodes.mapValues { try? $0.isClosed() })))
    }
}

/// A watched node.
private final class OpenSwitch {
    private let node: SwitchNode
    private let name: String
    private let queue: EventQueue
    private var source: EventSource?
    /// Polls a switch without events.
    private var timer: EventSource?

    init(_ node: SwitchNode, named name: String, on loop: EventLoop, queue: EventQueue) {
        self.node = node
        self.name = name
        self.queue = queue
        // A hangup is reported without interest in events, too.
        source = try? loop.watch(node.descriptor, for: node.sendsEvents ? .read : []) { [weak self] ready in
            self?.read(isHungUp: ready.isHungUp)
        }
        if !node.sendsEvents { timer = try? loop.timer { [weak self] in self?.read() } }
        timer?.fire(after: SwitchNode.pollingInterval)
    }

    /// Ends the watch before the descriptor is closed: the running handler keeps the source alive.
    func close() {
        source?.pause()
        timer?.pause()
        (source, timer) = (nil, nil)
    }

    private func read(isHungUp: Bool = false) {
        timer?.fire(after: SwitchNode.pollingInterval)
        do throws(Errno) {
            let isClosed = try node.isClosed()
            append(isHungUp ? .disconnected(name) : .switched(name, isClosed: isClosed))
        } catch {
            append(error.code == ENODEV || isHungUp ? .disconnected(name) : .switched(name, isClosed: nil))
        }
    }

    private func append(_ event: TabletSwitchEvent) { queue.append(.tabletSwitch(event)) }
}

/// A search for tablet switches: the opened nodes by name, and why others cannot be used.
private struct TabletSwitchScan {
    var nodes: [String: SwitchNode] = [:]
    var failures: [String] = []

    /// Opens the event nodes with the switch that are not in `known`. Blocks.
    init(except known: Set<String>) {
        let property = DeviceWatch.switchProperty
        let devices = (try? DeviceDatabase.devices(subsystem: "input", properties: [property])) ?? []
        for device in devices where device.name.hasPrefix("event") && device.properties[property] == "1" {
            guard !known.contains(device.name), nodes.count + known.count < Self.limit else { continue }
            let attributes = InputAttributes(node: device.name)
            guard attributes.hasTabletSwitch else { continue }
            if let rejection = attributes.switchRejection {
                failures.append("tablet switch of \(device.name): not used: \(rejection)")
                continue
            }
            do throws(Errno) {
                nodes[device.name] = try SwitchNode(.tabletMode, node: device.name)
            } catch {
                failures.append("tablet switch of \(device.name): cannot open: \(error)")
            }
        }
    }

    /// The number of nodes that are opened: a convertible has one or two.
    private static let limit = 8
}
