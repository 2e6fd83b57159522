// SPDX-License-Identifier: Apache-2.0

/// What somebody else needs to know about the sensor to reproduce a report from its recording.
///
/// Everything is optional: a simulated device has no driver. A fact that is there is well formed.
package struct RecordingHeader: Hashable, Sendable {
    /// The sensor's IIO name.
    package var device: String?
    /// The kernel's release.
    package var kernel: String?
    package var driver: String?
    /// m/s² per raw unit, along the sensor's own x, y and z.
    package var scale: [Double]?
    /// In raw units, along the sensor's own x, y and z.
    package var offset: [Double]?
    /// Three rows of three, as its source states it, before anything is made of it.
    package var matrix: [Double]?
    /// Where the matrix was found: a udev property, a sysfs file, or nowhere.
    package var matrixSource: String?
    /// Which way the driver counts: `specific force` or `HID`.
    package var sense: String?
    /// Samples per second asked of the sensor.
    package var rate: Double?
    /// What udev's hardware database looks this sensor of this model of machine up by, so that a mount matrix found from
    /// the recording can be written down for it.
    package var match: String?

    package init() {}

    /// The keys in the order in which they are written; one that is not here is passed over, so that a later version
    /// can add to them.
    private static let keys: [Key] = [
        .text("device", \.device), .text("kernel", \.kernel), .text("driver", \.driver),
        .numbers("scale", 3, \.scale), .numbers("offset", 3, \.offset), .numbers("matrix", 9, \.matrix),
        .text("matrix source", \.matrixSource), .text("sense", \.sense), .number("rate", \.rate),
        .text("hwdb match", \.match),
    ]

    /// Lines of the form `key: value`.
    package var lines: [String] {
        Self.keys.compactMap { key in key.written(self).map { "\(key.name): \($0)" } }
    }

    /// Takes in `key: value`; a line of another form is a remark.
    mutating func read(_ text: String, line: Int) throws(RecordingError) {
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].trimmingSpaces
        guard let key = Self.keys.first(where: { $0.name == name }) else { return }
        guard key.written(self) == nil else { throw RecordingError(line: line, .headerTwice(key: name)) }
        let value = text[text.index(after: colon)...].trimmingSpaces
        if let expected = key.read(value, into: &self) {
            throw RecordingError(line: line, .header(key: name, expected: expected, text: value))
        }
    }
}

/// A key and the way its value is written and read.
private enum Key: Sendable {
    case text(String, any WritableKeyPath<RecordingHeader, String?> & Sendable)
    case number(String, any WritableKeyPath<RecordingHeader, Double?> & Sendable)
    case numbers(String, Int, any WritableKeyPath<RecordingHeader, [Double]?> & Sendable)

    var name: String {
        switch self {
        case .text(let name, _), .number(let name, _), .numbers(let name, _, _): name
        }
    }

    func written(_ header: RecordingHeader) -> String? {
        switch self {
        case .text(_, let path): header[keyPath: path]?.onOneLine
        case .number(_, let path): header[keyPath: path].map(\.description)
        case .numbers(_, _, let path):
            header[keyPath: path].map { $0.map(\.description).joined(separator: " ") }
        }
    }

    /// Nil if the value was taken in, else what it should have been.
    func read(_ value: String, into header: inout RecordingHeader) -> String? {
        switch self {
        case .text(_, let path):
            header[keyPath: path] = value
        case .number(_, let path):
            guard let number = finite(value) else { return "a number" }
            header[keyPath: path] = number
        case .numbers(_, let count, let path):
            let numbers = value.split(separator: " ").compactMap { finite(String($0)) }
            guard numbers.count == count, value.split(separator: " ").count == count else {
                return "\(count) numbers"
            }
            header[keyPath: path] = numbers
        }
        return nil
    }

    private func finite(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension String {
    /// A value must not end its line, nor be longer than a reader accepts.
    fileprivate var onOneLine: String {
        String(prefix(RecordingLimits.textLength).map { $0.isNewline ? " " : $0 })
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
