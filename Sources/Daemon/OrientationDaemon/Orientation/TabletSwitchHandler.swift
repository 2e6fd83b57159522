// SPDX-License-Identifier: Apache-2.0

/// The tablet switches of the machine: which are open, and when to scan for others. The device is a tablet while one of
/// them is closed, because a machine may have one that never changes.
struct TabletSwitchHandler {
    /// The open switches, by event node: whether each is closed, nil if it cannot be read.
    private var switches: [String: Bool?] = [:]
    private var scan = Scan.idle
    /// The last report.
    private var isTablet: Bool?

    private enum Scan {
        case idle
        /// `again`: input devices changed during the scan.
        case running(again: Bool)
    }

    mutating func handle(_ event: TabletSwitchEvent) -> [Effect] {
        switch event {
        case .devicesChanged: return startScan()
        case .scanned(let opened):
            switches.merge(opened) { $1 }
            guard case .running(again: true) = scan else {
                scan = .idle
                return report()
            }
            scan = .idle
            return report() + startScan()
        case .scanFailed:
            scan = .idle
            return []
        case .switched(let node, let isClosed):
            switches.updateValue(isClosed, forKey: node)
            return report()
        case .disconnected(let node):
            switches.removeValue(forKey: node)
            return [.tabletSwitches(.close(node))] + report() + startScan()
        }
    }

    private mutating func startScan() -> [Effect] {
        if case .running = scan {
            scan = .running(again: true)
            return []
        }
        scan = .running(again: false)
        return [.tabletSwitches(.scan)]
    }

    private mutating func report() -> [Effect] {
        let known = switches.values.compactMap(\.self)
        let new = known.isEmpty ? nil : known.contains(true)
        guard new != isTablet else { return [] }
        isTablet = new
        return [.raise(.tabletSwitchChanged(new))]
    }
}

enum TabletSwitchEvent {
    /// udev reported a change of an input device.
    case devicesChanged
    /// A scan has opened these event nodes in addition; with values as in ``switched(_:isClosed:)``.
    case scanned([String: Bool?])
    /// A scan could not be started. The next change of devices starts another one.
    case scanFailed
    /// The switch of an open node was read; nil if that failed.
    case switched(String, isClosed: Bool?)
    /// The device of an open node was removed.
    case disconnected(String)
}

enum TabletSwitchEffect: Equatable {
    /// Open the nodes with a tablet switch that are not open; ``TabletSwitchEvent/scanned(_:)`` or
    /// ``TabletSwitchEvent/scanFailed`` follows.
    case scan
    case close(String)
}
