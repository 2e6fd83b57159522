// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Decides from its readings whether a device is at rest.
struct RestDetector: Sendable {
    /// The largest change of the vector at rest, as a fraction of its length: above the noise of cheap chips; a turn of
    /// less than 5°. Relative, because the scale of the chip may be wrong.
    static let stillness = 0.08
    /// The time without a larger change after which the device is at rest, in seconds: longer than any dwell of the
    /// classifier.
    static let settlingTime = 1.0

    /// The first vector of the current rest; nil before the first reading.
    private(set) var reference: Acceleration?
    /// The start of the current rest, in seconds.
    private(set) var stillSince = -Double.infinity
    /// Whether the device was at rest at the last reading.
    private(set) var isResting = false

    /// Returns whether the vector has not changed.
    func isStill(_ acceleration: Acceleration) -> Bool {
        reference.map { Self.isStill(acceleration, from: $0) } ?? false
    }

    static func isStill(_ acceleration: Acceleration, from reference: Acceleration) -> Bool {
        (acceleration - reference).magnitude <= stillness * reference.magnitude
    }

    /// Handles a reading made at `time`, in seconds; returns whether the vector has not changed.
    @discardableResult mutating func read(_ acceleration: Acceleration, at time: Double) -> Bool {
        let isStill = isStill(acceleration)
        if !isStill {
            reference = acceleration
            stillSince = time
        }
        isResting = time - stillSince >= Self.settlingTime
        return isStill
    }

    /// Begins another rest with the same vector.
    mutating func restart(at time: Double) { stillSince = time }
}
