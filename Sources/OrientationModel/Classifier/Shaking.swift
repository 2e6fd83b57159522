// SPDX-License-Identifier: Apache-2.0

/// How far the magnitude was from gravity lately: a root of a mean square, which is the same at every sampling rate.
///
/// It rises quickly and falls slowly, so that the still points of a regular shake do not pass for calm.
struct Shaking: Sendable {
    private var square = 0.0

    init() {}

    init(firstMagnitude: Double) {
        square = Self.square(firstMagnitude)
    }

    /// In m/s².
    var level: Double { square.squareRoot() }

    mutating func follow(_ magnitude: Double, _ fading: Fading) {
        let now = Self.square(magnitude)
        let kept = now > square ? fading.quick : fading.slow
        square = now + kept * (square - now)
    }

    private static func square(_ magnitude: Double) -> Double {
        let off = min(abs(magnitude - Acceleration.standardGravity), ClassifierLimits.largestShaking)
        return off * off
    }
}
