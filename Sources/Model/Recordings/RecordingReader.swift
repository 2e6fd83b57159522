// SPDX-License-Identifier: Apache-2.0

import OrientationModel
internal import Posix

/// Parses recordings and CSV: bytes in, samples out. The caller does the I/O.
///
///     reader.append(chunk)
///     while let recorded = try reader.next() { … }   // nil: needs more bytes
///     reader.end()                                    // no more bytes; read the remaining samples
///
/// The first line tells the two formats apart. An error names its line: all samples before it have been returned, and
/// none follow. The first samples of a CSV file are held until the unit of its times is known; see ``CSVTime``.
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

    private let statedUnit: TimeUnit?
    private var columns = CSVColumns(separator: UInt8(ascii: ","))
    private var clock = CSVTime()
    /// The samples of a CSV file that were not returned yet, with the times of the file.
    private var held: [Sample] = []
    /// The line before the data that is most like names of columns: the number of its fields, and the error with its text.
    private var title: (count: Int, error: RecordingError)?

    /// Creates a reader. `timeUnit` is the unit of the times of a CSV file, if it is stated.
    package init(timeUnit: TimeUnit? = nil) {
        statedUnit = timeUnit
        clock = CSVTime(timeUnit)
    }

    /// What is read from which columns, as a message; nil for a recording, and for the columns t,x,y,z.
    package var columnNote: String? { columns.note }
    /// The unit of the times that was found, as a message; nil for one that was stated, and for seconds in the columns t,x,y,z.
    package var timeNote: String? { clock.note(isPlain: columns.note == nil) }

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
        while true {
            if let recorded = takeHeld() { return recorded }
            if let failure { throw failure }
            do throws(RecordingError) {
                if let next = buffer.next() {
                    line += 1
                    if let recorded = try read(next) { return recorded }
                } else if isAtEnd, !held.isEmpty {
                    try decideUnit()
                } else {
                    if isAtEnd { try checkEnd() }
                    return nil
                }
            } catch {
                failure = error
                // The error of the unit would hide this one.
                if !held.isEmpty { try? decideUnit() }
            }
        }
    }

    /// Returns the next held sample; nil without one, or before the unit of its time is known.
    private mutating func takeHeld() -> RecordedSample? {
        guard let first = held.first, let seconds = clock.seconds(first.time) else { return nil }
        held.removeFirst()
        let factor = columns.sign * (columns.unit ?? 1)
        return RecordedSample(Sample(time: seconds, acceleration: factor * first.acceleration))
    }

    /// Decides the unit of time, after another one if enough are known, or at the end.
    private mutating func decideUnit(after time: Double? = nil) throws(RecordingError) {
        do throws(CSVTime.UnknownUnit) {
            if let time { try clock.note(time) } else { try clock.end() }
        } catch {
            held = []
            throw self.error(.timeUnit(step: error.step, named: columns.timeUnit, column: columns.names[0]))
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
        case nil, UInt8(ascii: "%"): return nil
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
            guard statedUnit == nil else { throw error(.statedUnit) }
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
            try readFirstRow(range)
            return nil
        case .plain:
            try holdSample(range)
            return nil
        case .header:
            guard buffer.bytes[range].elementsEqual(RecordingFormat.columns.utf8) else {
                throw error(.columnNames(expected: RecordingFormat.columns, found: shortText(buffer.bytes[range])))
            }
            state = .table
            return nil
        case .table:
            return try readSample(range)
        case .ended:
            throw error(.trailingData)
        }
    }

    /// Reads the first row of a CSV file, which may hold the column names. Before the names may be titles, with fewer
    /// fields, or the separator for spreadsheets.
    private mutating func readFirstRow(_ range: Range<Int>) throws(RecordingError) {
        let bytes = buffer.bytes[range]
        let separator = CSVColumns.separator(of: bytes)
        let fields = CSVColumns.fields(of: bytes, separator: separator)
        let first = fields.first { !$0.trimmed.isEmpty } ?? []
        let isNumber =
            CSVColumns.number(first[...], separator: separator) != nil || CSVTime.timeOfDay(first[...]) != nil
        if isNumber, title == nil, fields.count <= 4 {
            state = .plain
            columns = CSVColumns(separator: separator)
            return try holdSample(range)
        }
        if let found = CSVColumns(header: fields, separator: separator) {
            state = .plain
            columns = found
            clock = CSVTime(statedUnit, named: found.timeUnit)
            return
        }
        if fields.count > title?.count ?? 0, !isNumber || title == nil {
            let names = fields.map { String(decoding: $0.trimmed, as: UTF8.self) }.joined(separator: ", ")
            let quoted = names.beginning(bytes: RecordingLimits.quotedLength)
            title = (fields.count, error(.columnNames(expected: CSVColumns.needed, found: quoted)))
        }
        let isDigit = first.trimmed.first.map { 48...57 ~= $0 } ?? true
        if isDigit || fields.count >= 4 || line > RecordingLimits.headerLines, let title { throw title.error }
    }

    private mutating func checkEnd() throws(RecordingError) {
        switch state {
        case .start:
            if let title { throw title.error }
        case .plain, .ended: return
        case .header, .table:
            line += 1
            throw error(.truncated("the last line with the sample count is missing"))
        }
    }

    private func error(_ reason: RecordingError.Reason) -> RecordingError {
        RecordingError(line: line, reason)
    }

    /// The beginning of a line or a field, for messages.
    private func shortText(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix(60), as: UTF8.self) }

    private static let columns = RecordingFormat.columns.parts(between: ",")

    /// Reads a row of a CSV file. Rows without an acceleration, as in merged files, are skipped.
    private mutating func holdSample(_ range: Range<Int>) throws(RecordingError) {
        let fields = CSVColumns.fields(of: buffer.bytes[range], separator: columns.separator)
        let used = columns.positions.compactMap { $0 < fields.count ? fields[$0] : nil }
        if columns.exactCount == nil, used.count == 4, used[1...].allSatisfy(\.trimmed.isEmpty) { return }
        var numbers: [Double] = []
        for (name, field) in zip(columns.names, used) {
            guard
                let number = CSVColumns.number(field[...], separator: columns.separator)
                    ?? (numbers.isEmpty ? timeOfDay(field) : nil)
            else {
                throw error(.notANumber(column: name, text: shortText(field[...])))
            }
            numbers.append(number)
        }
        guard used.count == 4, columns.exactCount ?? fields.count == fields.count else {
            throw error(.columnCount(expected: columns.names.joined(separator: ","), found: fields.count))
        }
        try checkTime(numbers[0])
        try decideUnit(after: numbers[0])
        held.append(
            Sample(time: numbers[0], acceleration: Acceleration(x: numbers[1], y: numbers[2], z: numbers[3])))
        if held.count > RecordingLimits.heldSamples { try decideUnit() }
    }

    /// Parses a time of day in seconds; a new day, or a new hour of a time without hours, continues the last one.
    private mutating func timeOfDay(_ field: [UInt8]) -> Double? {
        guard let time = CSVTime.timeOfDay(field[...]) else { return nil }
        clock = CSVTime(.s)
        guard lastTime.isFinite else { return time.seconds }
        let periods = ((lastTime - time.seconds) / time.period).rounded()
        return time.seconds + max(0, periods) * time.period
    }

    private mutating func checkTime(_ time: Double) throws(RecordingError) {
        let unit = clock.unit.perSecond
        guard time >= lastTime else {
            throw error(.timeDecreases(from: lastTime / unit, to: time / unit))
        }
        lastTime = time
    }

    private mutating func readSample(_ range: Range<Int>) throws(RecordingError) -> RecordedSample? {
        let fields = buffer.bytes[range].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        var numbers: [Double] = []
        for (column, field) in zip(Self.columns, fields) {
            // Raw values may be missing.
            let isMissing = numbers.count >= 4 && field.isEmpty
            guard let number = isMissing ? .nan : CSVColumns.number(field) else {
                throw error(.notANumber(column: column, text: shortText(field)))
            }
            numbers.append(number)
        }
        guard fields.count == Self.columns.count else {
            throw error(.columnCount(expected: RecordingFormat.columns, found: fields.count))
        }
        try checkTime(numbers[0])
        count += 1
        let acceleration = Acceleration(x: numbers[1], y: numbers[2], z: numbers[3])
        let hasRaw = !numbers.contains(where: \.isNaN)
        return RecordedSample(
            Sample(time: numbers[0], acceleration: acceleration),
            raw: hasRaw ? RecordedSample.Raw(x: numbers[4], y: numbers[5], z: numbers[6]) : nil)
    }
}
