// SPDX-License-Identifier: Apache-2.0

/// Why a recording cannot be read on, and where. What came before the line is good.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case notANumber(column: String, text: String)
        case columnCount(expected: String, found: Int)
        case columnNames(expected: String, found: String)
        case clockRunsBack(from: Double, to: Double)
        case lineTooLong(limit: Int)
        case headerTooLong(limit: Int)
        case unknownVersion(String)
        case header(key: String, expected: String, text: String)
        case headerTwice(key: String)
        case headerInTable
        case cutShort(String)
        case sampleCount(stated: Int, found: Int)
        case afterTheEnd
    }

    /// Counted from 1.
    package var line: Int
    package var reason: Reason

    package init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// One line for people. It quotes the file, so whatever would steer a terminal is shown as `?`.
    package var description: String {
        let text = "line \(line): \(reason)".unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case ..<0x20, 0x7F..<0xA0: "?"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(text))
    }
}

extension RecordingError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notANumber(let column, let text): "\(column) is no finite decimal number: '\(text)'"
        case .columnCount(let expected, let found): "expected the columns \(expected), found \(found) fields"
        case .columnNames(let expected, let found): "expected the columns \(expected), found '\(found)'"
        case .clockRunsBack(let from, let to): "the clock runs back from \(from) to \(to) s"
        case .lineTooLong(let limit):
            "no end of line within \(limit) bytes; this is no recording, or a damaged one"
        case .headerTooLong(let limit): "more than \(limit) lines before the table"
        case .unknownVersion(let text): "version '\(text)' of the recording format is not known; 1 is"
        case .header(let key, let expected, let text): "\(key) is not \(expected): '\(text)'"
        case .headerTwice(let key): "\(key) is stated twice"
        case .headerInTable: "a recording begins within another one"
        case .cutShort(let what): "the recording is cut short: \(what)"
        case .sampleCount(let stated, let found): "the recording states \(stated) samples and has \(found)"
        case .afterTheEnd: "there is more after the end of the recording"
        }
    }
}
