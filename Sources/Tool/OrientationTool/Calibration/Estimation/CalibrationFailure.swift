// SPDX-License-Identifier: Apache-2.0

/// The reason why measurements give no calibration.
enum CalibrationFailure: Error, Hashable {
    /// The magnitude, in m/s², is too far from one standard gravity.
    case notOneGravity(Pose, magnitude: Double)
    /// A pose that contradicts the others, and by how many degrees.
    case misplaced(Pose, degrees: Double)
    /// The sensor is mounted at this angle to the nearest mounting that a calibration finds.
    case oblique(degrees: Double)
    /// The number of still periods does not match the number of poses.
    case stillPeriods(found: Int)
}

extension CalibrationFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .notOneGravity(let pose, let magnitude):
            """
            \(pose.title): the sensor reads \(magnitude.tenths) m/s² instead of 9.8: it was moved, or its scale is \
            wrong, which a mount matrix cannot correct
            """
        case .misplaced(let pose, let degrees):
            "\(pose.title): \(Int(degrees.rounded()))° from the attitude that the other poses imply; follow the instruction"
        case .oblique(let degrees):
            """
            mounting: \(Int(degrees.rounded()))° from the nearest one with axes along the edges, or at 45° to them in the plane \
            of the screen; follow the instructions
            """
        case .stillPeriods(let found):
            """
            \(found) still periods found: must be \(Pose.counts.lowerBound) to \(Pose.counts.upperBound), in this order: \
            \(Pose.allCases.map(\.title).joined(separator: ", "))
            """
        }
    }
}
