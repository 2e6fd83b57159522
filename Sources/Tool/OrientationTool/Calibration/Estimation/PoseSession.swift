// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A guided calibration: asks for one pose after another and accepts each once the device is held still. Takes samples
/// in the sensor's own axes and returns what to tell the user.
struct PoseSession {
    /// The number of consecutive refusals after which all poses are asked for again: an earlier one was probably wrong.
    static let maximumRefusals = 3

    /// The progress after a sample.
    enum Step: Hashable {
        /// The device has been still for this share of the required time, 0 to 1.
        case holding(Double)
        /// The device is still, but has not moved since this pose.
        case unmoved(since: Pose)
        case taken(Pose)
        /// The device was still, but not in this pose.
        case refused(CalibrationFailure)
        /// Too many refusals: all poses are asked for again.
        case restarted
    }

    private let poses: [Pose]
    private(set) var measurements: [PoseMeasurement] = []
    private var stillness = Stillness()
    private var refusals = 0
    private var refused: Acceleration?

    /// Creates a session that asks for the first `count` poses.
    init(count: Int) {
        poses = Array(Pose.allCases.prefix(count))
    }

    /// The pose asked for; nil when all are done.
    var asked: Pose? { measurements.count < poses.count ? poses[measurements.count] : nil }

    mutating func ingest(_ sample: Sample) -> Step {
        let hold = stillness.ingest(sample)
        guard let pose = asked else { return .holding(1) }
        let vector = sample.acceleration
        if let refused, refused.angle(to: vector) < PlausiblePoses.sameAngle / 2 { return .holding(0) }
        if let same = measurements.first(where: { $0.vector.angle(to: vector) < PlausiblePoses.sameAngle }) {
            stillness.restart()
            return .unmoved(since: same.pose)
        }
        guard let hold else { return .holding(stillness.progress) }
        return take(PoseMeasurement(pose, hold.mean))
    }

    private mutating func take(_ measurement: PoseMeasurement) -> Step {
        stillness.restart()
        if let failure = objection(to: measurement) {
            refused = measurement.vector
            refusals += 1
            guard refusals == Self.maximumRefusals, !measurements.isEmpty else { return .refused(failure) }
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
