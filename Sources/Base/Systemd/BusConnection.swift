// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// A connection to the system bus or another bus, attached to the event loop. Only ``callAndWait(_:timeout:)`` waits for
/// the bus; releasing it closes the connection.
package final class BusConnection {
    let handle: OpaquePointer
    private var lostSlot: BusSlot?
    private var objects: [BusObject] = []
    /// Pending calls.
    private var calls: [Int: BusSlot] = [:]
    private var lastCall = 0

    /// The limit on queued outgoing messages, for a bus that does not read: hundreds of clients with a few changes
    /// each. libsystemd's own limit is 65536.
    static let longestQueue: UInt64 = 2_048

    /// Connects to the system bus, or to the bus at `address`. `lost` is called when the connection has ended or could
    /// not be made, and releases it.
    package init(
        on loop: EventLoop, address: String? = nil, lost: @escaping () -> Void
    ) throws(SystemError) {
        handle = try Self.open(address)
        // Otherwise libsystemd waits at the end of the loop until the bus has read everything.
        sd_bus_set_close_on_exit(handle, 0)
        try check(sd_bus_attach_event(handle, loop.handle, 0), "connect to the system bus")
        lostSlot = try watch(
            "type='signal',sender='org.freedesktop.DBus.Local',interface='org.freedesktop.DBus.Local',"
                + "member='Disconnected'"
        ) { _ in lost() }
    }

    /// Connects as `sd_bus_open_system` does, but accepts no file descriptors: no method has any, and closing a passed
    /// descriptor can block the loop for a time that the caller chose (`SO_LINGER`). The bus refuses such calls.
    private static func open(_ address: String?) throws(SystemError) -> OpaquePointer {
        var handle: OpaquePointer?
        let operation = "connect to the system bus"
        try check(sd_bus_new(&handle), operation)
        guard let handle else { throw SystemError(operation: operation, code: ENOMEM) }
        do throws(SystemError) {
            let address = address ?? Environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? standardAddress
            try check(sd_bus_set_address(handle, address), operation)
            try check(sd_bus_set_bus_client(handle, 1), operation)
            try check(sd_bus_negotiate_fds(handle, 0), operation)
            try check(sd_bus_start(handle), operation)
        } catch {
            sd_bus_unref(handle)
            throw error
        }
        return handle
    }

    /// The default address of the system bus.
    private static let standardAddress = "unix:path=/run/dbus/system_bus_socket"

    deinit {
        calls = [:]
        objects = []
        lostSlot = nil
        sd_bus_close_unref(handle)
    }

    /// Exports an interface on an object.
    package func export(_ interface: BusInterface, at path: String) throws(SystemError) {
        objects.append(try BusObject(interface, at: path, on: handle))
    }

    /// Subscribes to the messages that match `rule`; `handler` also receives the bus's refusal.
    package func watch(
        _ rule: String, _ handler: @escaping (borrowing BusMessage) -> Void
    ) throws(SystemError) -> BusSlot {
        let slot = BusSlot(handler)
        try slot.attach("subscribe on the bus") { pointer, userdata in
            sd_bus_add_match_async(handle, pointer, rule, BusSlot.run, BusSlot.runIfRefused, userdata)
        }
        return slot
    }

    /// Creates a method call without arguments.
    package func newCall(
        to destination: String, _ path: String, _ interface: String, _ member: String
    ) throws(SystemError) -> BusMessage {
        try BusMessage("call \(interface).\(member)") {
            sd_bus_message_new_method_call(handle, $0, destination, path, interface, member)
        }
    }

    /// Sends a call; `reply` receives the reply, or an error after `seconds`.
    package func call(
        _ message: borrowing BusMessage, timeout seconds: Double,
        reply: @escaping (borrowing BusMessage) -> Void
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

    /// Sends a call and waits for the reply, at most this many seconds; throws for an error reply. Use only before the loop
    /// runs.
    package func callAndWait(_ message: borrowing BusMessage, timeout seconds: Double) throws(SystemError) -> BusMessage
    {
        let message = message.handle
        return try BusMessage("call over the bus") {
            sd_bus_call(handle, message, UInt64(seconds * 1_000_000), nil, $0)
        }
    }

    /// Sends PropertiesChanged to one client.
    package func sendPropertiesChanged(
        of interface: String, at path: String, _ changes: [(name: String, value: BusValue)], to client: String
    ) throws(SystemError) {
        var queued: UInt64 = 0
        try check(sd_bus_get_n_queued_write(handle, &queued), "send over the bus")
        guard queued < Self.longestQueue else { throw SystemError(operation: "send over the bus", code: ENOBUFS) }
        let signal = try BusMessage("send over the bus") {
            sd_bus_message_new_signal(handle, $0, path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
        }
        signal.append(.string(interface))
        signal.append(changes)
        signal.within("a", "s") {}
        try check(sd_bus_send_to(handle, signal.handle, client, nil), "send over the bus")
    }
}

/// A pending call or a subscription; releasing it ends it.
package final class BusSlot {
    private let handler: (borrowing BusMessage) -> Void
    private var pointer: OpaquePointer?

    init(_ handler: @escaping (borrowing BusMessage) -> Void) {
        self.handler = handler
    }

    deinit {
        sd_bus_slot_unref(pointer)
    }

    /// Passes libsystemd the pointers to its slot and to this object.
    func attach(
        _ operation: String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) {
        // Unretained: the slot never outlives this object, whose deinit removes it.
        try check(add(&pointer, Unmanaged.passUnretained(self).toOpaque()), operation)
    }

    /// Calls the handler from libsystemd's callback, on the loop's thread.
    static let run: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        // A strong reference: the handler may release the last one.
        let slot = Unmanaged<BusSlot>.fromOpaque(userdata).takeUnretainedValue()
        slot.handler(BusMessage(sharing: message))
        return 0
    }

    /// Calls the handler for the bus's reply to a subscription, if it is a refusal.
    static let runIfRefused: sd_bus_message_handler_t = { message, userdata, error in
        sd_bus_message_get_error(message) == nil ? 0 : run(message, userdata, error)
    }
}
