// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// Asks for one pose after another and takes each once the device is held still in it: samples in the sensor's own axes
/// in, what there is to tell the person out.
package struct PoseSession: Sendable {
    /// Poses that may be refused one after another; then an earlier one was wrong, and it starts anew.
    static let patience = 3

    /// What the person is to know after a sample.
    package enum Step: Hashable, Sendable {
        /// Held still for this share of the time, 0 to 1.
        case holding(Double)
        /// It is still, but as it was in this pose.
        case unturned(since: Pose)
        /// The pose was taken.
        case taken(Pose)
        /// It was held still and cannot be this pose.
        case refused(CalibrationFailure)
        /// Too much was refused: all poses are asked for again.
        case restarted
    }

    private let poses: [Pose]
    package private(set) var measurements: [PoseMeasurement] = []
    private var stillness = Stillness()
    private var refusals = 0
    private var refused: Acceleration?

    /// - Parameter count: how many of the poses are asked for.
    package init(count: Int) {
        poses = Array(Pose.allCases.prefix(count))
    }

    /// The pose that is waited for; nil when all were taken.
    package var asked: Pose? { measurements.count < poses.count ? poses[measurements.count] : nil }

    /// Takes in the next sample.
    package mutating func ingest(_ sample: Sample) -> Step {
        let hold = stillness.ingest(sample)
        guard let pose = asked else { return .holding(1) }
        let vector = sample.acceleration
        if let refused, refused.angle(to: vector) < PlausiblePoses.sameAngle / 2 { return .holding(0) }
        if let same = measurements.first(where: { $0.vector.angle(to: vector) < PlausiblePoses.sameAngle }) {
            stillness.restart()
            return .unturned(since: same.pose)
        }
        guard let hold else { return .holding(stillness.progress) }
        return take(PoseMeasurement(pose, hold.mean))
    }

    private mutating func take(_ measurement: PoseMeasurement) -> Step {
        stillness.restart()
        if let failure = objection(to: measurement) {
            refused = measurement.vector
            refusals += 1
            guard refusals == Self.patience, !measurements.isEmpty else { return .refused(failure) }
            self = PoseSession(count: poses.count)
            return .restarted
        }
        refused = nil
        refusals = 0
        measurements.append(measurement)
        return .taken(measurement.pose)
    }

    private func objection(to measurement: PoseMeasurement) -> CalibrationFailure? {
        do throws(CalibrationFailure) {
            try PlausiblePoses.checkGravity(measurement)
        } catch {
            return error
        }
        guard let (one, other) = PlausiblePoses.misfits(measurements + [measurement]).first else { return nil }
        let angle = one.vector.angle(to: other.vector)
        return .misplaced(other.pose, degrees: (angle - one.pose.angle(to: other.pose)).magnitude)
    }
}
