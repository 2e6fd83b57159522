// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Systemd

extension HardwareFacts {
    /// What udev's database says now of this machine's IIO devices.
    static func fromUdev() throws(SystemError) -> HardwareFacts {
        var facts = HardwareFacts()
        // Without a udev daemon no device is ever marked as processed, and nobody is to be waited for.
        let isUdevRunning = access("/run/udev/control", F_OK) == 0
        for entry in try DeviceDatabase.devices(subsystem: "iio", properties: Property.allCases.map(\.rawValue)) {
            if isUdevRunning, !entry.isInitialized { facts.pending.insert(entry.name) }
            for property in Property.allCases {
                facts.properties[entry.name, default: [:]][property] = entry.properties[property.rawValue]
            }
        }
        return facts
    }
}
