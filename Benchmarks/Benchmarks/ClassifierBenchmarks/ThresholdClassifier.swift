// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The baseline: a classifier that compares each sample with thresholds and keeps its answer in between, as the simplest
/// daemons do.
struct ThresholdClassifier {
    private(set) var orientation = DeviceOrientation.unknown

    mutating func ingest(_ sample: Sample) -> DeviceOrientation? {
        let answer = answer(sample.acceleration)
        guard answer != orientation else { return nil }
        orientation = answer
        return answer
    }

    private func answer(_ reading: Acceleration) -> DeviceOrientation {
        let (x, y, z) = (abs(reading.x), abs(reading.y), abs(reading.z))
        if z > 1.5 * max(x, y) { return reading.z > 0 ? .faceUp : .faceDown }
        if y > 1.3 * x { return reading.y > 0 ? .portrait : .portraitUpsideDown }
        if x > 1.3 * y { return reading.x > 0 ? .landscapeLeft : .landscapeRight }
        return orientation
    }
}
