// SPDX-License-Identifier: Apache-2.0

/// One accelerometer of the industrial-I/O subsystem, as its files are.
package struct DeviceFacts: Hashable, Sendable {
    /// The kernel's name for it, for example `iio:device0`.
    package var id: String
    /// The kernel driver behind it; nil where there is none to be seen.
    package var driver: String?
    /// The module that the driver is in; nil where it is built in.
    package var module: String?
    /// Its files in sysfs by their names below the device's folder, for example `buffer/enable`.
    package var attributes: [String: Attribute]
    package var udev: UdevRecord
    /// The node in /dev; nil where it has none.
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

    /// A file of sysfs.
    package struct Attribute: Hashable, Sendable {
        /// What it reads, without the new line; nil where it was not read, or cannot be.
        package var text: String?
        /// Why it cannot be read, for a person; nil where nobody tried.
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

    /// What the chip answered when it was asked several times in a row.
    package struct Readings: Hashable, Sendable {
        /// Raw numbers along the sensor's own x, y and z.
        package var vectors: [[Double]] = []
        /// The file that could not be read, and why.
        package var failure: String?
        /// Whether that was because somebody captures from the device.
        package var isBusy = false
        /// Whether that was because the examiner may not read.
        package var isRefused = false
        /// The longest time that one file took, in seconds.
        package var longest = 0.0

        package init() {}
    }
}

// MARK: What the files mean

extension DeviceFacts {
    /// The files of its axes that make it an accelerometer.
    package static let axes = ["x", "y", "z"]

    package func text(_ name: String) -> String? { attributes[name]?.text }

    /// What it calls itself.
    package var name: String { text("name") ?? id }

    /// Where its files are, for commands.
    var folder: String { "/sys/bus/iio/devices/\(id)" }

    /// How a sentence names it.
    var title: String { name == id ? id : "\(id) (\(name))" }

    package var isAccelerometer: Bool { missingAxes.count < Self.axes.count }

    /// The axes that it does not measure.
    var missingAxes: [String] {
        Self.axes.filter { axis in
            attributes["in_accel_\(axis)_raw"] == nil && attributes["scan_elements/in_accel_\(axis)_en"] == nil
        }
    }

    /// Whether it has a buffer that the daemon could capture from.
    var hasBuffer: Bool {
        attributes["buffer/enable"] != nil
            && Self.axes.allSatisfy { attributes["scan_elements/in_accel_\($0)_en"] != nil }
    }

    /// Whether somebody captures from it.
    var isCaptured: Bool { text("buffer/enable") == "1" }

    /// Which way the driver counts is the driver's affair: hubs count towards the ground.
    var isHub: Bool { driver?.hasPrefix("hid_sensor_accel") == true || name == "accel_3d" }

    /// m/s² per raw unit along an axis, where the files say so.
    func scale(_ axis: String) -> Double? {
        number("in_accel_\(axis)_scale") ?? number("in_accel_scale") ?? number("scale")
    }

    /// Raw units that are added before the scale.
    func offset(_ axis: String) -> Double {
        number("in_accel_\(axis)_offset") ?? number("in_accel_offset") ?? 0
    }

    private func number(_ attribute: String) -> Double? {
        text(attribute).flatMap { Double($0) }
    }

    /// Where in the device it sits; and the text that should have said it, where that is nonsense.
    var location: (name: String, nonsense: String?) {
        let udev = udev.properties["ACCEL_LOCATION"]
        if let udev, ["display", "lid", "base"].contains(udev) { return (udev, nil) }
        let named =
            switch text("label") {
            case "accel-display": "display"
            case "accel-base": "base"
            default: text("location").flatMap { ["lid", "base"].contains($0) ? $0 : nil } ?? "display"
            }
        return (named, udev)
    }
}
