// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The ways in which a device was held still one after another, found in what its sensor read: samples in the sensor's
/// own axes in, stretches out.
package struct StillStretches: Sendable {
    /// Stretches that are kept; more than there are poses are an error anyway.
    static let capacity = 32

    private var stillness = Stillness()
    private var holds: [Stillness.Hold] = []
    /// How many there were, those that are not kept included.
    package private(set) var count = 0

    package init() {}

    /// Takes in the next sample.
    package mutating func ingest(_ sample: Sample) {
        guard let hold = stillness.ingest(sample) else { return }
        if let last = holds.last, last.mean.angle(to: hold.mean) < PlausiblePoses.sameAngle {
            // The same pose, corrected or taken up again: the calmest second of it counts.
            if hold.spread < last.spread { holds[holds.count - 1] = hold }
            return
        }
        count += 1
        if holds.count < Self.capacity { holds.append(hold) }
    }

    /// The stretches as the poses in the order in which they are asked for.
    package func measurements() throws(CalibrationFailure) -> [PoseMeasurement] {
        guard Pose.counts.contains(count) else { throw .stretches(found: count) }
        return zip(Pose.allCases, holds).map { PoseMeasurement($0, $1.mean) }
    }

    /// All of it as one pose.
    package func measurement(of pose: Pose) throws(CalibrationFailure) -> PoseMeasurement {
        guard count == 1, let hold = holds.first else { throw .moving(pose) }
        return PoseMeasurement(pose, hold.mean)
    }
}
