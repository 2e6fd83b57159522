// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Varlink

struct FoundMount {
    let device: String
    let calibration: MountCalibration
    /// The match pattern for udev's hardware database; nil for an unknown machine.
    let match: String?
    /// Whether the sensor belongs to this machine.
    let isOfThisMachine: Bool
    /// Whether the daemon already uses this result; nil if unknown.
    let isInUse: Bool?

    /// The entry of the hardware database; nil for an unknown machine.
    var entry: HardwareDatabaseEntry? {
        match.map { HardwareDatabaseEntry(pattern: $0, matrix: calibration.matrix, faceSign: calibration.faceSign) }
    }

    /// The lines of the entry, or the properties alone for an unknown machine.
    var entryLines: [String] {
        let lines = HardwareDatabaseEntry(
            pattern: match ?? "", matrix: calibration.matrix, faceSign: calibration.faceSign
        ).lines
        return match == nil ? lines.dropFirst().map { String($0.dropFirst()) } : lines
    }

    /// Returns the result as JSON, without unknown members.
    func json(file: String?) -> JSONObject {
        var json: JSONObject = ["device": .string(device), "matrix": .string(calibration.matrix.text)]
        json["faceSign"] = calibration.faceSign.map { .integer(Int64($0)) }
        json["axisAligned"] = .bool(calibration.isAxisAligned)
        json["margin"] = .real(calibration.margin.rounded(places: 2))
        json["mount"] = .string(calibration.description)
        switch calibration.sense {
        case .expected(let isMeasured): json["faceMeasured"] = .bool(isMeasured)
        case .opposite: json["faceMeasured"] = true
        }
        json["poses"] = .array(
            calibration.residuals.map {
                [
                    "pose": .string($0.pose.rawValue), "degreesOff": .real($0.angle.rounded(places: 2)),
                    "magnitude": .real($0.magnitude.rounded(places: 2)),
                ]
            })
        json["inUse"] = isInUse.map { .bool($0) }
        json["entry"] = entry.map { .string($0.text) }
        json["file"] = file.map { .string($0) }
        return json
    }
}

extension MountCalibration {
    /// Throws ``Failure`` for poses that contradict the usual sign of the driver, unless that is accepted.
    func check(mayBeMirrored: Bool) throws {
        guard case .opposite = sense, !mayBeMirrored else { return }
        throw Failure(
            """
            the poses form a mirrored frame: opposite poses were swapped, or the driver has an unusual sign; check left \
            and right, then use --mirrored
            """)
    }

    /// The mounting in words, without a full stop.
    var description: String {
        let axes = zip(["x", "y", "z"], rotation.sensorAxes).map { "\($0) \($1.direction)" }
        return "the sensor's " + axes.joined(separator: ", ")
    }

    /// The report, one fact per line.
    var report: [String] {
        var lines = ["Mounting: \(description)."]
        lines += residuals.map { residual in
            let name = residual.pose.title.padded(to: 20)
            return "  \(name)\(Decimal.text(residual.angle, places: 0))° off, \(residual.magnitude.tenths) m/s²"
        }
        lines.append("  next best mounting  \(Decimal.text(margin, places: 0))° worse")
        if case .expected(isMeasured: false) = sense {
            lines.append("  Without screen up or screen down, swapped left and right poses cannot be detected.")
        }
        if let faceSign {
            lines.append("  The driver has the opposite sign of other drivers: ORIENTATIOND_FACE_SIGN=\(faceSign).")
        }
        return lines
    }
}

extension Acceleration {
    /// The direction of an axis in the device frame.
    fileprivate var direction: String {
        let words = [
            (x, "to the right", "to the left"), (y, "to the top", "to the bottom"),
            (z, "out of the screen", "into the screen"),
        ]
        return words.filter { $0.0.magnitude > 0.5 }.map { $0.0 > 0 ? $0.1 : $0.2 }.joined(separator: " and ")
    }
}
