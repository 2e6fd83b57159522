// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The marks of a time scale, at round steps from its start on.
enum TimeTicks {
    struct Tick {
        /// Seconds after the start.
        var seconds: Double
        var label: String
    }

    /// Spans shorter than this are drawn as this: no sensor's clock is finer, in seconds.
    static let leastSpan = 1e-9
    /// About so many marks leave room for their labels.
    private static let count = 6.0

    /// The marks of a scale of that many seconds. They are counted, not added up: a sum of steps need not grow where the
    /// times are large.
    static func over(_ length: Double) -> [Tick] {
        guard length >= leastSpan else { return [Tick(seconds: 0, label: "0")] }
        let power = Int(log10(length / count).rounded(.down))
        // 1, 2 or 5 times a power of ten. Above 10 that power is multiplied by, below it divided by: so 0.3 is "0.3".
        func time(_ units: Int) -> Double {
            power < 0 ? Double(units) / pow(10, Double(-power)) : Double(units) * pow(10, Double(power))
        }
        let units = [1, 2, 5, 10].first { time($0) >= length / count } ?? 10
        let last = Int(length / time(units) * (1 + leastSpan))
        return (0...last).map { index in
            let seconds = time(index * units)
            return Tick(seconds: seconds, label: label(seconds))
        }
    }

    private static func label(_ seconds: Double) -> String {
        let text = "\(seconds)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
