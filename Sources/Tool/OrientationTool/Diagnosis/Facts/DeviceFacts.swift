// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// An IIO accelerometer, from its sysfs files.
package struct DeviceFacts: Hashable, Sendable {
    /// The kernel's device name, for example `iio:device0`.
    package var id: String
    /// The kernel driver; nil if there is none.
    package var driver: String?
    /// The module of the driver; nil if it is built in.
    package var module: String?
    /// The sysfs files by path relative to the device's directory, for example `buffer/enable`.
    package var attributes: [String: Attribute]
    package var udev: UdevRecord
    /// The node in /dev; nil if there is none.
    package var node: FileAccess?
    package var readings = Readings()

    package init(
        id: String, driver: String? = nil, attributes: [String: Attribute] = [:],
        udev: UdevRecord = UdevRecord(uevent: "")
    ) {
        self.id = id
        self.driver = driver
        self.attributes = attributes
        self.udev = udev
    }

    /// A sysfs file.
    package struct Attribute: Hashable, Sendable {
        /// The text without the line ending; nil if it was not read or cannot be.
        package var text: String?
        /// The error on reading, as a message; nil if reading was not tried.
        package var failure: String?
        package var access: FileAccess

        package init(
            text: String?, failure: String? = nil, access: FileAccess = FileAccess(mode: 0o644, user: 0, group: 0)
        ) {
            self.text = text
            self.failure = failure
            self.access = access
        }
    }

    /// The results of several consecutive readings.
    package struct Readings: Hashable, Sendable {
        /// Raw readings along the sensor's own x, y and z.
        package var vectors: [[Double]] = []
        /// The file that could not be read, with the error.
        package var failure: String?
        /// Whether the error was EBUSY, because another program captures.
        package var isBusy = false
        /// Whether the error was missing permission.
        package var isRefused = false
        /// The longest duration of one file, in seconds.
        package var longest = 0.0

        package init() {}
    }
}

// MARK: Values of the files

extension DeviceFacts {
    /// The axes.
    package static let axes = ["x", "y", "z"]

    package func text(_ name: String) -> String? { attributes[name]?.text }

    /// The device's own name.
    package var name: String { text("name") ?? id }

    /// The device's directory, for commands.
    var folder: String { "/sys/bus/iio/devices/\(id)" }

    /// The name in messages.
    var title: String { name == id ? id : "\(id) (\(name))" }

    package var isAccelerometer: Bool { missingAxes.count < Self.axes.count }

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
package struct MountFacts: Hashable, Sendable {
    /// The matrix; nil if no source has one.
    package var matrix: MountMatrix?
    /// The source of the matrix; nil if there is none.
    package var source: String?
    /// Sources with an invalid matrix, with the errors.
    package var invalid: [Invalid] = []

    package struct Invalid: Hashable, Sendable {
        package var source: String
        package var reason: String
    }

    /// The name of the udev source.
    static let property = "udev ACCEL_MOUNT_MATRIX"
}

extension DeviceFacts {
    /// The mount matrix, and the sources with invalid ones.
    package var mount: MountFacts {
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
