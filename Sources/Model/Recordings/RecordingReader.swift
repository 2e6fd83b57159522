// SPDX-License-Identifier: Apache-2.0

import OrientationModel
internal import Posix

/// Parses recordings and plain CSV: bytes in, samples out. The caller does the I/O.
///
///     reader.append(chunk)
///     while let recorded = try reader.next() { … }   // nil: needs more bytes
///     reader.end()                                    // no more bytes; read the remaining samples
///
/// The first line tells the two formats apart. An error names its line: all samples before it have been returned, and
/// none follow.
package struct RecordingReader: Sendable {
    /// The sensor's facts; empty for plain CSV, complete with the first sample.
    package private(set) var header = RecordingHeader()

    private enum State {
        case start
        case plain
        case header
        case table
        case ended
    }

    private var state = State.start
    private var buffer = LineBuffer()
    package private(set) var isAtEnd = false
    private var line = 0
    private var count = 0
    private var lastTime = -Double.infinity
    private var failure: RecordingError?

    package init() {}

    /// Adds the next bytes of the file; chunks may end anywhere. Read all samples first, or the buffer grows.
    package mutating func append(_ chunk: ArraySlice<UInt8>) {
        buffer.append(chunk)
    }

    /// Marks the end of the input. Remaining samples are still to be read.
    package mutating func end() {
        buffer.end()
        isAtEnd = true
    }

    /// Returns the next sample; nil if more bytes are needed, or after the last one.
    package mutating func next() throws(RecordingError) -> RecordedSample? {
        if let failure { throw failure }
        do throws(RecordingError) {
            while let next = buffer.next() {
                line += 1
                if let recorded = try read(next) { return recorded }
            }
            if isAtEnd { try checkEnd() }
            return nil
        } catch {
            failure = error
            throw error
        }
    }
}

extension RecordingReader {
    private mutating func read(_ next: LineBuffer.Line) throws(RecordingError) -> RecordedSample? {
        let range: Range<Int>
        switch next {
        case .complete(let complete): range = complete
        case .unfinished(let rest):
            guard state == .plain || state == .start else {
                throw error(.truncated("the last line is incomplete"))
            }
            range = rest
        case .tooLong: throw error(.lineTooLong(limit: RecordingLimits.lineLength))
        }
        return try read(line == 1 ? withoutByteOrderMark(range) : range)
    }

