// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Support
internal import Systemd

/// The tablet switch in the hinge of a convertible: closed while the device is a tablet.
///
/// Reads only an input device that has such a switch and no keys, which is the only one that the udev rule makes
/// readable: the service must not be able to read keystrokes.
final class TabletSwitch {
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var state = TabletSwitchState()
    private var devices: DeviceMonitor?
    private var node: EventNode?
    private var pendingScan: BackgroundCall<(node: EventNode?, messages: [String])>?
    private var source: EventSource?

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
                source = nil
                node = nil
            case .report(let isTablet): queue.append(.tabletMode(isTablet))
            }
        }
    }

    /// Scans on another thread, because udev and input devices may block.
    private func scan() {
        do throws(SystemError) {
            pendingScan = try BackgroundCall(on: loop, EventNode.findTabletSwitch) { [unowned self] in
                scanned($0.node, $0.messages)
            }
        } catch {
            log.warning("tablet switch: cannot scan: \(error)")
            state.scanFailed()
        }
    }

    private func scanned(_ node: EventNode?, _ messages: [String]) {
        pendingScan = nil
        for message in messages { log.info("\(message)") }
        self.node = node
        source = node.flatMap { node in
            try? loop.watch(node.descriptor, for: .read) { [weak self] _ in self?.ready() }
        }
        perform(state.scanned(node.map { .init(isTablet: $0.isTablet) }))
    }

    private func ready() {
        guard let node else { return }
        perform(node.drain() ? state.switched(isTablet: node.isTablet) : state.disconnected())
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

    /// The udev properties that ``paths(of:)`` reads.
    static let properties = ["ID_INPUT_SWITCH"] + keyProperties
    private static let keyProperties = ["ID_INPUT_KEYBOARD", "ID_INPUT_KEY"]

    /// Returns the paths of the event nodes that have switches and no keys.
    static func paths(of entries: [DeviceEntry]) -> [String] {
        entries.filter { entry in
            entry.name.hasPrefix("event") && entry.properties["ID_INPUT_SWITCH"] == "1"
                && keyProperties.allSatisfy { entry.properties[$0] != "1" }
        }
        .map { "/dev/input/\($0.name)" }
    }
}

extension EventNode {
    /// The number of SW_TABLET_MODE in the kernel's input-event-codes.h.
    private static let tabletMode = 1

    /// Opens the first device that has the switch; returns it with messages for the log.
    fileprivate static func findTabletSwitch() -> (node: EventNode?, messages: [String]) {
        let entries =
            (try? DeviceDatabase.devices(subsystem: "input", properties: TabletSwitchState.properties)) ?? []
        var messages: [String] = []
        for path in TabletSwitchState.paths(of: entries) {
            let node: EventNode
            do throws(Errno) { node = try EventNode(path: path) } catch {
                messages.append("cannot read the switches of \(path): \(error)")
                continue
            }
            // EVIOCGBIT(EV_SW): the switches of the device.
            if node.hasBit(tabletMode, of: 0x25) == true {
                return (node, messages + ["using the tablet switch of \(path)"])
            }
        }
        return (nil, messages)
    }

    /// Whether EVIOCGSW reports the switch as closed; nil on error.
    fileprivate var isTablet: Bool? { hasBit(Self.tabletMode, of: 0x1B) }

    private func hasBit(_ bit: Int, of number: UInt) -> Bool? { bits(number).map { $0 >> bit & 1 == 1 } }
}
