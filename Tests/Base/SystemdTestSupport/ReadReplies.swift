// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
package import Systemd

extension BusMessage {
    /// Reads a variant that holds a string; nil for other types.
    package func readVariantString() -> String? {
        guard sd_bus_message_enter_container(handle, CChar(UInt8(ascii: "v")), "s") > 0 else { return nil }
        defer { sd_bus_message_exit_container(handle) }
        return readString()
    }

    /// Reads a dictionary `a{sv}`; omits the values of other types than string.
    package func readStringDictionary() -> [String: String] {
        var entries: [String: String] = [:]
        guard sd_bus_message_enter_container(handle, CChar(UInt8(ascii: "a")), "{sv}") > 0 else { return entries }
        while sd_bus_message_enter_container(handle, CChar(UInt8(ascii: "e")), "sv") > 0 {
            if let key = readString() {
                entries[key] = readVariantString()
                if entries[key] == nil { sd_bus_message_skip(handle, "v") }
            }
            sd_bus_message_exit_container(handle)
        }
        return entries
    }
}

extension BusConnection {
    /// The name that the bus gave to the connection, after its first reply.
    package var uniqueName: String {
        var name: UnsafePointer<CChar>?
        sd_bus_get_unique_name(handle, &name)
        return name.map { String(cString: $0) } ?? ""
    }
}
