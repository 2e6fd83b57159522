// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// Tells what a device can feel from what only a wrong scale can make of it.
///
/// A single absurd reading is passed over. One after the other, they are a fault that somebody can mend, and are told as
/// one; without that the sensor would only seem to be silent.
struct Plausibility {
    /// The longest vector that counts, in m/s²: 8 g, more than most chips measure.
    static let largestMagnitude = 80.0
    /// How many readings in a row may be absurd: a second at the polling rate of a moving device.
    static let patience = 25

    private var absurd = 0

    /// The reading, or nil for one that is to be passed over.
    mutating func judge(_ acceleration: Acceleration) throws(SensorFailure) -> Acceleration? {
        let magnitude = acceleration.magnitude
        if magnitude <= Self.largestMagnitude {
            absurd = 0
            return acceleration
        }
        absurd += 1
        guard absurd >= Self.patience else { return nil }
        throw .failed(
            "the sensor reads \(magnitude < 1e6 ? "\(magnitude.rounded())" : "\(magnitude)") m/s², which nothing can feel for long; is its scale missing or wrong?"
        )
    }
}
