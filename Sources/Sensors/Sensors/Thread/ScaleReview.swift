// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Decides when the scale of a chip is read again: when the length of the vector was gravity and is no longer, because
/// another program may have changed the range.
struct ScaleReview {
    /// The shortest interval between two reviews, in seconds: a shake, too, has other lengths.
    static let interval = 0.25

    private var hadGravity = false
    private var last = -Double.infinity

    /// Returns whether a review is due after a reading of this length in m/s², made at `time` in seconds.
    mutating func isDue(length: Double, at time: Double) -> Bool {
        guard !PhysicalLimits.isGravity(length) else {
            hadGravity = true
            return false
        }
        guard hadGravity, !(0..<Self.interval).contains(time - last) else { return false }
        last = time
        return true
    }
}
