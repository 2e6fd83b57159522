// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

extension HardwareFacts {
    /// Reads the facts about this machine; blocks.
    static func readingMachine() -> HardwareFacts {
        var facts = HardwareFacts()
        do { facts = try fromUdev() } catch { facts.failure = .failed("\(error)") }
        facts.isProxyRunning = UnitWatch.isRunning(DeviceWatch.sensorProxyUnit)
        return facts
    }

    private static func fromUdev() throws(SystemError) -> HardwareFacts {
        var facts = HardwareFacts()
        let isUdevRunning = access("/run/udev/control", F_OK) == 0 || !Errno.current.isAbsence
        let devices = try DeviceDatabase.devices(subsystem: "iio", properties: SensorProperty.allCases.map(\.rawValue))
        // Without a udev daemon, as in containers, no device is ever marked as processed.
        facts.processed = Set(devices.filter { $0.isInitialized || !isUdevRunning }.map(\.name))
        facts.addProperties(of: devices)
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
        addProperties(of: entries)
        inputAccelerometers = entries.map(\.name)
    }

    private mutating func addProperties(of devices: [DeviceEntry]) {
        for device in devices {
            properties[device.name] = SensorProperty.allCases.reduce(into: [:]) {
                $0[$1] = device.properties[$1.rawValue]
            }
        }
    }
}
