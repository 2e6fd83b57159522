// SPDX-License-Identifier: Apache-2.0

/// Why there is no calibration: what was shown cannot have been what was asked for.
package enum CalibrationFailure: Error, Hashable, Sendable {
    /// Fewer poses than it takes.
    case tooFew(Int)
    /// One pose was given more than once.
    case givenTwice(Pose)
    /// The device moved while it should have been still.
    case moving(Pose)
    /// The vector is not one g long, in m/s².
    case notOneGravity(Pose, magnitude: Double)
    /// Two poses in which the device was held the same way.
    case same(Pose, Pose)
    /// Every angle fits once these two are exchanged.
    case exchanged(Pose, Pose)
    /// This pose does not fit to the others; by how many degrees.
    case misplaced(Pose, degrees: Double)
    /// No pose with one of these two edges up: what would mirror the picture stays open.
    case undetermined(Pose, Pose)
    /// Held in so many ways, of which none, or not as many as there are poses, could be told apart.
    case stretches(found: Int)
}

extension CalibrationFailure: CustomStringConvertible {
    /// One line for a person.
    package var description: String {
        switch self {
        case .tooFew(let count):
            "\(count) poses are too few: it takes \(Pose.counts.lowerBound) to \(Pose.counts.upperBound)"
        case .givenTwice(let pose): "\(pose.rawValue) was given more than once"
        case .moving(let pose): "the device was not held still in \(pose.rawValue)"
        case .notOneGravity(let pose, let magnitude):
            """
            in \(pose.rawValue) the sensor reads \(magnitude.tenths) m/s², and a still one reads 9.8: it was moved, or its \
            scale is wrong, which no mount matrix mends
            """
        case .same(let one, let other):
            "\(one.rawValue) and \(other.rawValue) were held the same way; the device must be turned in between"
        case .exchanged(let one, let other): "\(one.rawValue) and \(other.rawValue) were exchanged"
        case .misplaced(let pose, let degrees):
            "\(pose.rawValue) is \(Int(degrees.rounded()))° from where the other poses put it; it was not held as asked"
        case .undetermined(let one, let other):
            """
            neither \(one.rawValue) nor \(other.rawValue) was given, without which it stays open whether the picture is \
            mirrored
            """
        case .stretches(let found):
            """
            the device was held still in \(found) ways one after another; \(Pose.counts.lowerBound) to \
            \(Pose.counts.upperBound) are expected: \(Pose.allCases.map(\.rawValue).joined(separator: ", "))
            """
        }
    }
}

extension Double {
    /// Rounded to one decimal place; adding 0 takes the sign from a zero.
    var tenths: Double { (self * 10).rounded() / 10 + 0 }
}
