// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

extension HardwareFacts {
    /// Reads the facts about this machine, besides those of the sensor core; blocks.
    static func readingMachine(core: CoreList?) -> HardwareFacts {
        var facts = HardwareFacts()
        do {
            facts = try fromUdev()
            if let core { try facts.addCore(core) }
        } catch {
            facts.failure = .failed("\(error)")
        }
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

    /// Adds the sensors of the sensor core; the properties of all are those of its DSP.
    private mutating func addCore(_ core: CoreList) throws(SystemError) {
        self.core = core
        guard !core.sensors.isEmpty else { return }
        for device in SensorCoreWatch.devices {
            let found = try DeviceDatabase.properties(
                of: device, subsystem: "misc", SensorProperty.allCases.map(\.rawValue))
            guard let found else { continue }
            for sensor in core.sensors {
                for property in SensorProperty.allCases {
                    properties[sensor.id, default: [:]][property] = found[property.rawValue]
                }
            }
            return
        }
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
