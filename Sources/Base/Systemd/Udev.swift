// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// A device in udev's database.
package struct DeviceEntry: Sendable {
    /// The kernel's device name, for example `iio:device0`.
    package let name: String
    /// Whether udev has run its rules for the device; until then the properties are incomplete.
    package let isInitialized: Bool
    /// The requested properties that are set.
    package let properties: [String: String]
}

/// udev's database. Reading it may block: not for use on the event loop.
package enum DeviceDatabase {
    /// Returns the devices of a subsystem; of `properties`, the ones that are set.
    ///
    /// Not by sd_device_enumerator(3), which returns no device if it cannot read a folder.
    package static func devices(
        subsystem: String, properties: [String]
    ) throws(SystemError) -> [DeviceEntry] {
        var entries: [DeviceEntry] = []
        for name in try names(subsystem) {
            if let entry = try entry(of: name, subsystem, properties) { entries.append(entry) }
        }
        return entries
    }

    /// Returns the `names` that are set for a device; nil if there is no such device.
    package static func properties(
        of name: String, subsystem: String, _ names: [String]
    ) throws(SystemError) -> [String: String]? {
        try entry(of: name, subsystem, names)?.properties
    }

    /// Returns the names of the devices of a subsystem; none without the subsystem.
    private static func names(_ subsystem: String) throws(SystemError) -> [String] {
        for folder in ["/sys/bus/\(subsystem)/devices", "/sys/class/\(subsystem)"] {
            do throws(Errno) { return try Folder.names(in: folder) } catch {
                if !error.isAbsence { throw SystemError(operation: "list \(folder)", code: error.code) }
            }
        }
        return []
    }

    private static func entry(
        of name: String, _ subsystem: String, _ properties: [String]
    ) throws(SystemError) -> DeviceEntry? {
        let operation = "read udev's database about \(name)"
        var device: OpaquePointer?
        let code = sd_device_new_from_subsystem_sysname(&device, subsystem, name)
        if code == -ENODEV { return nil }
        try check(code, operation)
        defer { sd_device_unref(device) }
        var found: [String: String] = [:]
        for property in properties {
            var value: UnsafePointer<CChar>?
            let code = sd_device_get_property_value(device, property, &value)
            if code != -ENOENT { try check(code, operation) }
            found[property] = value.map { String(cString: $0) }
        }
        let isInitialized = try check(sd_device_get_is_initialized(device), operation) > 0
        return DeviceEntry(name: name, isInitialized: isInitialized, properties: found)
    }
}

/// Watches subsystems for added, removed and changed devices, after udev has run its rules.
package final class DeviceMonitor {
    private var monitor: OpaquePointer?
    private let property: String?
    private let handler: () -> Void

    /// Starts watching on `loop`; `handler` is called once per event. With `property` only devices that have it count.
    package init(
        subsystem: String, also other: String? = nil, having property: String? = nil, on loop: EventLoop,
        handler: @escaping () -> Void
    ) throws(SystemError) {
        self.property = property
        self.handler = handler
        let operation = "watch udev events"
        try check(sd_device_monitor_new(&monitor), operation)
        for subsystem in [subsystem, other].compactMap(\.self) {
            try check(sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil), operation)
        }
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
        if let property, sd_device_get_property_value(device, property, &value) == -ENOENT { return }
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
