// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// What udev knows of a device.
package struct DeviceEntry: Sendable {
    /// The kernel's name, for example `iio:device0`.
    package let name: String
    /// Whether udev has run its rules for it: until then the properties are not all there.
    package let isInitialized: Bool
    /// The properties that were asked for and are set.
    package let properties: [String: String]
}

/// udev's database.
package enum DeviceDatabase {
    /// The devices of a subsystem with those of `properties` that are set.
    package static func devices(
        subsystem: String, properties: [String]
    ) throws(SystemError) -> [DeviceEntry] {
        var enumerator: OpaquePointer?
        try check(sd_device_enumerator_new(&enumerator), "list devices")
        defer { sd_device_enumerator_unref(enumerator) }
        try check(sd_device_enumerator_add_match_subsystem(enumerator, subsystem, 1), "list devices")
        try check(sd_device_enumerator_allow_uninitialized(enumerator), "list devices")

        var entries: [DeviceEntry] = []
        var device = sd_device_enumerator_get_device_first(enumerator)
        while let found = device {
            if let entry = entry(of: found, properties: properties) { entries.append(entry) }
            device = sd_device_enumerator_get_device_next(enumerator)
        }
        return entries
    }

    private static func entry(of device: OpaquePointer, properties: [String]) -> DeviceEntry? {
        var name: UnsafePointer<CChar>?
        guard sd_device_get_sysname(device, &name) >= 0, let name else { return nil }
        var found: [String: String] = [:]
        for property in properties {
            var value: UnsafePointer<CChar>?
            if sd_device_get_property_value(device, property, &value) >= 0, let value {
                found[property] = String(cString: value)
            }
        }
        return DeviceEntry(
            name: String(cString: name), isInitialized: sd_device_get_is_initialized(device) > 0,
            properties: found)
    }
}
