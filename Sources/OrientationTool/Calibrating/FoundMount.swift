// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationModel
import Varlink

/// What a calibration has found, and for which sensor.
struct FoundMount {
    let device: String
    let calibration: MountCalibration
    /// What udev looks the sensor up by, as a pattern; nil where the machine is not known.
    let match: String?
    /// Whether that is a sensor of this machine.
    let isOfThisMachine: Bool
    /// Whether the daemon already has it right; nil where that is not known.
    let isInUse: Bool?

    /// The entry of the hardware database; nil where the machine is not known.
    var entry: HardwareDatabaseEntry? {
        match.map { HardwareDatabaseEntry(pattern: $0, matrix: calibration.matrix, faceSign: calibration.faceSign) }
    }

    /// The entry, for a file or for somebody else; without a machine the properties alone.
    var entryText: String {
        if let entry { return entry.text }
        let sign = calibration.faceSign.map { "ORIENTATIOND_FACE_SIGN=\($0)\n" } ?? ""
        return "ACCEL_MOUNT_MATRIX=\(calibration.matrix.text)\n" + sign
    }

    /// Everything that was found, for a program; what is not known is absent.
    func json(file: String?) -> JSONObject {
        var json: JSONObject = ["device": .string(device), "matrix": .string(calibration.matrix.text)]
        json["faceSign"] = calibration.faceSign.map { .integer(Int64($0)) }
        json["axisAligned"] = .bool(calibration.isAxisAligned)
        json["degreesFromAxisAligned"] = .real(calibration.nearest.angle.hundredths)
        json["mount"] = .string(calibration.inWords)
        switch calibration.sense {
        case .expected(let isMeasured): json["faceMeasured"] = .bool(isMeasured)
        case .opposite: json["faceMeasured"] = true
        }
        json["poses"] = .array(
            calibration.residuals.map {
                [
                    "pose": .string($0.pose.rawValue), "degreesOff": .real($0.angle.hundredths),
                    "magnitude": .real($0.magnitude.hundredths),
                ]
            })
        if let errors = calibration.errors {
            json["bias"] = .array(errors.bias.hundredths)
            json["scale"] = .array(errors.scale.hundredths)
            json["scalePerAxis"] = .bool(errors.isScalePerAxis)
        }
        json["inUse"] = isInUse.map { .bool($0) }
        json["entry"] = entry.map { .string($0.text) }
        json["file"] = file.map { .string($0) }
        return json
    }
}

extension MountCalibration {
    /// How the sensor sits, in a sentence without a full stop.
    var inWords: String {
        let axes = zip(["x", "y", "z"], nearest.rotation.sensorAxes).map { "\($0) \($1.direction)" }
        let words = "the sensor's " + axes.joined(separator: ", ")
        return isAxisAligned ? words : "\(words), and turned by \(Decimal.text(nearest.angle, places: 0))° from there"
    }

    /// What there is to say of it, a line each.
    var report: [String] {
        var lines = ["Mounted with \(inWords)."]
        lines += residuals.map { residual in
            let name = residual.pose.rawValue.padded(to: 20)
            return "  \(name)\(Decimal.text(residual.angle, places: 0))° off, \(residual.magnitude.tenths) m/s²"
        }
        if let errors {
            let (bias, scale) = (errors.bias, errors.scale)
            lines.append("  bias                \(bias.x.tenths), \(bias.y.tenths), \(bias.z.tenths) m/s²")
            lines.append(
                "  scale               "
                    + (errors.isScalePerAxis
                        ? "\(scale.x.percent), \(scale.y.percent), \(scale.z.percent)"
                        : "\(scale.x.percent) on average"))
        }
        if case .expected(isMeasured: false) = sense {
            lines.append("  No face was shown: that left and right were not exchanged cannot be told.")
        }
        if let faceSign {
            lines.append("  The driver counts the other way than others: ORIENTATIOND_FACE_SIGN=\(faceSign).")
        }
        return lines
    }
}

extension Acceleration {
    /// Where an axis of the device's points.
    fileprivate var direction: String {
        let words = [
            (x, "to the right", "to the left"), (y, "to the top", "to the bottom"),
            (z, "out of the screen", "into the screen"),
        ]
        let longest = words.max { $0.0.magnitude < $1.0.magnitude }
        return longest.map { $0.0 > 0 ? $0.1 : $0.2 } ?? ""
    }

    fileprivate var hundredths: [JSONValue] { [x, y, z].map { .real($0.hundredths) } }
}

extension Double {
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 + 0 }
    fileprivate var tenths: String { Decimal.text(self, places: 1) }
    fileprivate var percent: String { Decimal.text(self * 100, places: 0) + " %" }
}

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
