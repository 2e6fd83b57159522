// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// The tablet switch in the hinge of a convertible: closed while the device is a tablet.
///
/// The service must not be able to read keystrokes: see ``SwitchNode``.
final class TabletSwitch {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var state = TabletSwitchState()
    private var devices: DeviceMonitor?
    private var node: SwitchNode?
    private var pendingScan: BackgroundCall<TabletSwitchScan>?
    private var source: EventSource?
    /// Polls a switch without events.
    private var timer: EventSource?
    /// The messages of the last scan: each change of any input device may cause a scan.
    private var logged: [String] = []

    /// Watches on `loop`, and appends ``Event/tabletMode(_:)`` to `queue` for each change.
    init(loop: EventLoop, queue: EventQueue, log: Logger) {
        self.loop = loop
        self.log = log
        self.queue = queue
        do {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { [weak self] in
                guard let self else { return }
                perform(state.devicesChanged())
            }
        } catch {
            log.warning("\(error); a tablet switch connected later is not detected")
        }
        perform(state.devicesChanged())
    }

    private func perform(_ actions: [TabletSwitchState.Action]) {
        for action in actions {
            switch action {
            case .scan: scan()
            case .close:
                // End the watch before the descriptor is closed: the running handler keeps the source alive.
                source?.pause()
                timer?.pause()
                (source, timer, node) = (nil, nil, nil)
            case .report(let isTablet): queue.append(.tabletMode(isTablet))
            }
        }
    }

    /// Scans on another thread, because udev and input devices may block.
    private func scan() {
        do throws(SystemError) {
            pendingScan = try BackgroundCall(on: loop, TabletSwitchScan.init) { [unowned self] in scanned($0) }
        } catch {
            log.warning("tablet switch: cannot scan: \(error)")
            state.scanFailed()
        }
    }

    private func scanned(_ scan: TabletSwitchScan) {
        pendingScan = nil
        if scan.messages != logged { for message in scan.messages { log.info("\(message)") } }
        logged = scan.messages
        node = scan.node
        guard let node else { return perform(state.scanned(nil)) }
        // A hangup is reported without interest in events, too.
        source = try? loop.watch(node.descriptor, for: node.sendsEvents ? .read : []) { [weak self] ready in
            self?.read(isHungUp: ready.isHungUp)
        }
        if !node.sendsEvents { timer = try? loop.timer { [weak self] in self?.read() } }
        timer?.fire(after: SwitchNode.pollingInterval)
        perform(state.scanned(.init(isTablet: try? node.isClosed())))
    }

    private func read(isHungUp: Bool = false) {
        guard let node else { return }
        timer?.fire(after: SwitchNode.pollingInterval)
        do throws(Errno) {
            let isTablet = try node.isClosed()
            perform(isHungUp ? state.disconnected() : state.switched(isTablet: isTablet))
        } catch {
            perform(error.code == ENODEV || isHungUp ? state.disconnected() : state.switched(isTablet: nil))
        }
    }
}

/// The state machine of ``TabletSwitch``: when to scan, and what to report. Events in, actions out.
struct TabletSwitchState {
    enum Action: Equatable {
        /// Scan the input devices, and call ``scanned(_:)`` or ``scanFailed()``.
        case scan
        /// Close the device.
        case close
        /// Report whether the device is a tablet; nil without a switch.
        case report(Bool?)
    }

    /// A device with a tablet switch, which the scan opened.
    struct Device {
        /// Whether the switch is closed; nil if it cannot be read.
        let isTablet: Bool?
    }

    private enum Phase {
        case idle
        /// `again`: input devices changed during the scan.
        case scanning(again: Bool)
        case open
    }

    private var phase = Phase.idle
    /// The last report.
    private var isTablet: Bool?

    /// Input devices changed. An open device remains in use.
    mutating func devicesChanged() -> [Action] {
        switch phase {
        case .idle:
            phase = .scanning(again: false)
            return [.scan]
        case .scanning:
            phase = .scanning(again: true)
            return []
        case .open: return []
        }
    }

    /// The scan ended; nil without a device that has a tablet switch.
    mutating func scanned(_ device: Device?) -> [Action] {
        if let device {
            phase = .open
            return report(device.isTablet)
        }
        guard case .scanning(again: true) = phase else {
            phase = .idle
            return []
        }
        phase = .scanning(again: false)
        return [.scan]
    }

    /// The scan could not be started. The next change of devices starts another one.
    mutating func scanFailed() { phase = .idle }

    /// The switch of the open device changed.
    mutating func switched(isTablet: Bool?) -> [Action] { report(isTablet) }

    /// The open device was disconnected.
    mutating func disconnected() -> [Action] {
        phase = .scanning(again: false)
        return [.close] + report(nil) + [.scan]
    }

    private mutating func report(_ new: Bool?) -> [Action] {
        guard new != isTablet else { return [] }
        isTablet = new
        return [.report(new)]
    }
}

/// A search for a tablet switch: the open node, and messages for the log.
private struct TabletSwitchScan {
    var node: SwitchNode?
    var messages: [String] = []

    /// Opens the first event node with the switch that can be opened. Blocks.
    init() {
        let property = DeviceWatch.switchProperty
        let devices = (try? DeviceDatabase.devices(subsystem: "input", properties: [property])) ?? []
        for device in devices where device.name.hasPrefix("event") && device.properties[property] == "1" {
            let attributes = InputAttributes(node: device.name)
            guard attributes.has(.tabletMode) else { continue }
            if let rejection = InputSwitch.rejection(keys: attributes.keys) {
                messages.append("tablet switch of \(device.name): not used: \(rejection)")
                continue
            }
            do throws(Errno) {
                node = try SwitchNode(.tabletMode, node: device.name)
                messages.append("using the tablet switch of \(device.name)")
                return
            } catch {
                messages.append("tablet switch of \(device.name): cannot open: \(error)")
            }
        }
    }
}
