// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A value of a basic D-Bus type.
package enum BusValue: Equatable, Sendable {
    case string(String)
    case boolean(Bool)
    case double(Double)
    case unsigned(UInt32)
    case signed(Int32)

    /// The type code in signatures.
    var type: String {
        switch self {
        case .string: "s"
        case .boolean: "b"
        case .double: "d"
        case .unsigned: "u"
        case .signed: "i"
        }
    }
}

/// A D-Bus message; releasing it releases libsystemd's.
///
/// A failed append makes the message unusable, which is reported when it is sent: single steps are not checked.
package struct BusMessage: ~Copyable {
    package let handle: OpaquePointer

    /// Shares a message of a callback.
    init(sharing handle: OpaquePointer) {
        self.handle = sd_bus_message_ref(handle)
    }

    /// Owns the message that `make` creates.
    init(
        _ operation: String, _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(SystemError) {
        var handle: OpaquePointer?
        try check(make(&handle), operation)
        guard let handle else { throw SystemError(operation: operation, code: ENOMEM) }
        self.handle = handle
    }

    deinit {
        sd_bus_message_unref(handle)
    }

    /// The unique name of the sender, as `:1.42`.
    package var sender: String? { sd_bus_message_get_sender(handle).map { String(cString: $0) } }

    /// Whether the sender has this unique name, or is the bus with this name.
    func isSent(by name: String) -> Bool { sd_bus_message_get_sender(handle).map { strcmp($0, name) == 0 } ?? false }

    /// Whether the path or one of the strings at the beginning has more than `limit` bytes. Interfaces and members have at most
    /// 255.
    func hasText(longerThan limit: Int) -> Bool {
        defer { sd_bus_message_rewind(handle, 1) }
        var text = sd_bus_message_get_path(handle)
        repeat {
            if let text, strlen(text) > limit { return true }
        } while sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "s")), &text) > 0
        return false
    }

    /// The name of the method or signal.
    package var member: String? { sd_bus_message_get_member(handle).map { String(cString: $0) } }

    /// The name and the text of an error reply; nil for other messages.
    package var error: (name: String, text: String)? {
        guard let error = sd_bus_message_get_error(handle), let name = error.pointee.name else { return nil }
        return (String(cString: name), error.pointee.message.map { String(cString: $0) } ?? "")
    }
}

/// Reading, from the first argument on; each method returns nil for another type.
extension BusMessage {
    package func readString() -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "s")), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    package func readUnsigned() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "u")), &number) > 0 ? number : nil
    }

    package func readBoolean() -> Bool? {
        // libsystemd stores a C int.
        var number: Int32 = 0
        return sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "b")), &number) > 0 ? number != 0 : nil
    }

    /// Enters a structure with this signature; returns whether there was one.
    package func enterStructure(_ contents: String) -> Bool {
        sd_bus_message_enter_container(handle, CChar(UInt8(ascii: "r")), contents) > 0
    }
}

extension BusMessage {
    /// Returns a copy of a received call with what is needed to read its first strings and to reply. A call that is kept must
    /// not keep what its sender added: dbus-broker forwards header fields of megabytes.
    func reduced() throws(SystemError) -> BusMessage {
        let call = handle
        let copy = try BusMessage("copy a call") {
            sd_bus_message_new_method_call(
                sd_bus_message_get_bus(call), $0, sd_bus_message_get_destination(call), sd_bus_message_get_path(call),
                sd_bus_message_get_interface(call), sd_bus_message_get_member(call))
        }
        while let text = readString() { copy.append(.string(text)) }
        sd_bus_message_rewind(call, 1)
        sd_bus_message_set_sender(copy.handle, sd_bus_message_get_sender(call))
        sd_bus_message_set_expect_reply(copy.handle, sd_bus_message_get_expect_reply(call))
        var cookie: UInt64 = 0
        sd_bus_message_get_cookie(call, &cookie)
        try check(sd_bus_message_seal(copy.handle, cookie, 0), "copy a call")
        sd_bus_message_rewind(copy.handle, 1)
        return copy
    }
}

/// Writing.
extension BusMessage {
    package func append(_ value: BusValue) {
        switch value {
        case .string(let text):
            _ = text.withCString { sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "s")), $0) }
        case .boolean(let isTrue):
            var number: Int32 = isTrue ? 1 : 0
            _ = sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "b")), &number)
        case .double(var number):
            _ = sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "d")), &number)
        case .unsigned(var number):
            _ = sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "u")), &number)
        case .signed(var number):
            _ = sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "i")), &number)
        }
    }

    /// Appends a dictionary `a{sv}`.
    package func append(_ entries: [(name: String, value: BusValue)]) {
        within("a", "{sv}") {
            for entry in entries {
                within("e", "sv") {
                    append(.string(entry.name))
                    within("v", entry.value.type) { append(entry.value) }
                }
            }
        }
    }

    /// Appends a container with the contents written by `body`: `a`rray, st`r`ucture, dictionary `e`ntry or `v`ariant.
    package func within(_ container: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
        _ = sd_bus_message_open_container(handle, CChar(UInt8(ascii: container)), contents)
        body()
        _ = sd_bus_message_close_container(handle)
    }
}
