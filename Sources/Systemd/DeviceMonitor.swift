// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// Hears from udev when a device of one subsystem comes, goes or changes, after udev's rules have run.
package final class DeviceMonitor {
    private var monitor: OpaquePointer?
    private let handler: @MainActor () -> Void

    /// Starts to listen on `loop`; `handler` runs once for each event.
    package init(
        subsystem: String, on loop: EventLoop, handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.handler = handler
        let operation = "listen to udev"
        try check(sd_device_monitor_new(&monitor), operation)
        try check(
            sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil), operation)
        try check(sd_device_monitor_attach_event(monitor, loop.handle), operation)
        // Unretained: the monitor never outlives this object.
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(sd_device_monitor_start(monitor, onDevice, userdata), operation)
    }

    isolated deinit {
        sd_device_monitor_unref(monitor)
    }

    fileprivate func deviceChanged() { handler() }
}

private nonisolated func onDevice(
    _: OpaquePointer?, _: OpaquePointer?, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    guard let userdata else { return 0 }
    nonisolated(unsafe) let opaque = userdata
    MainActor.assumeIsolated {
        Unmanaged<DeviceMonitor>.fromOpaque(opaque).takeUnretainedValue().deviceChanged()
    }
    return 0
}
