// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which modules of a kernel drive accelerometers, and for which devices: read from the tables that depmod writes.
package struct DriverTable: Sendable {
    /// A pattern for a device's modalias, with `*`, `?` and `[…]`, and the module that takes such devices.
    private let rows: [(pattern: String, module: String)]

    /// Reads `modules.dep`, whose paths say what kind of driver a module is, and `modules.alias`.
    package init(dependencies: String, aliases: String) {
        let paths = dependencies.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        let modules = Set(paths.filter(Self.isAccelerometerDriver).map(Self.moduleName))
        rows = aliases.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "alias", modules.contains(String(words[2])) else { return nil }
            return (String(words[1]), String(words[2]))
        }
    }

    /// The modules that claim a device with this modalias.
    package func modules(for modalias: String) -> [String] {
        var found: [String] = []
        for row in rows where !found.contains(row.module) && fnmatch(row.pattern, modalias, 0) == 0 {
            found.append(row.module)
        }
        return found
    }

    /// Accelerometers have a folder of their own; chips that also measure rotation are among the inertial units, and a
    /// hub of sensors is a driver for input devices.
    private static func isAccelerometerDriver(_ path: Substring) -> Bool {
        path.contains("/iio/accel/") || path.contains("/iio/imu/") || moduleName(path) == "hid_sensor_hub"
    }

    private static func moduleName(_ path: Substring) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 })
    }
}
