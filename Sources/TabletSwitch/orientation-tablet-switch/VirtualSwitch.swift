// SPDX-License-Identifier: Apache-2.0

import CUinput
import Glibc
import OrientationModel
import Posix

/// An input device with SW_TABLET_MODE and nothing else.
///
/// A second process, the guardian, reports laptop before the device disappears if this one ends without ``remove()``, or hangs
/// when systemd ends the unit.
final class VirtualSwitch {
    static let path = "/dev/uinput"
    static let inputs = "/sys/class/input"
    private static let name = "orientationd tablet switch"

    private var node: OwnedDescriptor?
    /// nil without a device, and when the guardian has ended by itself.
    private var guardian: pid_t?

    /// Creates the device; its switch reports laptop.
    func create() throws(Errno) {
        let node = try OwnedDescriptor(opening: Self.path, O_WRONLY | O_NONBLOCK)
        guard uinput_create_tablet_switch(node.number, Self.name, InputAttributes.ownTabletSwitch) == 0 else {
            throw .current
        }
        let guardian = uinput_fork_guardian(node.number)
        guard guardian > 0 else { throw .current }
        self.guardian = guardian
        self.node = consume node
    }

    func set(_ isTablet: Bool) throws(Errno) {
        guard uinput_set_tablet_switch(node?.number ?? -1, isTablet ? 1 : 0) == 0 else { throw .current }
    }

    /// Reports laptop and removes the device. Blocks for half a second, in which the program has nothing else to do.
    func remove() {
        guard let number = node?.number else { return }
        uinput_prepare_removal(number)
        if let guardian {
            kill(guardian, SIGKILL)
            waitpid(guardian, nil, 0)
        }
        guardian = nil
        node = nil
    }

    /// Returns true once if the guardian has ended before ``remove()``.
    func reapLostGuardian() -> Bool {
        guard let guardian, waitpid(guardian, nil, WNOHANG) != 0 else { return false }
        self.guardian = nil
        return true
    }

    /// Returns the name of another device with a tablet switch; nil without one. Throws if that is not known.
    static func findOther() throws(Errno) -> String? {
        do throws(Errno) {
            for node in try Folder.names(in: inputs) where node.hasPrefix("event") {
                func line(_ file: String) throws(Errno) -> String {
                    let path = "\(inputs)/\(node)/device/\(file)"
                    return SmallFile.firstLine(of: try SmallFile.contents(path, atMost: 512)[...])
                }
                let device = InputAttributes(switches: try line("capabilities/sw"), path: try line("phys"))
                if device.hasTabletSwitch { return "\(node) (\(try line("name")))" }
            }
        } catch {
            // There are none, or one was removed meanwhile, whose event follows.
            if ![ENOENT, ENODEV].contains(error.code) { throw error }
        }
        return nil
    }
}
