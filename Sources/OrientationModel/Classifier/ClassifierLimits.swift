// SPDX-License-Identifier: Apache-2.0

/// Constants of the classifier that follow from physics and from how people move, not from a product: nobody tunes them.
enum ClassifierLimits {
    /// A sample above this is no reading: 8 g, what the usual chips can measure, in m/s².
    static let largestMagnitude = 80.0
    /// After this many seconds without a sample the device may have been anywhere.
    static let longestGap = 2.5
    /// The filtered magnitude may be off by so much of gravity; beyond, its direction is not that of gravity.
    static let magnitudeTolerance = 0.4
    /// The magnitude of a usable first reading, in m/s²: less is falling, or a dead sensor. More is a shake, or a sensor
    /// that reads too much, and still the best there is.
    static let leastFirstMagnitude = (1 - magnitudeTolerance) * Acceleration.standardGravity
    /// What a sample adds to the shaking at most, in m/s²: one hard knock is no more reason to wait than a long shake, and
    /// must not count for longer.
    static let largestShaking = 10.0
    /// Shorter ways than this are no motion, in m/s², 3° of gravity: noise is not steady.
    static let leastWay = 0.5
    /// How much of the shaking a perfectly steady turn explains.
    static let turnDiscount = 0.4
    /// How far past the boundary an answer no longer needs the calm dwell, in degrees: noise does not reach so far.
    static let nearDegrees = 4.0
    /// Seconds after a change in which the way back is unlikely: people do not turn a screen to and fro at once.
    static let backWindow = 1.3
}
