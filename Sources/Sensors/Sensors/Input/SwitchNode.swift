// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
package import Posix

/// An event node that is read for one switch. The node may have keys, too: the kernel is requested to send events of
/// switches only: no key reaches the process. Where it cannot, no event is read, and the switch is polled.
package final class SwitchNode: Sendable {
    private let node: EventNode
    private let input: InputSwitch
    /// Whether ``descriptor`` becomes readable for each change; else ``isClosed()`` must be called every
    /// ``pollingInterval``.
    package let sendsEvents: Bool

    /// The interval between readings of a switch without events, in seconds.
    package static let pollingInterval = 1.0

    package var descriptor: Int32 { node.descriptor }

    /// Opens an event node, such as `event4`.
    package init(_ input: InputSwitch, node name: String) throws(Errno) {
        node = try EventNode(path: "/dev/input/\(name)")
        self.input = input
        sendsEvents = node.limitEvents(to: EventNode.Event.toggle)
    }

    /// Reads the switch.
    ///
    /// - Throws: ``Errno``: ENODEV if the device was removed.
    package func isClosed() throws(Errno) -> Bool {
        // First: a change after this is a new event.
        if sendsEvents, !node.drain() { throw Errno(ENODEV) }
        // EVIOCGSW: the states of the switches.
        guard let states = node.bits(0x1B) else { throw .current }
        return states >> input.rawValue & 1 == 1
    }
}
