// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// Why reading a recording failed, and at which line. The samples before it are valid.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case notANumber(column: String, text: String)
        case columnCount(expected: String, found: Int)
        case columnNames(expected: String, found: String)
        case timeDecreases(from: Double, to: Double)
        /// `named` is the unit that the column's name states.
        case timeUnit(step: Double, named: TimeUnit?, column: String)
        case statedUnit
        case lineTooLong(limit: Int)
        case headerTooLong(limit: Int)
        case unknownVersion(String)
        case header(key: String, expected: String, text: String)
        case duplicateKey(key: String)
        case secondHeader
        case truncated(String)
        case sampleCount(stated: Int, found: Int)
        case trailingData
    }

    /// The line number, from 1.
    package var line: Int
    package var reason: Reason

    package init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// One line. It quotes the file: control characters are shown as `?`.
    package var description: String { "line \(line): \(reason)".replacingControls(with: "?") }
}

extension RecordingError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notANumber(let column, let text):
            "invalid value '\(text)' for \(column): must be a finite decimal number"
                + (text.utf8.contains(UInt8(ascii: ",")) ? " without a separator of thousands" : "")
        case .columnCount(let expected, let found):
            "invalid row with \(found) fields: must have the columns \(expected)"
        case .columnNames(let expected, let found): "invalid column names '\(found)': must be \(expected)"
        case .timeDecreases(let from, let to): "time decreases from \(from) to \(to) s"
        case .timeUnit(let step, let named, let column):
            "\(named.map { "wrong unit \($0)" } ?? "unknown unit of time") in '\(column)': the median step is \(step), which is "
                + "not 0.5 ms to 1 s\(named == nil ? " in any unit" : ""); state the unit with "
                + "'orientationctl convert --time-unit s|ms|us|ns'"
        case .statedUnit: "--time-unit is for CSV files only: the times of a recording are in seconds"
        case .lineTooLong(let limit):
            "line longer than \(limit) bytes: not a recording, or damaged"
        case .headerTooLong(let limit): "header longer than \(limit) lines"
        case .unknownVersion(let text): "unknown recording version '\(text)': must be 1"
        case .header(let key, let expected, let text): "invalid value '\(text)' for \(key): must be \(expected)"
        case .duplicateKey(let key): "duplicate header key: \(key)"
        case .secondHeader: "header of a second recording inside the table"
        case .truncated(let what): "truncated recording: \(what)"
        case .sampleCount(let stated, let found):
            "sample count mismatch: the last line states \(stated), the table has \(found)"
        case .trailingData: "unexpected data after the end of the recording"
        }
    }
}
