// SPDX-License-Identifier: Apache-2.0

/// How often something comes in a second, counted over one span after the other, so that nobody has to wake up for it.
struct RateMeter {
    /// How long a span lasts at least, in microseconds: a sensor's samples come in bundles.
    static let span: Int64 = 1_000_000

    /// Of the last span that is over; nil before.
    private(set) var rate: Double?
    private var start: Int64?
    private var number = 0

    /// One more came, at a time in microseconds.
    mutating func count(at now: Int64) {
        guard let start else { return start = now }
        number += 1
        guard now - start >= Self.span else { return }
        rate = Double(number) * 1_000_000 / Double(now - start)
        self.start = now
        number = 0
    }
}
