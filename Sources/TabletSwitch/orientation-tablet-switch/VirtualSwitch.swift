// SPDX-License-Identifier: Apache-2.0

import CUinput
import Glibc
import OrientationModel
import Posix
import Systemd

/// An input device with SW_TABLET_MODE and nothing else.
///
/// libinput leaves the keyboard off if a switch disappears while it says tablet. Each removal waits until compositors have
/// read that it says laptop; a process that is killed leaves the device to the next one.
final class VirtualSwitch {
    /// How long compositors may take to read the switch, in microseconds.
    private static let readTime: UInt32 = 500_000

    static let path = "/dev/uinput"
    private static let name = "orientationd tablet switch"

    private var node: OwnedDescriptor?
    private var isTablet = false

    /// Takes over the device of a process that was killed; its switch says laptop then.
    init() {
        guard let stored = ServiceManager.storedDescriptor(), let node = try? OwnedDescriptor(stored) else { return }
        self.node = consume node
        do { try set(false) } catch { self.node = nil }
    }

    var exists: Bool { node != nil }

    /// Creates the device; its switch says laptop.
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
        self.isTablet = isTablet
    }

    func remove() {
        if isTablet {
            try? set(false)
            usleep(Self.readTime)
        }
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
