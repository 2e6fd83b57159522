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

    /// Whether this can be the time from one sample to the next.
    func fits(step: Double) -> Bool { Self.steps.contains(step / perSecond) }
}

/// Finds the unit of the times of a CSV file by the median of their steps, or checks the named one, and converts to seconds.
///
/// A first step that is a fraction of a second, or fits the named unit, decides until then, so that a pipe is read without a
/// delay; the median may correct it. Before a decision only a time of 0 can be converted.
struct CSVTime: Sendable {
    /// The number of steps whose median decides.
    static let steps = 8
    /// The fewest steps of a file that ends before.
    private static let fewestSteps = 3

    private enum Phase {
        case undecided
        /// The first step fits, and the median is not known yet.
        case provisional
        case decided
    }

    /// The median of steps for which no unit fits, or not the named one.
    struct UnknownUnit: Error {
        let step: Double
    }

    private var phase = Phase.undecided
    private(set) var unit: TimeUnit
    /// The unit that the name of the column states.
    private let named: TimeUnit?
    /// The median that decided; nil for a unit that was stated or named.
    private var median: Double?
    private var seen: [Double] = []
    private var last: Double?
    /// A time in the unit of the file, and in seconds.
    private var origin = (raw: 0.0, seconds: 0.0)
    private var latest = 0.0

    /// Creates a converter. A stated unit is obeyed, one that a name states is checked.
    init(_ stated: TimeUnit? = nil, named: TimeUnit? = nil) {
        self.named = named
        unit = stated ?? named ?? .s
        if stated != nil { phase = .decided }
    }

    /// Notes the time of a row.
    mutating func note(_ raw: Double) throws(UnknownUnit) {
        defer { last = raw }
        guard phase != .decided, let last, raw > last else { return }
        seen.append(raw - last)
        if seen.count == 1, unit.fits(step: seen[0]), named != nil || seen[0] < 1 { phase = .provisional }
        if seen.count >= Self.steps { try decide() }
    }

    /// Decides at the end of the file; too few steps are in the named unit, or in seconds.
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
        let possible = named.map { [$0] } ?? TimeUnit.allCases
        guard let found = possible.first(where: { $0.fits(step: median) }) else { throw UnknownUnit(step: median) }
        // Times that were converted before stay as they are, and the next ones follow them.
        if phase == .provisional, found != unit, let last { origin = (last, latest) }
        (unit, phase) = (found, .decided)
        self.median = named == nil ? median : nil
    }

    /// The message about a unit that the median decided; nil for another. `isPlain`: seconds are documented, and are named
    /// only if the step fits another unit too, as 1 does.
    func note(isPlain: Bool) -> String? {
        guard let median else { return nil }
        let other = TimeUnit.allCases.last { $0 != unit && $0.fits(step: median) }
        if isPlain, unit == .s, other == nil { return nil }
        let step = (median * 1e6).rounded() / 1e6
        return "times in \(unit): the median step is \(step)\(other.map { ", which may also be \($0)" } ?? "")"
    }

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
