// SPDX-License-Identifier: Apache-2.0

/// The reason why measurements give no calibration.
enum CalibrationFailure: Error, Hashable {
    /// The number of poses is out of range.
    case tooFew(Int)
    /// A pose was measured more than once.
    case givenTwice(Pose)
    /// The device moved during the measurement.
    case moving(Pose)
    /// The magnitude, in m/s², is too far from one standard gravity.
    case notOneGravity(Pose, magnitude: Double)
    /// Two poses with the same vector.
    case same(Pose, Pose)
    /// All angles fit if these two poses are swapped.
    case swapped(Pose, Pose)
    /// A pose that contradicts the others, and by how many degrees.
    case misplaced(Pose, degrees: Double)
    /// Neither of two opposite edges was measured, so that a mirrored frame cannot be excluded.
    case undetermined(Pose, Pose)
    /// The number of still periods does not match the number of poses.
    case stillPeriods(found: Int)
}

extension CalibrationFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .tooFew(let count):
            "invalid number of poses \(count): must be \(Pose.counts.lowerBound) to \(Pose.counts.upperBound)"
        case .givenTwice(let pose): "\(pose.title): measured more than once"
        case .moving(let pose): "\(pose.title): the device was not held still"
        case .notOneGravity(let pose, let magnitude):
            """
            \(pose.title): the sensor reads \(magnitude.tenths) m/s² instead of 9.8: it was moved, or its scale is \
            wrong, which a mount matrix cannot correct
            """
        case .same(let one, let other):
            "\(one.title) and \(other.title): same vector; turn the device between the poses"
        case .swapped(let one, let other): "\(one.title) and \(other.title): swapped"
        case .misplaced(let pose, let degrees):
            "\(pose.title): \(Int(degrees.rounded()))° from the attitude that the other poses imply; follow the instruction"
        case .undetermined(let one, let other):
            """
            neither \(one.title) nor \(other.title) was measured: one of them is needed to detect a mirrored frame
            """
        case .stillPeriods(let found):
            """
            \(found) still periods found: must be \(Pose.counts.lowerBound) to \(Pose.counts.upperBound), in this order: \
            \(Pose.allCases.map(\.title).joined(separator: ", "))
            """
        }
    }
}
