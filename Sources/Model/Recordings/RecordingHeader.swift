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
        .text("matrix source", \.matrixSource), .text("sense", \.sense),
        Key("rate", \.rate, "a number") { Double(decimal: $0) },
        Key("natural", \.natural, SensorProperty.naturalOrientation.validValues) { try? Edge(naturalOrientation: $0) },
        .text("hwdb match", \.match),
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
        guard key.parse(value, &self) else {
            throw RecordingError(line: line, .header(key: name, expected: key.expected, text: value))
        }
    }
}

/// A key: the text of its value, and what parses it.
private struct Key: Sendable {
    let name: String
    /// The valid values, for messages.
    let expected: String
    let text: @Sendable (RecordingHeader) -> String?
    /// Sets the value that a text states; returns false for an invalid one.
    let parse: @Sendable (String, inout RecordingHeader) -> Bool

    init<Value>(
        _ name: String, _ path: any WritableKeyPath<RecordingHeader, Value?> & Sendable, _ expected: String,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }, parse: @escaping @Sendable (String) -> Value?
    ) {
        (self.name, self.expected) = (name, expected)
        self.text = { $0[keyPath: path].map(text) }
        self.parse = { value, header in
            header[keyPath: path] = parse(value)
            return header[keyPath: path] != nil
        }
    }

    static func text(_ name: String, _ path: any WritableKeyPath<RecordingHeader, String?> & Sendable) -> Key {
        Key(name, path, "a text", text: { $0.onOneLine }, parse: { $0 })
    }

    static func numbers(
        _ name: String, _ count: Int, _ path: any WritableKeyPath<RecordingHeader, [Double]?> & Sendable
    ) -> Key {
        Key(name, path, "\(count) numbers", text: { $0.map(\.description).joined(separator: " ") }) { value in
            let words = value.parts(between: " ")
            let numbers = words.compactMap { Double(decimal: $0) }
            return numbers.count == count && words.count == count ? numbers : nil
        }
    }
}

extension String {
    /// The text as one line, cut to the longest length that a reader accepts.
    fileprivate var onOneLine: String {
        beginning(bytes: RecordingLimits.textLength).replacingControls(with: " ")
    }
}
