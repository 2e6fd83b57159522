// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A connection to the system bus, on the loop. Nothing here waits for the bus; letting go of it closes the connection.
package final class BusConnection {
    let handle: OpaquePointer
    private var lostSlot: BusSlot?
    private var objects: [BusObject] = []
    /// Calls that have not been answered yet.
    private var calls: [Int: BusSlot] = [:]
    private var lastCall = 0

    /// How many messages may wait for a bus that takes none: hundreds of clients told a few changes. libsystemd itself
    /// would keep 65536.
    static let longestQueue: UInt64 = 2_048

    /// Connects; `lost` hears when the connection has ended or could not be made after all, and lets go of it then.
    package init(on loop: EventLoop, lost: @escaping @MainActor () -> Void) throws(SystemError) {
        var handle: OpaquePointer?
        try check(sd_bus_open_system_with_description(&handle, "orientationd"), "connect to the system bus")
        guard let handle else { throw SystemError(operation: "connect to the system bus", code: ENOMEM) }
        self.handle = handle
        // At the end of the loop libsystemd would wait until the bus has taken everything.
        sd_bus_set_close_on_exit(handle, 0)
        try check(sd_bus_attach_event(handle, loop.handle, 0), "connect to the system bus")
        lostSlot = try watch(
            "type='signal',sender='org.freedesktop.DBus.Local',interface='org.freedesktop.DBus.Local',"
                + "member='Disconnected'"
        ) { _ in lost() }
    }

    isolated deinit {
        calls = [:]
        objects = []
        lostSlot = nil
        sd_bus_close_unref(handle)
    }

    /// Offers an interface on an object.
    package func export(_ interface: BusInterface, at path: String) throws(SystemError) {
        objects.append(try BusObject(interface, at: path, on: handle))
    }

    /// Hears the messages that fit `rule`, and the bus's refusal to send them.
    package func watch(
        _ rule: String, _ handler: @escaping @MainActor (borrowing BusMessage) -> Void
    ) throws(SystemError) -> BusSlot {
        let slot = BusSlot(handler)
        try slot.attach("listen on the bus") { pointer, userdata in
            sd_bus_add_match_async(handle, pointer, rule, BusSlot.run, BusSlot.runIfRefused, userdata)
        }
        return slot
    }

    /// A call to be filled in and made.
    package func newCall(
        to destination: String, _ path: String, _ interface: String, _ member: String
    ) throws(SystemError) -> BusMessage {
        try BusMessage("call \(interface).\(member)") {
            sd_bus_message_new_method_call(handle, $0, destination, path, interface, member)
        }
    }

    /// Makes a call; `reply` hears its answer, or the error that there was none within `seconds`.
    package func call(
        _ message: borrowing BusMessage, patience seconds: Double,
        reply: @escaping @MainActor (borrowing BusMessage) -> Void
    ) throws(SystemError) {
        lastCall += 1
        let slot = BusSlot { [unowned self, lastCall] message in
            calls[lastCall] = nil
            reply(message)
        }
        let message = message.handle
        try slot.attach("call over the bus") { pointer, userdata in
            sd_bus_call_async(handle, pointer, message, BusSlot.run, userdata, UInt64(seconds * 1_000_000))
        }
        calls[lastCall] = slot
    }

    /// Tells one client alone that properties have changed.
    package func tellChanges(
        of interface: String, at path: String, _ changes: [(name: String, value: BusValue)], to client: String
    ) throws(SystemError) {
        var waiting: UInt64 = 0
        try check(sd_bus_get_n_queued_write(handle, &waiting), "send over the bus")
        guard waiting < Self.longestQueue else { throw SystemError(operation: "send over the bus", code: ENOBUFS) }
        let signal = try BusMessage("send over the bus") {
            sd_bus_message_new_signal(handle, $0, path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
        }
        signal.append(.string(interface))
        signal.append(changes)
        signal.within("a", "s") {}
        try check(sd_bus_send_to(handle, signal.handle, client, nil), "send over the bus")
    }
}
