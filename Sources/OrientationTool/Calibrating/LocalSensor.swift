// SPDX-License-Identifier: Apache-2.0

import Calibration

/// An accelerometer of this machine, as sysfs shows it.
struct LocalSensor {
    /// What udev looks it up by.
    let match: SensorMatch

    /// The subsystems of the parents whose modalias counts, as systemd's 60-sensor.rules has them.
    private static let buses: Set<String> = ["usb", "i2c", "platform"]

    /// The device of this id, such as `iio:device0`; nil where the machine has none that udev's rules would match.
    init?(id: String, in system: SystemRoot) {
        // An id of another source, as `ip:board/iio:device0` or `fake:poses`, is none of this machine's.
        guard id.hasPrefix("iio:device"), !id.contains("/") else { return nil }
        guard let device = system.realPath("\(Self.folder)/\(id)") else { return nil }
        guard let modalias = Self.modalias(above: device) else { return nil }
        match = SensorMatch(
            label: SystemRoot.this.line("\(device)/label"), modalias: modalias,
            dmi: system.line("/sys/class/dmi/id/modalias"))
    }

    /// The one device of this name; nil where there is none, or more than one.
    init?(name: String, in system: SystemRoot) {
        let ids = system.entries(Self.folder).filter { system.line("\(Self.folder)/\($0)/name") == name }
        guard ids.count == 1 else { return nil }
        self.init(id: ids[0], in: system)
    }

    private static let folder = "/sys/bus/iio/devices"

    /// The device is where it really is: only there does a folder stand in its parent's.
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
