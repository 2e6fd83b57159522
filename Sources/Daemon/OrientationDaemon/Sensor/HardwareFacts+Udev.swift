// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensors
internal import Systemd

extension HardwareFacts {
    /// Reads the facts about this machine, without properties if udev's database cannot be read; blocks.
    static func readingMachine(log: Logger) -> HardwareFacts {
        var facts = HardwareFacts()
        do {
            facts = try fromUdev()
        } catch {
            log.warning("\(error); properties in udev's database are ignored")
        }
        facts.isProxyRunning = UnitWatch.isRunning(DeviceWatch.sensorProxyUnit)
        return facts
    }

    private static func fromUdev() throws(SystemError) -> HardwareFacts {
        var facts = HardwareFacts()
        // Without a udev daemon no device is ever marked as processed: none is pending.
        let isUdevRunning = access("/run/udev/control", F_OK) == 0
        for entry in try DeviceDatabase.devices(subsystem: "iio", properties: SensorProperty.allCases.map(\.rawValue)) {
            if isUdevRunning, !entry.isInitialized { facts.pending.insert(entry.name) }
            for property in SensorProperty.allCases {
                facts.properties[entry.name, default: [:]][property] = entry.properties[property.rawValue]
            }
        }
        try facts.addInputDevices()
        return facts
    }

    /// Adds the event nodes that udev lists as accelerometers or as switches.
    private mutating func addInputDevices() throws(SystemError) {
        let names = SensorProperty.allCases.map(\.rawValue) + [DeviceWatch.inputProperty, DeviceWatch.switchProperty]
        let nodes = try DeviceDatabase.devices(subsystem: "input", properties: names)
            .filter { $0.name.hasPrefix("event") }.sortedByNumber(\.name)
        inputSwitches = nodes.filter { $0.properties[DeviceWatch.switchProperty] == "1" }.map(\.name)
        let entries = nodes.filter { $0.properties[DeviceWatch.inputProperty] == "1" }
        for entry in entries {
            for property in SensorProperty.allCases {
                properties[entry.name, default: [:]][property] = entry.properties[property.rawValue]
            }
        }
        inputAccelerometers = entries.map(\.name)
    }
}
