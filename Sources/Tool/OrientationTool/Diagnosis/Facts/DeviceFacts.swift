// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// An IIO accelerometer, from its sysfs files.
struct DeviceFacts: Hashable {
    /// The kernel's device name, for example `iio:device0`.
    var id: String
    /// The kernel driver; nil if there is none.
    var driver: String?
    /// The module of the driver; nil if it is built in.
    var module: String?
    /// The sysfs files by path relative to the device's directory, for example `buffer/enable`.
    var attributes: [String: Attribute] = [:]
    var udev: UdevRecord = UdevRecord(uevent: "")
    /// The node in /dev; nil if there is none.
    var node: FileAccess?
    var readings = Readings()

    /// A sysfs file.
    struct Attribute: Hashable {
        /// The text without the line ending; nil if it was not read or cannot be.
        var text: String?
        /// The error on reading, as a message; nil if reading was not tried.
        var failure: String?
        var access: FileAccess = FileAccess(mode: 0o644, user: 0, group: 0)
    }

    /// The results of several consecutive readings.
    struct Readings: Hashable {
        /// Raw readings along the sensor's own x, y and z.
        var vectors: [[Double]] = []
        /// The file that could not be read, with the error.
        var failure: String?
        /// Whether the error was EBUSY, because another program captures.
        var isBusy = false
        /// Whether the error was missing permission.
        var isRefused = false
        /// The longest duration of one file, in seconds.
        var longest = 0.0
    }
}

// MARK: Values of the files

extension DeviceFacts {
    /// The axes.
    static let axes = ["x", "y", "z"]

    func text(_ name: String) -> String? { attributes[name]?.text }

    /// The device's own name.
    var name: String { text("name") ?? id }

    /// The device's directory, for commands.
    var folder: String { "/sys/bus/iio/devices/\(id)" }

    /// The name in messages.
    var title: String { name == id ? id : "\(id) (\(name))" }

    var isAccelerometer: Bool { missingAxes.count < Self.axes.count }

    /// The axes without a raw attribute and a scan element.
    var missingAxes: [String] {
        Self.axes.filter { axis in
            attributes["in_accel_\(axis)_raw"] == nil && attributes["scan_elements/in_accel_\(axis)_en"] == nil
        }
    }

    /// Whether it has a buffer with all axes.
    var hasBuffer: Bool {
        attributes["buffer/enable"] != nil
            && Self.axes.allSatisfy { attributes["scan_elements/in_accel_\($0)_en"] != nil }
    }

    /// Whether the buffer is enabled.
    var isCaptured: Bool { text("buffer/enable") == "1" }

    /// Whether the sensor is a HID hub, whose vectors have the opposite sign.
    var isHub: Bool { driver?.hasPrefix("hid_sensor_accel") == true || name == "accel_3d" }

    /// Returns the scale in m/s² per raw unit; nil if unknown.
    func scale(_ axis: String) -> Double? {
        number("in_accel_\(axis)_scale") ?? number("in_accel_scale") ?? number("scale")
    }

    /// Returns the offset in raw units, added before scaling.
    func offset(_ axis: String) -> Double {
        number("in_accel_\(axis)_offset") ?? number("in_accel_offset") ?? 0
    }

    private func number(_ attribute: String) -> Double? {
        text(attribute).flatMap { Double($0) }
    }

    /// The location, and the invalid udev value if there is one.
    var location: (name: String, invalid: String?) {
        let property = udev.properties["ACCEL_LOCATION"]
        let name = SensorLocation.first(property: property, label: text("label"), attribute: text("location"))
        return (name, property.flatMap { SensorLocation.properties.contains($0) ? nil : $0 })
    }
}

/// The source of a device's mount matrix: the first source with a valid matrix, as in the daemon.
struct MountFacts: Hashable {
    /// The matrix; nil if no source has one.
    var matrix: MountMatrix?
    /// The source of the matrix; nil if there is none.
    var source: String?
    /// Sources with an invalid matrix, with the errors.
    var invalid: [Invalid] = []

    struct Invalid: Hashable {
        var source: String
        var reason: String
    }

    /// The name of the udev source.
    static let property = "udev ACCEL_MOUNT_MATRIX"
}

extension DeviceFacts {
    /// The mount matrix, and the sources with invalid ones.
    var mount: MountFacts {
        let places: [(source: String, text: String?)] = [
            (MountFacts.property, udev.properties["ACCEL_MOUNT_MATRIX"]),
            ("mount_matrix", text("mount_matrix")),
            ("in_accel_mount_matrix", text("in_accel_mount_matrix") ?? text("in_accel_x_mount_matrix")),
            ("in_mount_matrix", text("in_mount_matrix")),
        ]
        var facts = MountFacts()
        for (source, text) in places {
            guard let text else { continue }
            do throws(MountMatrixError) {
                facts.matrix = try MountMatrix(parsing: text)
                facts.source = source
                return facts
            } catch {
                facts.invalid.append(.init(source: source, reason: error.description))
            }
        }
        return facts
    }
}
