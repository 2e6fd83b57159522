// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// A connection to the system bus or another bus, attached to the event loop. Only ``callAndWait(_:timeout:)`` waits for
/// the bus; releasing it closes the connection.
package final class BusConnection {
    /// The sd_bus handle, also for tests.
    package let handle: OpaquePointer
    private var lostSlot: BusSlot?
    private var filterSlot: OpaquePointer?
    private var objects: [BusObject] = []
    private var calls: [Int: BusSlot] = [:]
    private var lastCall = 0

    /// The number of queued outgoing messages from which on the queue is full: the bus does not read, or not fast enough.
    /// 256: a change for each claim, and a reply to each of its client's calls.
    static let fullQueue: UInt64 = 256
    /// The number from which on every call is dropped, because the bus reads nothing: 2048 replies take 2 MB.
    static let longestQueue: UInt64 = 2_048
    /// The number of bytes that wait to be read from which on calls arrive faster than they are handled. 32 KiB: more than
    /// 100 calls.
    static let longestInput: Int32 = 32 << 10
    /// The longest path and string of a call, in bytes: libsystemd repeats them in errors. 4096: no path or property has
    /// more than 100.
    static let longestText = 4_096

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
            from: "org.freedesktop.DBus.Local", "interface='org.freedesktop.DBus.Local',member='Disconnected'"
        ) { _ in lost() }
        // Unretained: the slot never outlives this object.
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(sd_bus_add_filter(handle, &filterSlot, beforeDispatch, userdata), "filter the calls of the bus")
    }

    /// Connects as `sd_bus_open_system` does, but accepts no file descriptors: no method has any, and closing a passed
    /// descriptor can block the loop for a time that the caller chose (`SO_LINGER`). The bus refuses such calls.
    private static func open(_ address: String?) throws(SystemError) -> OpaquePointer {
        var handle: OpaquePointer?
        let operation = "connect to \(address ?? "the system bus")"
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
        sd_bus_slot_unref(filterSlot)
        sd_bus_close_unref(handle)
    }

    package func export(_ interface: BusInterface, at path: String) throws(SystemError) {
        objects.append(try BusObject(interface, at: path, on: handle))
    }

    /// Subscribes to the signals of `sender` that match `rule`; `handler` also receives the bus's refusal. `sender` is the bus
    /// or a unique name.
    ///
    /// The bus applies rules to broadcasts only, and libsystemd lets every client send for a well-known name: the sender is
    /// compared here, because any client can address a signal to this connection.
    package func watch(
        from sender: String, _ rule: String, _ handler: @escaping (borrowing BusMessage) -> Void
    ) throws(SystemError) -> BusSlot {
        let slot = BusSlot { message in if message.error != nil || message.isSent(by: sender) { handler(message) } }
        try slot.attach("subscribe on the bus") { pointer, userdata in
            let rule = "type='signal',sender='\(sender)',\(rule)"
            return sd_bus_add_match_async(handle, pointer, rule, BusSlot.run, BusSlot.runIfRefused, userdata)
        }
        return slot
    }

    /// The number of messages that the bus has not read.
    private var queued: UInt64 {
        var count: UInt64 = 0
        // It fails for a connection of another process only.
        sd_bus_get_n_queued_write(handle, &count)
        return count
    }

    /// Whether messages that replace each other can be sent; otherwise the newest one waits at the caller.
    package var hasRoom: Bool { queued < Self.fullQueue }

    /// The number of bytes that wait to be read.
    private var input: Int32 {
        var count: Int32 = 0
        _ = ioctl(sd_bus_get_fd(handle), UInt(FIONREAD), &count)
        return count
    }

    /// Whether a call is neither dispatched nor answered: its error would repeat a long text; or more calls arrive than can be
    /// answered, and it is neither a method of an exported interface nor a deferred call.
    func drops(_ call: borrowing BusMessage) -> Bool {
        let queued = queued
        if queued >= Self.longestQueue || call.hasText(longerThan: Self.longestText) { return true }
        return (queued >= Self.fullQueue || input >= Self.longestInput) && !objects.contains { $0.expects(call) }
    }

    /// Creates a method call without arguments.
    package func newCall(
        to destination: String, _ path: String, _ interface: String, _ member: String
    ) throws(SystemError) -> BusMessage {
        try BusMessage("call \(interface).\(member)") {
            sd_bus_message_new_method_call(handle, $0, destination, path, interface, member)
        }
    }

    /// The name of the bus itself.
    package static let driver = "org.freedesktop.DBus"
    /// The rule for signals of the bus about a name.
    package static func rule(about name: String) -> String {
        "path='/org/freedesktop/DBus',interface='\(driver)',arg0='\(name)'"
    }

    /// Creates a call of the bus itself about a name.
    package func newDriverCall(_ member: String, about name: String) throws(SystemError) -> BusMessage {
        let call = try newCall(to: Self.driver, "/org/freedesktop/DBus", Self.driver, member)
        call.append(.string(name))
        return call
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

    package func sendPropertiesChanged(
        of interface: String, at path: String, _ changes: [(name: String, value: BusValue)], to client: String
    ) throws(SystemError) {
        let signal = try BusMessage("send over the bus") {
            sd_bus_message_new_signal(handle, $0, path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
        }
        signal.append(.string(interface))
        signal.append(changes)
        signal.within("a", "s") {}
        try check(sd_bus_send_to(handle, signal.handle, client, nil), "send over the bus")
    }
}

private let beforeDispatch: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message, let userdata, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
    let bus = Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
    // 1 means to libsystemd that the call is handled.
    return bus.drops(BusMessage(sharing: message)) ? 1 : 0
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
