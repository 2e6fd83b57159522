// SPDX-License-Identifier: Apache-2.0

import CUinput
import Glibc
import OrientationModel
import Posix
import Systemd

/// An input device with SW_TABLET_MODE and nothing else.
///
/// A process that is killed leaves the device to the next one.
final class VirtualSwitch {
    static let path = "/dev/uinput"
    private static let name = "orientationd tablet switch"

    private var node: OwnedDescriptor?

    /// Takes over the device of a process that was killed; its switch reports laptop then.
    init() {
        guard let stored = ServiceManager.storedDescriptor(), let node = try? OwnedDescriptor(stored) else { return }
        self.node = consume node
        do { try set(false) } catch { remove() }
    }

    var exists: Bool { node != nil }

    /// Creates the device; its switch reports laptop.
    func create() throws(Errno) {
        let node = try OwnedDescriptor(opening: Self.path, O_WRONLY | O_NONBLOCK)
        guard uinput_create_tablet_switch(node.number, Self.name, InputAttributes.ownTabletSwitch) == 0 else {
            throw .current
        }
        ServiceManager.store(node.number)
        self.node = consume node
    }

    func set(_ isTablet: Bool) throws(Errno) {
        guard uinput_set_tablet_switch(node?.number ?? -1, isTablet ? 1 : 0) == 0 else { throw .current }
    }

    func remove() {
        ServiceManager.store(nil)
        node = nil
    }

    /// Returns the name of another device with a tablet switch; nil without one.
    static func findOther() -> String? {
        let nodes = ((try? Folder.names(in: "/sys/class/input")) ?? []).filter { $0.hasPrefix("event") }.sorted()
        for node in nodes {
            let device = InputAttributes(
                node: node, line: { SmallFile.line($0) }, names: { (try? Folder.names(in: $0)) ?? [] })
            if device.hasTabletSwitch { return "\(node) (\(device.name ?? "without a name"))" }
        }
        return nil
    }
}
