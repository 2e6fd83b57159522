// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// An accelerometer in this machine's sysfs.
struct LocalSensor {
    /// The lookup key of udev's hardware database.
    let match: SensorMatch

    /// The subsystems of parents whose modalias is used, as in systemd's 60-sensor.rules.
    private static let buses: Set<String> = ["usb", "i2c", "platform"]

    /// Finds the device with this id, such as `iio:device0`; nil if there is none that udev's rules match.
    init?(id: String, in system: SystemRoot) {
        // Other ids, such as `fake:`, do not belong to this machine.
        guard id.hasPrefix("iio:device"), !id.contains("/") else { return nil }
        guard let device = system.realPath("\(Self.folder)/\(id)") else { return nil }
        guard let modalias = Self.modalias(above: device) else { return nil }
        match = SensorMatch(
            label: SystemRoot.this.line("\(device)/label"), modalias: modalias,
            dmi: system.line("/sys/class/dmi/id/modalias"))
    }

    /// Finds the only device with this name; nil if there is none or more than one.
    init?(name: String, in system: SystemRoot) {
        let ids = system.entries(Self.folder).filter { system.line("\(Self.folder)/\($0)/name") == name }
        guard ids.count == 1 else { return nil }
        self.init(id: ids[0], in: system)
    }

    private static let folder = SensorAttributes.devices

    /// Returns the modalias of the nearest parent on one of the buses. `device` is a resolved path, in which the
    /// folder of each device is in that of its parent.
    private static func modalias(above device: String) -> String? {
        let system = SystemRoot.this
        var path = device[...]
        while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = path[..<slash]
            if let bus = system.linkName("\(path)/subsystem"), buses.contains(bus) {
                return system.line("\(path)/modalias") ?? ""
            }
        }
        return nil
    }
}
