// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Posix

/// The kernel's support for industrial I/O.
struct KernelFacts: Hashable {
    var release = ""
    var hasBus = false
    /// Whether `/lib/modules` has a directory for the running release.
    var hasModules = false
    /// Whether the module industrialio is in that directory or built in.
    var offersBus = false
    var isContainer = false
}

/// A device without a driver that an accelerometer driver matches, or that firmware names as a chip of a sensor maker.
struct DriverlessDevice: Hashable {
    /// The name on its bus, for example `i2c-KIOX010A:00`.
    var name: String
    /// `acpi`, `hid`, `i2c`, `platform` or `spi`.
    var bus: String
    /// The drivers that match it; none if this kernel has no driver.
    var modules: [String]
    /// The loaded ones of these modules.
    var loaded: Set<String> = []
}

extension DriverlessDevice {
    /// How makers of accelerometers begin their chips' names in ACPI: Bosch, Freescale, InvenSense, Kionix, Memsic, MiraMEMS,
    /// Sensortek and STMicroelectronics.
    private static let makers = [
        "BMA", "BMI", "BOSC", "BSBA", "MMA", "FXOS", "INVN", "ICM", "KIOX", "KXCJ", "KXTJ", "MXC", "DUAL250E",
        "NSA2513",
        "STK8", "LIS", "LSM", "SMO8", "SMO9",
    ]

    /// Whether the modalias is that of firmware's name for a chip of a sensor maker.
    static func isSensor(_ modalias: String) -> Bool { makers.contains { modalias.hasPrefix("acpi:\($0)") } }
}

/// The modules of a kernel that drive accelerometers, and the devices that they match, from depmod's tables.
struct DriverTable {
    /// A modalias pattern with `*`, `?` and `[…]`, and its module.
    private let rows: [(pattern: String, module: String)]

    /// Parses `modules.dep`, whose paths show the kind of driver, and `modules.alias`.
    init(dependencies: String, aliases: String) {
        let paths = dependencies.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        let modules = Set(paths.filter(Self.isAccelerometerDriver).map(Self.moduleName))
        rows = aliases.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "alias", modules.contains(String(words[2])) else { return nil }
            return (String(words[1]), String(words[2]))
        }
    }

    func modules(for modalias: String) -> [String] {
        var found: [String] = []
        for row in rows where !found.contains(row.module) && fnmatch(row.pattern, modalias, 0) == 0 {
            found.append(row.module)
        }
        return found
    }

    /// Accelerometer drivers are in iio/accel, combined chips in iio/imu; a sensor hub is an input driver.
    private static func isAccelerometerDriver(_ path: Substring) -> Bool {
        path.contains("/iio/accel/") || path.contains("/iio/imu/") || moduleName(path) == "hid_sensor_hub"
    }

    private static func moduleName(_ path: Substring) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 })
    }
}

/// The state of udev and of the daemon's rule.
struct UdevFacts: Hashable {
    /// Whether `/run/udev/control` exists.
    var isRunning = false
    /// The path of the rule; nil if it is not installed.
    var rule: String?
    /// Whether the rule is empty, which disables it.
    var isRuleMasked = false

    /// The file name of the rule in udev's directories.
    static let ruleName = "70-orientationd.rules"
}

/// The entry of one device in udev's database.
struct UdevRecord: Hashable {
    private(set) var properties: [String: String] = [:]
    private(set) var tags: Set<String> = []
    /// Whether udev has run its rules for the device.
    private(set) var isProcessed = false

    /// Parses the kernel's `uevent` file and udev's database entry, which takes precedence; nil without an entry.
    init(uevent: String, database: String? = nil) {
        for line in uevent.split(separator: "\n") { take(line) }
        guard let database else { return }
        for line in database.split(separator: "\n") {
            switch line.prefix(2) {
            case "E:": take(line.dropFirst(2))
            case "G:", "Q:": tags.insert(String(line.dropFirst(2)))
            case "I:": isProcessed = true
            default: break
            }
        }
    }

    /// The properties that state something about a sensor.
    var sensorProperties: [SensorProperty: String] {
        let stated = SensorProperty.allCases.compactMap { name in properties[name.rawValue].map { (name, $0) } }
        return Dictionary(uniqueKeysWithValues: stated)
    }

    private mutating func take(_ line: Substring) {
        guard let (name, value) = line.assignment else { return }
        properties[name] = value
        if name == "TAGS" { tags.formUnion(value.split(separator: ":").map(String.init)) }
    }
}
