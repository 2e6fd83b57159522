// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// An entry of udev's hardware database (hwdb(7)) for one sensor of one machine model; for a sensor core, which the database is
/// not applied to, a rule of udev(7).
struct HardwareDatabaseEntry: Hashable {
    let pattern: String
    let matrix: MountMatrix
    let faceSign: Int?

    var isRule: Bool { pattern == SensorCore.rulePattern }

    var lines: [String] {
        if isRule {
            let sign = faceSign.map { ", ENV{\(SensorProperty.faceSign.rawValue)}=\"\($0)\"" } ?? ""
            return ["\(pattern), ENV{\(SensorProperty.mountMatrix.rawValue)}=\"\(matrix.text)\"\(sign)"]
        }
        let sign = faceSign.map { [" \(SensorProperty.faceSign.rawValue)=\($0)"] } ?? []
        return [pattern, " \(SensorProperty.mountMatrix.rawValue)=\(matrix.text)"] + sign
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
}

/// The lookup key of systemd's 60-sensor.rules: the sensor's label if it has one, the modalias of its parent, and the
/// DMI modalias of the machine, which device-tree machines lack.
struct SensorMatch: Hashable {
    var label: String?
    var modalias: String
    var dmi: String?

    /// The fields of the DMI modalias that identify the model: vendor, product and version of the machine, vendor and
    /// name of the board. Firmware fields are left out: an update must not invalidate the calibration.
    private static let fields = ["svn", "pn", "pvr", "rvn", "rn"]

    var pattern: String {
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
    /// The text with unsafe characters replaced by `?`, which matches any character. udev replaces all characters of a
    /// modalias but the kept ones by underscores before the lookup, and some of them are special in a pattern.
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
