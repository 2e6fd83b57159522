// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Marks of a scale, at 1, 2 or 5 times a power of ten.
enum Ticks {
    /// From the first to the last multiple of a round step in a range, about `count` of them.
    static func over(_ range: ClosedRange<Double>, count: Double) -> [Double] {
        let multiple = multiples(of: range.upperBound - range.lowerBound, count)
        let first = Int((range.lowerBound / multiple(1)).rounded(.up))
        let last = Int((range.upperBound / multiple(1) * (1 + TimeTicks.leastSpan)).rounded(.down))
        return first > last ? [] : (first...last).map(multiple)
    }

    /// Multiples of the step. Above 10 the power of ten is a factor, below it a divisor: so 0.3 is "0.3".
    private static func multiples(of length: Double, _ count: Double) -> (Int) -> Double {
        let power = Int(log10(length / count).rounded(.down))
        func multiple(_ units: Int) -> Double {
            power < 0 ? Double(units) / pow(10, Double(-power)) : Double(units) * pow(10, Double(power))
        }
        let units = [1, 2, 5, 10].first { multiple($0) >= length / count } ?? 10
        return { multiple($0 * units) }
    }
}

/// The marks of a time scale, from its start on.
struct TimeTicks {
    struct Tick {
        /// Seconds after the start.
        var seconds: Double
        var label: String
    }

    /// The unit of the labels.
    let unit: String
    let ticks: [Tick]

    /// Spans shorter than this are drawn as this: no sensor's clock is finer, in seconds.
    static let leastSpan = 1e-9
    /// About this many marks leave room for their labels.
    private static let count = 6.0
    /// Units, their length in seconds, and the longest scale that has them.
    private static let units: [(name: String, seconds: Double, longest: Double)] = [
        ("ms", 0.001, 0.5), ("s", 1, 600), ("min", 60, 10_800), ("h", 3_600, 345_600), ("d", 86_400, .infinity),
    ]

    /// Marks a scale of this many seconds.
    init(_ length: Double) {
        guard length >= Self.leastSpan, let unit = Self.units.first(where: { length <= $0.longest }) else {
            (unit, ticks) = ("s", [Tick(seconds: 0, label: "0")])
            return
        }
        self.unit = unit.name
        ticks = Ticks.over(0...length / unit.seconds, count: Self.count).map {
            Tick(seconds: $0 * unit.seconds, label: Self.label($0))
        }
    }

    private static func label(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
