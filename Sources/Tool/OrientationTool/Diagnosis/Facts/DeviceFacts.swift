// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Posix

/// An accelerometer, from its sysfs files: an IIO device, or an input device that udev lists as one.
struct DeviceFacts: Hashable {
    /// The kernel's device name, for example `iio:device0` or `event4`.
    var id: String
    /// What the rules of the daemon need, udev's properties excepted; with the content of the files.
    var attributes = SensorAttributes()
    /// The permissions of its sysfs files by path relative to the device's directory, for example `buffer/enable`.
    var files: [String: FileAccess] = [:]
    /// The module of the driver; nil if it is built in.
    var module: String?
    /// The path in `/sys/devices`.
    var path = ""
    var udev = UdevRecord(uevent: "")
    /// The files that may set a property of udev.
    var places: [SensorProperty: [String]] = [:]
    /// The node in /dev; nil if there is none.
    var node: FileAccess?
    var readings = Readings()

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
    static let axes = ["x", "y", "z"]

    func text(_ name: String) -> String? { attributes.text(name) }

    /// The device's own name.
    var name: String { attributes.input?.name ?? text("name") ?? id }

    var subsystem: String { attributes.input == nil ? "iio" : "input" }

    /// The device's directory, for commands.
    var folder: String { "\(SensorAttributes.devices)/\(id)" }

    var title: String { name == id ? id : "\(id) (\(name))" }

    /// The name of the hardware above it; nil if unknown.
    var hardware: String? {
        let parts = path.split(separator: "/").map(String.init)
        return zip(parts, parts.dropFirst()).first { $1 == id || $1 == subsystem }?.0
    }

    var isAccelerometer: Bool { missingAxes.count < Self.axes.count }

    /// The axes without a raw attribute and a scan element.
    var missingAxes: [String] {
        Self.axes.filter { axis in
            files["in_accel_\(axis)_raw"] == nil && files["scan_elements/in_accel_\(axis)_en"] == nil
        }
    }

    /// Whether it has a buffer with all axes.
    var hasBuffer: Bool {
        files["buffer/enable"] != nil && Self.axes.allSatisfy { files["scan_elements/in_accel_\($0)_en"] != nil }
    }

    var isCaptured: Bool { text("buffer/enable") == "1" }

    /// What follows from the attributes, as in the daemon.
    var traits: SensorTraits {
        var attributes = attributes
        attributes.properties = udev.sensorProperties
        return SensorTraits(attributes)
    }

    /// Where a property of udev can be changed, as a sentence.
    func place(of property: SensorProperty) -> String {
        let files = places[property] ?? []
        return "It is set in "
            + (files.isEmpty ? "a file of udev's rules.d or hwdb.d" : files.joined(separator: " or "))
    }

    /// Whether the entry of a calibration comes after the files that set the matrix.
    var isMatrixOverridable: Bool {
        (places[.mountMatrix] ?? []).compactMap { $0.split(separator: "/").last }
            .allSatisfy { $0.hasSuffix(".hwdb") && $0 <= CalibrationFile.name }
    }

    /// Why the daemon does not use it by itself; nil if it does.
    var rejection: String? { traits.defect ?? traits.rejection }

    /// Returns the scale in m/s² per raw unit; nil if unknown.
    func scale(_ axis: String) -> Double? {
        number(ChannelConstants.scale(of: "accel_\(axis)")).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the offset in raw units, added before scaling.
    func offset(_ axis: String) -> Double {
        number(ChannelConstants.offset(of: "accel_\(axis)")) ?? 0
    }

    /// Returns a raw reading in m/s², along the sensor's own axes; nil if no scale is known.
    func acceleration(of raw: [Double]) -> Acceleration? {
        let scales = Self.axes.map(scale)
        guard raw.count == 3, let other = scales.compactMap({ $0 }).first else { return nil }
        let values = zip(Self.axes, zip(raw, scales)).map { axis, pair in
            // The daemon, too, uses the scale of another axis.
            (pair.0 + offset(axis)) * (pair.1 ?? other)
        }
        return Acceleration(x: values[0], y: values[1], z: values[2])
    }

    private func number(_ names: [String]) -> Double? {
        names.first { attributes.contents[$0] != nil }.flatMap(text).flatMap { Double(decimal: $0) }
    }
}
