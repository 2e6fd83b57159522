// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// An interface to export: methods without arguments or results, and read-only properties.
package struct BusInterface {
    package let name: String
    package let methods: [String]
    /// Name and a value of the type of each property.
    package let properties: [(name: String, value: BusValue)]
    /// Handles a call; the reply may follow later.
    package let answer: (BusCall) -> Void
    /// Whether a call to the object, also of another interface, is dispatched only by ``BusCall/dispatch()``. It is called
    /// again then, and directly before `read`, which cannot wait.
    package let isDeferred: (BusCall) -> Bool
    package let read: (_ property: String) -> BusValue?

    package init(
        name: String, methods: [String], properties: [(name: String, value: BusValue)],
        answer: @escaping (BusCall) -> Void, isDeferred: @escaping (BusCall) -> Bool = { _ in false },
        read: @escaping (_ property: String) -> BusValue?
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.answer = answer
        self.isDeferred = isDeferred
        self.read = read
    }
}

/// A received method call without what is not needed to answer it, kept until then.
package final class BusCall {
    private let message: BusMessage

    init(_ message: consuming BusMessage) {
        self.message = message
    }

    /// The name of the method.
    package var member: String { message.member ?? "" }
    /// The unique name of the caller.
    package var sender: String { message.sender ?? "" }
    /// Identifies the call until it is answered.
    package var id: OpaquePointer { message.handle }

    /// Whether the call is `Get` of a property, or `GetAll` of its interface or of all, and has nothing else to keep.
    package func reads(_ property: String, of interface: String) -> Bool {
        let (call, properties) = (message.handle, "org.freedesktop.DBus.Properties")
        if sd_bus_message_is_method_call(call, properties, "Get") > 0, sd_bus_message_has_signature(call, "ss") > 0 {
            return message.readString()?.hasBytes(of: interface) == true
                && message.readString()?.hasBytes(of: property) == true
        }
        return sd_bus_message_is_method_call(call, properties, "GetAll") > 0
            && sd_bus_message_has_signature(call, "s") > 0
            && message.readString().map { $0.isEmpty || $0.hasBytes(of: interface) } == true
    }

    /// Dispatches a deferred call, after those that were received before.
    package func dispatch() { sd_bus_enqueue_for_read(sd_bus_message_get_bus(message.handle), message.handle) }

    /// Sends an empty reply. A caller that has disconnected is ignored.
    package func reply() {
        let call = message.handle
        answer { sd_bus_message_new_method_return(call, $0) }
    }

    /// Sends an error reply with a name and a message.
    package func replyError(_ name: String, _ text: String) {
        let call = message.handle
        name.withCString { name in
            text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                answer { sd_bus_message_new_method_error(call, $0, &error) }
            }
        }
    }

    private func answer(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
        // Without memory for a message there is no reply, and the caller's timeout ends the call.
        guard sd_bus_message_get_expect_reply(message.handle) > 0, let answer = try? BusMessage("answer", make)
        else { return }
        _ = sd_bus_send(nil, answer.handle, nil)
    }
}

/// An exported interface; releasing it withdraws it.
final class BusObject {
    private let interface: BusInterface
    /// The calls that were deferred and not dispatched since.
    private var deferred: Set<OpaquePointer> = []
    private var slot: OpaquePointer?
    private var deferralSlot: OpaquePointer?
    /// Strings that libsystemd keeps pointers to.
    private var names: [UnsafeMutablePointer<CChar>] = []
    private let rows: UnsafeMutableBufferPointer<sd_bus_vtable>

    init(_ interface: BusInterface, at path: String, on bus: OpaquePointer) throws(SystemError) {
        self.interface = interface
        rows = .allocate(capacity: interface.methods.count + interface.properties.count + 2)
        var all = [csystemd_start_row()]
        for method in interface.methods { all.append(csystemd_method_row(keep(method), onCall)) }
        for property in interface.properties {
            all.append(csystemd_property_row(keep(property.name), keep(property.value.type), onGet))
        }
        all.append(csystemd_end_row())
        _ = rows.initialize(from: all)
        // Unretained: the slot never outlives this object.
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(
            sd_bus_add_object_vtable(bus, &slot, path, interface.name, rows.baseAddress, userdata),
            "export \(interface.name)")
        try check(sd_bus_add_object(bus, &deferralSlot, path, beforeCall, userdata), "export \(interface.name)")
    }

    deinit {
        sd_bus_slot_unref(slot)
        sd_bus_slot_unref(deferralSlot)
        rows.deallocate()
        for name in names { free(name) }
    }

    private func keep(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        names.append(copy)
        return UnsafePointer(copy)
    }

    fileprivate func answer(_ message: borrowing BusMessage) {
        // Fails without memory: the caller gets no reply.
        if let call = try? BusCall(message.reduced()) { interface.answer(call) }
    }

    /// Whether a call is answered although the queue is full: it is one of the methods, or was deferred.
    func expects(_ message: borrowing BusMessage) -> Bool {
        let call = message.handle
        return deferred.contains(call)
            || interface.methods.contains { sd_bus_message_is_method_call(call, interface.name, $0) > 0 }
    }

    fileprivate func isDeferred(_ message: consuming BusMessage) -> Bool {
        let isDispatched = deferred.remove(message.handle) != nil
        // As above.
        guard let call = isDispatched ? BusCall(message) : try? BusCall(message.reduced()) else { return true }
        let isDeferred = interface.isDeferred(call)
        if isDeferred { deferred.insert(call.id) }
        return isDeferred
    }

    fileprivate func write(_ property: String, to reply: borrowing BusMessage) -> Int32 {
        guard let value = interface.read(property) else { return -ENOENT }
        reply.append(value)
        return 1
    }
}

private let onCall: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message, let userdata else { return 0 }
    Unmanaged<BusObject>.fromOpaque(userdata).takeUnretainedValue().answer(BusMessage(sharing: message))
    // 1 means to libsystemd that the call is handled: a reply follows.
    return 1
}

private let beforeCall: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message, let userdata else { return 0 }
    let object = Unmanaged<BusObject>.fromOpaque(userdata).takeUnretainedValue()
    return object.isDeferred(BusMessage(sharing: message)) ? 1 : 0
}

private let onGet: sd_bus_property_get_t = { _, _, _, property, reply, userdata, _ in
    guard let property, let reply, let userdata else { return -EINVAL }
    let object = Unmanaged<BusObject>.fromOpaque(userdata).takeUnretainedValue()
    return object.write(String(cString: property), to: BusMessage(sharing: reply))
}
