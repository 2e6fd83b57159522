// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Support

/// The established gains of sensors with a wrong scale, kept over restarts: a file in the state directory with one
/// line per sensor.
///
/// Unchecked: only the sensor thread uses it, and there is one such thread at a time.
package final class ScaleStore: @unchecked Sendable {
    private static let fileName = "scales"
    /// The number of sensors in the file: a machine has a few, and the oldest lines are of removed ones.
    static let capacity = 16
    /// The largest valid file, in bytes: a line has about 100.
    private static let longest = 8_192

    private let file: StateFile?
    /// The lines, the newest last; nil until the file is read.
    private var lines: [StoredGain]?

    /// Stores gains in `folder`; nil to store none.
    package init(folder: String?) {
        file = folder.map { StateFile(path: "\($0)/\(Self.fileName)", longest: Self.longest) }
    }

    /// Returns the gain of a sensor; nil without one.
    func gain(of sensor: SensorIdentity) -> StoredGain? {
        read().last { $0.sensor == sensor.key }
    }

    /// Returns the gain of a listed sensor, whose scale is unknown.
    func gain(of sensor: SensorDescription) -> StoredGain? {
        read().last { line in
            line.sensor.name == sensor.name && line.sensor.location == sensor.location
                && line.sensor.matrix == sensor.matrix
        }
    }

    /// Stores the gain of a sensor; nil removes it. A failure to write is ignored: the next start measures again.
    func set(_ gain: Double?, isMatrixWrong: Bool = false, of sensor: SensorIdentity) {
        let former = read()
        var lines = former.filter { $0.sensor != sensor.key }
        if let gain { lines.append(StoredGain(gain: gain, isMatrixWrong: isMatrixWrong, sensor: sensor.key)) }
        lines = Array(lines.suffix(Self.capacity))
        guard lines != former else { return }
        self.lines = lines
        try? file?.replace(with: lines.map(\.text).joined())
    }

    private func read() -> [StoredGain] {
        if let lines { return lines }
        let found = ((try? file?.read()) ?? "").split(separator: "\n").compactMap { StoredGain(parsing: $0) }
        let kept = Array(found.suffix(Self.capacity))
        lines = kept
        return kept
    }
}

/// A stored gain with the sensor that it belongs to.
struct StoredGain: Equatable {
    let gain: Double
    /// Whether the mount matrix is at fault, not the scale.
    let isMatrixWrong: Bool
    let sensor: SensorIdentity.Key

    init(gain: Double, isMatrixWrong: Bool, sensor: SensorIdentity.Key) {
        self.gain = gain
        self.isMatrixWrong = isMatrixWrong
        self.sensor = sensor
    }

    /// The line of the file, `GAIN scale|matrix LOCATION SCALES MATRIX NAME`; empty if the name cannot be written.
    var text: String {
        guard !sensor.name.contains(where: \.isNewline), !sensor.location.contains(where: \.isWhitespace) else {
            return ""
        }
        let scale = sensor.scale.map(Self.list) ?? "-"
        let subject = isMatrixWrong ? "matrix" : "scale"
        return "\(gain) \(subject) \(sensor.location) \(scale) \(Self.list(sensor.matrix)) \(sensor.name)\n"
    }

    /// Parses ``text``; nil for any other text and for a gain out of range.
    init?(parsing line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 6, let gain = Double(fields[0]), ScaleCorrection.gains.contains(gain), gain != 1,
            ["matrix", "scale"].contains(fields[1]), let matrix = Self.numbers(fields[4]), matrix.count == 9
        else { return nil }
        var scale: [Double]?
        if fields[3] != "-" {
            guard let numbers = Self.numbers(fields[3]) else { return nil }
            scale = numbers
        }
        self.init(
            gain: gain, isMatrixWrong: fields[1] == "matrix",
            sensor: .init(name: fields[5], location: fields[2], scale: scale, matrix: matrix))
    }

    private static func list(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }

    private static func numbers(_ text: String) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
    }
}
