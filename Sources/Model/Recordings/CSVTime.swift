// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// A unit of time in a CSV file.
package enum TimeUnit: String, CaseIterable, Sendable, CustomStringConvertible {
    case s
    case ms
    case us
    case ns

    package var description: String { rawValue }

    /// The number of these units in a second.
    var perSecond: Double {
        switch self {
        case .s: 1
        case .ms: 1e3
        case .us: 1e6
        case .ns: 1e9
        }
    }

    /// The time from one sample to the next, in seconds: 0.5 ms to 1 s, and the error of a difference.
    private static let steps = 0.000_499...1.001

    /// Returns the unit in which this is the time from one sample to the next, the longest if several are possible.
    static func fitting(step: Double) -> TimeUnit? {
        allCases.first { steps.contains(step / $0.perSecond) }
    }
}

/// Finds the unit of the times of a CSV file by the median of their steps, and converts them to seconds.
///
/// A first step that is a fraction of a second decides until then, so that a pipe in seconds is read without a delay; the
/// median may correct it. Before a decision only a time of 0 can be converted.
struct CSVTime: Sendable {
    /// The number of steps whose median decides.
    static let steps = 8
    /// The fewest steps of a file that ends before.
    private static let fewestSteps = 3

    private enum Phase {
        case undecided
        /// The first step fits seconds, and the median is not known yet.
        case provisional
        case decided
    }

    /// The median of steps for which no unit fits.
    struct UnknownUnit: Error {
        let step: Double
    }

    private var phase = Phase.undecided
    private(set) var unit = TimeUnit.s
    /// The median that decided; nil for a unit that was stated.
    private(set) var median: Double?
    private var seen: [Double] = []
    private var last: Double?
    /// A time in the unit of the file, and in seconds.
    private var origin = (raw: 0.0, seconds: 0.0)
    private var latest = 0.0

    /// Creates a converter; `unit` is the stated unit.
    init(_ unit: TimeUnit? = nil) {
        guard let unit else { return }
        (self.unit, phase) = (unit, .decided)
    }

    /// Notes the time of a row.
    mutating func note(_ raw: Double) throws(UnknownUnit) {
        defer { last = raw }
        guard phase != .decided, let last, raw > last else { return }
        seen.append(raw - last)
        if seen == [raw - last], raw - last < 1, TimeUnit.fitting(step: raw - last) == .s { phase = .provisional }
        if seen.count >= Self.steps { try decide() }
    }

    /// Decides at the end of the file; too few steps are in seconds.
    mutating func end() throws(UnknownUnit) {
        guard phase != .decided else { return }
        if phase == .undecided, seen.count >= Self.fewestSteps { try decide() } else { phase = .decided }
    }

    /// Returns a time in seconds; nil before a decision.
    mutating func seconds(_ raw: Double) -> Double? {
        guard phase != .undecided || raw == 0 else { return nil }
        latest = phase == .undecided ? 0 : origin.seconds + (raw - origin.raw) / unit.perSecond
        return latest
    }

    private mutating func decide() throws(UnknownUnit) {
        let median = seen.sorted(by: <)[seen.count / 2]
        guard let found = TimeUnit.fitting(step: median) else { throw UnknownUnit(step: median) }
        // Times that were converted before stay as they are, and the next ones follow them.
        if phase == .provisional, found != unit, let last { origin = (last, latest) }
        (unit, phase) = (found, .decided)
        self.median = found == .s ? nil : median
    }

    /// The message about a unit that was found; nil for seconds, or a stated unit.
    var note: String? { median.map { "times in \(unit): the median step is \($0)" } }

    /// Parses a time of day, such as `2017-03-30 12:34:56.789 +0200`, `18:25:38:734` or `34:56.7`, in seconds, and the time
    /// after which it starts over; nil for other text. The date is ignored.
    static func timeOfDay(_ field: ArraySlice<UInt8>) -> (seconds: Double, period: Double)? {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let isDigit = { (byte: UInt8) in 48...57 ~= byte }
        let start = field[..<colon].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? field.startIndex
        let bytes = field[start...].prefix { isDigit($0) || ":.,".utf8.contains($0) }
        var parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .compactMap { Double(decimal: String(decoding: $0.map { $0 == 44 ? 46 : $0 }, as: UTF8.self)) }
        // Milliseconds after another colon.
        if parts.count == 4 { parts = [parts[0], parts[1], parts[2] + parts[3] / 1_000] }
        guard (2...3).contains(parts.count) else { return nil }
        return (parts.reduce(0) { 60 * $0 + $1 }, parts.count == 2 ? 3_600 : 86_400)
    }
}
