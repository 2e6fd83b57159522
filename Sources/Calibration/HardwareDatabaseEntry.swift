// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// An entry of udev's hardware database (hwdb(7)) for one sensor of one model of machine.
package struct HardwareDatabaseEntry: Hashable, Sendable {
    /// What udev looks up for the sensor, as a pattern.
    package let pattern: String
    package let matrix: MountMatrix
    package let faceSign: Int?

    package init(pattern: String, matrix: MountMatrix, faceSign: Int?) {
        self.pattern = pattern
        self.matrix = matrix
        self.faceSign = faceSign
    }

    /// The lines of the database.
    package var text: String {
        var lines = [pattern, " ACCEL_MOUNT_MATRIX=\(matrix.text)"]
        if let faceSign { lines.append(" ORIENTATIOND_FACE_SIGN=\(faceSign)") }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// What systemd's 60-sensor.rules looks a sensor up by: its label if it has one, the modalias of its parent, and the
/// machine's DMI modalias, which a machine with a device tree has not.
package struct SensorMatch: Hashable, Sendable {
    package var label: String?
    package var modalias: String
    package var dmi: String?

    package init(label: String?, modalias: String, dmi: String?) {
        self.label = label
        self.modalias = modalias
        self.dmi = dmi
    }

    /// The fields of the DMI modalias that name the model: maker, product and version of the machine, maker and name of
    /// its board. What the firmware is called changes with its next update, and the calibration should not.
    private static let fields = ["svn", "pn", "pvr", "rvn", "rn"]

    /// The pattern for what udev looks up.
    package var pattern: String {
        let sensor = label.map { "\($0.escaped):" } ?? ""
        let machine = dmi.map { ":" + Self.model($0) } ?? ":*"
        return "sensor:\(sensor)modalias:\(modalias.escaped)\(machine)"
    }

    private static func model(_ dmi: String) -> String {
        var parts: [String] = []
        for part in dmi.split(separator: ":", omittingEmptySubsequences: false).dropFirst() {
            let isKept = fields.contains { part.hasPrefix($0) && part.count > $0.count }
            if isKept { parts.append(String(part).escaped) } else if parts.last != "*" { parts.append("*") }
        }
        if parts.last != "*" { parts.append("*") }
        return "dmi:" + parts.joined(separator: ":")
    }
}

extension String {
    /// udev turns every character of a modalias but these into an underscore before it looks it up; some of the others
    /// would besides mean something in a pattern. A question mark fits whatever became of them.
    fileprivate var escaped: String {
        String(decoding: utf8.map { Self.isKept($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "#+-.:=@_/$%,".utf8.contains(byte)
        }
    }
}

extension MountMatrix {
    /// The text form of the kernel and of udev; whole numbers are written as such.
    package var text: String {
        rows.map { row in
            [row.x, row.y, row.z].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }.joined(separator: ", ")
        }.joined(separator: "; ")
    }
}