    /// Skips the byte order mark U+FEFF that some spreadsheets and editors write.
    private func withoutByteOrderMark(_ range: Range<Int>) -> Range<Int> {
        buffer.bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) ? range.dropFirst(3) : range
    }

    private mutating func read(_ range: Range<Int>) throws(RecordingError) -> RecordedSample? {
        switch buffer.bytes[range].first {
        case nil: return nil
        case UInt8(ascii: "#"):
            try readComment(range.dropFirst())
            return nil
        default: return try readRow(range)
        }
    }

    private mutating func readComment(_ range: Range<Int>) throws(RecordingError) {
        guard state != .plain else { return }
        let comment = buffer.bytes[range]
        if let version = Self.rest(of: comment, after: " \(RecordingFormat.title)") {
            guard state == .start else { throw error(.secondHeader) }
            guard version.hasBytes(of: RecordingFormat.version) else { throw error(.unknownVersion(version)) }
            state = .header
        } else if state == .header {
            guard line <= RecordingLimits.headerLines else {
                throw error(.headerTooLong(limit: RecordingLimits.headerLines))
            }
            try header.read(comment, line: line)
        } else if state == .table, let count = Self.rest(of: comment, after: " \(RecordingFormat.countKey):") {
            try readCount(count)
        }
    }

    /// Returns the text after a beginning and the spaces behind it; nil for a line with another beginning.
    private static func rest(of line: ArraySlice<UInt8>, after beginning: String) -> String? {
        guard line.starts(with: beginning.utf8) else { return nil }
        let rest = line.dropFirst(beginning.utf8.count).drop { $0 == UInt8(ascii: " ") }
        return String(decoding: rest, as: UTF8.self)
    }

    private mutating func readCount(_ text: String) throws(RecordingError) {
        guard let stated = Int(text) else {
            throw error(.header(key: RecordingFormat.countKey, expected: "a count", text: text))
        }
        guard stated == count else { throw error(.sampleCount(stated: stated, found: count)) }
        state = .ended
    }

    private mutating func readRow(_ range: Range<Int>) throws(RecordingError) -> RecordedSample? {
        switch state {
        case .start:
            state = .plain
            return try readFirstPlainRow(range)
        case .plain:
            return try readSample(range, columns: 4)
        case .header:
            guard buffer.bytes[range].elementsEqual(RecordingFormat.columns.utf8) else {
                throw error(.columnNames(expected: RecordingFormat.columns, found: shortText(range)))
            }
            state = .table
            return nil
        case .table:
            return try readSample(range, columns: 7)
        case .ended:
            throw error(.trailingData)
        }
    }

    /// Reads the first row of plain CSV, which may hold the column names; another order of columns is refused, not
    /// misread.
    private mutating func readFirstPlainRow(_ range: Range<Int>) throws(RecordingError) -> RecordedSample? {
        let first = buffer.bytes[range.lowerBound] | 0x20
        guard first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else {
            return try readSample(range, columns: 4)
        }
        let names = text(range).lowercased().utf8.filter { $0 != UInt8(ascii: " ") }
        guard names.elementsEqual(RecordingFormat.plainColumns.utf8) else {
            throw error(.columnNames(expected: RecordingFormat.plainColumns, found: shortText(range)))
        }
        return nil
    }

    private mutating func checkEnd() throws(RecordingError) {
        switch state {
        case .start, .plain, .ended: return
        case .header, .table:
            line += 1
            throw error(.truncated("the last line with the sample count is missing"))
        }
    }

    private func error(_ reason: RecordingError.Reason) -> RecordingError {
        RecordingError(line: line, reason)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: buffer.bytes[range], as: UTF8.self)
    }

    /// The beginning of a line, for messages.
    private func shortText(_ range: Range<Int>) -> String {
        text(range.lowerBound..<min(range.upperBound, range.lowerBound + 60))
    }
}

extension RecordingReader {
    private static let columns = ["t", "x", "y", "z", "raw_x", "raw_y", "raw_z"]

    private mutating func readSample(
        _ range: Range<Int>, columns: Int
    ) throws(RecordingError) -> RecordedSample? {
        let fields = buffer.bytes[range].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        var numbers: [Double] = []
        for (column, field) in zip(Self.columns[..<columns], fields) {
            // Raw values may be missing.
            let isMissing = numbers.count >= 4 && field.isEmpty
            guard let number = isMissing ? .nan : Self.number(field) else {
                throw error(.notANumber(column: column, text: shortText(field.startIndex..<field.endIndex)))
            }
            numbers.append(number)
        }
        guard fields.count == columns else {
            let expected = columns == 4 ? RecordingFormat.plainColumns : RecordingFormat.columns
            throw error(.columnCount(expected: expected, found: fields.count))
        }
        guard numbers[0] >= lastTime else { throw error(.timeDecreases(from: lastTime, to: numbers[0])) }
        lastTime = numbers[0]
        count += 1
        let acceleration = Acceleration(x: numbers[1], y: numbers[2], z: numbers[3])
        let hasRaw = columns == 7 && !numbers.contains(where: \.isNaN)
        return RecordedSample(
            Sample(time: numbers[0], acceleration: acceleration),
            raw: hasRaw ? RecordedSample.Raw(x: numbers[4], y: numbers[5], z: numbers[6]) : nil)
    }

    /// Parses a finite decimal number, which blanks may surround; nil for any other text. `Double` also accepts
    /// hexadecimal, "nan" and "inf", which are not readings.
    private static func number(_ field: ArraySlice<UInt8>) -> Double? {
        let text = field.trimming { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let isDecimal = text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}
