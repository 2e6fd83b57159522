// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Posix

/// The facts about a sensor that are needed to reproduce a report from its recording.
///
/// Every fact is optional: a simulated device has no driver. A fact that is present is well formed.
package struct RecordingHeader: Hashable, Sendable {
    /// The sensor's IIO name.
    package var device: String?
    /// The kernel's release.
    package var kernel: String?
    package var driver: String?
    /// Scale in m/s² per raw unit, along the sensor's own x, y and z.
    package var scale: [Double]?
    /// Offset in raw units, along the sensor's own x, y and z.
    package var offset: [Double]?
    /// The mount matrix as published, row by row, dimensionless.
    package var matrix: [Double]?
    /// The source of the matrix: a udev property, a sysfs file, or none.
    package var matrixSource: String?
    /// The sign of the driver's vectors: `specific force` or `HID`.
    package var sense: String?
    /// The sampling rate requested from the sensor, in hertz.
    package var rate: Double?
    /// The natural orientation of the device; nil in recordings without one: `portrait`.
    package var natural: Edge?
    /// The match pattern for udev's hardware database: an entry with a mount matrix found from the recording uses it.
    package var match: String?

    package init() {}

    /// The keys in the order of writing. Unknown keys are ignored: later versions may add keys.
    private static let keys: [Key] = [
        .text("device", \.device), .text("kernel", \.kernel), .text("driver", \.driver),
        .numbers("scale", 3, \.scale), .numbers("offset", 3, \.offset), .numbers("matrix", 9, \.matrix),
        .text("matrix source", \.matrixSource), .text("sense", \.sense), .number("rate", \.rate),
        .natural("natural", \.natural), .text("hwdb match", \.match),
    ]

    /// Lines of the form `key: value`.
    package var lines: [String] {
        Self.keys.compactMap { key in key.text(self).map { "\(key.name): \($0)" } }
    }

    /// Parses `key: value`; a line of another form is a comment.
    mutating func read(_ text: ArraySlice<UInt8>, line: Int) throws(RecordingError) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: text[..<colon].trimmed, as: UTF8.self)
        guard let key = Self.keys.first(where: { $0.name.hasBytes(of: name) }) else { return }
        guard key.text(self) == nil else { throw RecordingError(line: line, .duplicateKey(key: name)) }
        let value = String(decoding: text[(colon + 1)...].trimmed, as: UTF8.self)
        if let expected = key.parse(value, into: &self) {
            throw RecordingError(line: line, .header(key: name, expected: expected, text: value))
        }
    }
}

/// A key with the type of its value.
private enum Key: Sendable {
    case text(String, any WritableKeyPath<RecordingHeader, String?> & Sendable)
    case number(String, any WritableKeyPath<RecordingHeader, Double?> & Sendable)
    case natural(String, any WritableKeyPath<RecordingHeader, Edge?> & Sendable)
    case numbers(String, Int, any WritableKeyPath<RecordingHeader, [Double]?> & Sendable)

    var name: String {
        switch self {
        case .text(let name, _), .number(let name, _), .natural(let name, _), .numbers(let name, _, _): name
        }
    }

    func text(_ header: RecordingHeader) -> String? {
        switch self {
        case .text(_, let path): header[keyPath: path]?.onOneLine
        case .number(_, let path): header[keyPath: path].map(\.description)
        case .natural(_, let path): header[keyPath: path]?.description
        case .numbers(_, _, let path):
            header[keyPath: path].map { $0.map(\.description).joined(separator: " ") }
        }
    }

    /// Parses a value; returns nil, or a description of what was expected.
    func parse(_ value: String, into header: inout RecordingHeader) -> String? {
        switch self {
        case .text(_, let path):
            header[keyPath: path] = value
        case .number(_, let path):
            guard let number = Double(decimal: value) else { return "a number" }
            header[keyPath: path] = number
        case .natural(_, let path):
            // The caller reports the value with those that are valid.
            guard let edge = try? Edge(naturalOrientation: value) else {
                return SensorProperty.naturalOrientation.validValues
            }
            header[keyPath: path] = edge
        case .numbers(_, let count, let path):
            let words = value.parts(between: " ")
            let numbers = words.compactMap { Double(decimal: $0) }
            guard numbers.count == count, words.count == count else {
                return "\(count) numbers"
            }
            header[keyPath: path] = numbers
        }
        return nil
    }
}

extension String {
    /// The text as one line, cut to the longest length that a reader accepts.
    fileprivate var onOneLine: String {
        beginning(bytes: RecordingLimits.textLength).replacingControls(with: " ")
    }
}
