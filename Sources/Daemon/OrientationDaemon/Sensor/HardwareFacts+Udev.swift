// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

extension HardwareFacts {
    /// Reads the facts about this machine, besides those of the sensor core; blocks. A failing read is a fact.
    static func readingMachine(
        core: CoreList?, machine: () throws(SystemError) -> HardwareFacts = fromUdev,
        properties: () throws(SystemError) -> [SensorProperty: String] = coreProperties
    ) -> HardwareFacts {
        var facts = HardwareFacts()
        do throws(SystemError) { facts = try machine() } catch { facts.failure = .failed("\(error)") }
        facts.core = core
        if let sensors = core?.sensors, !sensors.isEmpty {
            do throws(SystemError) {
                let found = try properties()
                for sensor in sensors { facts.properties[sensor.id] = found }
            } catch {
                facts.coreFailure = .failed("\(error)")
            }
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

    /// The properties of all sensors of the sensor core: those of its DSP.
    private static func coreProperties() throws(SystemError) -> [SensorProperty: String] {
        for device in SensorCore.devices {
            let found = try DeviceDatabase.properties(
                of: device, subsystem: SensorCore.subsystem, SensorProperty.allCases.map(\.rawValue))
            if let found { return SensorProperty.allCases.reduce(into: [:]) { $0[$1] = found[$1.rawValue] } }
        }
        return [:]
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
