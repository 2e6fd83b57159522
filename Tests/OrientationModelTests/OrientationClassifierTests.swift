// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct OrientationClassifierTests {
    private static let poses: [(DeviceOrientation, Acceleration)] = [
        (.portrait, Acceleration(x: 0, y: 9.81, z: 0)),
        (.portraitUpsideDown, Acceleration(x: 0, y: -9.81, z: 0)),
        (.landscapeLeft, Acceleration(x: 9.81, y: 0, z: 0)),
        (.landscapeRight, Acceleration(x: -9.81, y: 0, z: 0)),
        (.faceUp, Acceleration(x: 0, y: 0, z: 9.81)), (.faceDown, Acceleration(x: 0, y: 0, z: -9.81)),
    ]

    @Test func `the first usable sample is answered at once`() {
        for (expected, reading) in Self.poses {
            var classifier = OrientationClassifier()
            #expect(classifier.orientation == .unknown)
            #expect(classifier.tilt == nil && classifier.disturbance == nil)
            let broken = Acceleration(x: .nan, y: 0, z: 0)
            #expect(classifier.ingest(Sample(time: 0, acceleration: broken)) == nil)
            #expect(classifier.ingest(Sample(time: 1, acceleration: reading)) == expected)
            #expect(classifier.lastEdge == Edge(expected))
        }
    }

    @Test func `every pose is reached from every other within half a second`() {
        for (from, start) in Self.poses {
            for (to, end) in Self.poses where to != from {
                var classifier = OrientationClassifier()
                _ = classifier.ingest(Sample(time: 0, acceleration: start))
                let answers = (1...25).compactMap {
                    classifier.ingest(Sample(time: Double($0) / 50, acceleration: end))
                }
                #expect(answers.last == to, "\(from) to \(to): \(answers)")
            }
        }
    }
}
