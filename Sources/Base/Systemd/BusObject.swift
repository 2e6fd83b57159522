// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// An interface to export: methods without arguments or results, and read-only properties.
package struct BusInterface {
    package let name: String
    package let methods: [String]
    /// Name and a value of the type of each property.
    package let properties: [(name: String, value: BusValue)]
    /// Handles a call; the reply may follow later.
    package let answer: (BusCall) -> Void
    /// Returns the current value of a property for the caller with this unique name.
    package let read: (_ property: String, _ sender: String) -> BusValue?

    package init(
        name: String, methods: [String], properties: [(name: String, value: BusValue)],
        answer: @escaping (BusCall) -> Void, read: @escaping (_ property: String, _ sender: String) -> BusValue?
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.answer = answer
        self.read = read
    }
}

/// A received method call, kept until it is answered.
package final class BusCall {
    private let message: BusMessage

    init(_ message: consuming BusMessage) {
        self.message = message
    }

    /// The name of the method.
    package var member: String { message.member ?? "" }
    /// The unique name of the caller.
    package var sender: String { message.sender ?? "" }

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
        guard sd_bus_message_get_expect_reply(message.handle) > 0, let answer = try? BusMessage("answer", make)
        else { return }
        _ = sd_bus_send(nil, answer.handle, nil)
    }
}

/// An exported interface; releasing it withdraws it.
final class BusObject {
    private let interface: BusInterface
    private var slot: OpaquePointer?
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
    }

    deinit {
        sd_bus_slot_unref(slot)
        rows.deallocate()
        for name in names { free(name) }
    }

    private func keep(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        names.append(copy)
        return UnsafePointer(copy)
    }

    fileprivate func answer(_ message: consuming BusMessage) {
        interface.answer(BusCall(message))
    }

    fileprivate func write(_ property: String, to reply: borrowing BusMessage, for sender: String) -> Int32 {
        guard let value = interface.read(property, sender) else { return -ENOENT }
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

private let onGet: sd_bus_property_get_t = { bus, _, _, property, reply, userdata, _ in
    guard let property, let reply, let userdata else { return -EINVAL }
    let object = Unmanaged<BusObject>.fromOpaque(userdata).takeUnretainedValue()
    let sender = sd_bus_message_get_sender(sd_bus_get_current_message(bus)).map { String(cString: $0) }
    return object.write(String(cString: property), to: BusMessage(sharing: reply), for: sender ?? "")
}
