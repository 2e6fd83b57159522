// SPDX-License-Identifier: Apache-2.0

/// A measured number as it is shown: it moves only when what is measured has left it, so that noise is not shown.
struct SteadyNumber: Hashable {
    /// What is shown, a multiple of the step; nil before the first.
    private(set) var value: Double?
    private let step: Double

    /// How far, in steps, a measurement must be from what is shown to change it. Above a half, or noise at the middle
    /// between two steps would show.
    private static let reluctance = 0.8

    init(step: Double) {
        self.step = step
    }

    mutating func follow(_ measured: Double) {
        guard measured.isFinite else { return }
        if let value, abs(measured - value) < Self.reluctance * step { return }
        // Adding 0 takes the sign from a zero.
        value = (measured / step).rounded() * step + 0
    }

    /// With a sign and a fixed number of places.
    func text(places: Int, isSigned: Bool = false) -> String {
        value.map { Decimal.text($0, places: places, isSigned: isSigned) } ?? "–"
    }
}
