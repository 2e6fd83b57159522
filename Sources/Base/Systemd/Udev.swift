// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// A device in udev's database.
package struct DeviceEntry: Sendable {
    /// The kernel's device name, for example `iio:device0`.
    package let name: String
    /// Whether udev has run its rules for the device; until then the properties are incomplete.
    package let isInitialized: Bool
    /// The requested properties that are set.
    package let properties: [String: String]

    package init(name: String, isInitialized: Bool, properties: [String: String]) {
        self.name = name
        self.isInitialized = isInitialized
        self.properties = properties
    }
}

/// udev's database. Reading it may block: not for use on the event loop.
package enum DeviceDatabase {
    /// Returns the devices of a subsystem with those of `properties` that are set.
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

    /// Returns those of `names` that are set for a device; nil if there is no such device.
    package static func properties(of name: String, subsystem: String, _ names: [String]) -> [String: String]? {
        var device: OpaquePointer?
        guard sd_device_new_from_subsystem_sysname(&device, subsystem, name) >= 0, let device else { return nil }
        defer { sd_device_unref(device) }
        return entry(of: device, properties: names)?.properties
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

/// Watches a subsystem for added, removed and changed devices, after udev has run its rules.
package final class DeviceMonitor {
    private var monitor: OpaquePointer?
    private let property: String?
    private let handler: () -> Void

    /// Starts watching on `loop`; `handler` is called once per event. With `property` only devices that have it count.
    package init(
        subsystem: String, having property: String? = nil, on loop: EventLoop,
        handler: @escaping () -> Void
    ) throws(SystemError) {
        self.property = property
        self.handler = handler
        let operation = "watch udev events"
        try check(sd_device_monitor_new(&monitor), operation)
        try check(
            sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil), operation)
        try check(sd_device_monitor_attach_event(monitor, loop.handle), operation)
        // Unretained: the monitor never outlives this object.
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(sd_device_monitor_start(monitor, onDevice, userdata), operation)
    }

    deinit {
        sd_device_monitor_unref(monitor)
    }

    fileprivate func deviceChanged(_ device: OpaquePointer?) {
        var value: UnsafePointer<CChar>?
        if let property, sd_device_get_property_value(device, property, &value) < 0 { return }
        handler()
    }
}

private func onDevice(
    _: OpaquePointer?, device: OpaquePointer?, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    guard let userdata else { return 0 }
    Unmanaged<DeviceMonitor>.fromOpaque(userdata).takeUnretainedValue().deviceChanged(device)
    return 0
}
