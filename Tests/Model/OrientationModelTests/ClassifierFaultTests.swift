// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

/// Sensor defects and rough handling.
@Suite struct ClassifierFaultTests {
    /// Holds all poses for three seconds each; faces are reached and left over an edge.
    private func tour(_ sensor: @escaping (Acceleration) -> Acceleration, noise: Double = 0) -> Hand {
        var hand = Hand()
        hand.sensor = sensor
        hand.noise = noise
        hand.hold(seconds: 3)
        for (tilt, turn) in [(0.0, 90.0), (0, 180), (0, 270), (90, 270), (0, 270), (-90, 270), (0, 270), (0, 360)] {
            hand.move(tilt: tilt, turn: turn, seconds: 0.8)
            hand.hold(tilt: tilt, turn: turn, seconds: 3)
        }
        return hand
    }

    private static let whole: [DeviceOrientation] = [
        .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp, .landscapeRight, .faceDown,
        .landscapeRight, .portrait,
    ]

    @Test func `free fall and impact change no answer`() {
        for pose in Hand.poses {
            var hand = Hand()
            hand.hertz = 100
            hand.noise = 0.05
            hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: 2)
            for _ in 0..<45 { hand.feed(Acceleration(x: 0, y: 0, z: 0)) }
            for _ in 0..<3 { hand.feed(Acceleration(x: 35, y: -35, z: 35)) }
            hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: 2)
            #expect(hand.orientations == [pose.orientation])
        }
    }

    @Test func `a single outlier changes no answer and raises the disturbance`() {
        for pose in Hand.poses where pose.orientation != .landscapeLeft {
            var hand = Hand()
            hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: 2)
            hand.feed(Acceleration(x: 78, y: 0, z: 0))
            #expect((hand.classifier.disturbance ?? 0) > 3)
            hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: 3)
            #expect(hand.orientations == [pose.orientation])
            #expect((hand.classifier.disturbance ?? .nan) < 0.2)
        }
    }

    @Test func `readings that are not finite or exceed the largest magnitude are ignored`() {
        var hand = Hand()
        hand.hold(seconds: 1)
        let (tilt, disturbance) = (hand.classifier.tilt, hand.classifier.disturbance)
        let huge = Double.greatestFiniteMagnitude
        for bad in [Double.nan, .infinity, -.infinity, huge, -huge, 81] {
            hand.feed(Acceleration(x: bad, y: 0, z: 0))
            hand.feed(Acceleration(x: 0, y: bad, z: 0))
            hand.feed(Acceleration(x: 0, y: 0, z: bad))
        }
        #expect(hand.orientations == [.portrait])
        #expect(hand.classifier.tilt == tilt && hand.classifier.disturbance == disturbance)
    }

    @Test func `bias, noise, coarse resolution and clipping change no answer`() {
        let step = Acceleration.standardGravity / 64
        let clip = 2 * Acceleration.standardGravity
        let poor = tour(
            { reading in
                func made(_ value: Double, _ bias: Double) -> Double {
                    min(max(((value + bias) / step).rounded() * step, -clip), clip)
                }
                return Acceleration(x: made(reading.x, 0.5), y: made(reading.y, -0.5), z: made(reading.z, 0.5))
            }, noise: 0.3)
        #expect(poor.orientations == Self.whole)
    }

    @Test(arguments: [(0.58, false), (0.62, true), (1, true), (1.38, true)])
    func `a scale error up to 40 percent changes no answer, and a smaller scale gives none`(
        scale: Double, isClassified: Bool
    ) {
        #expect(tour { scale * $0 }.orientations == (isClassified ? Self.whole : []))
    }

    @Test func `a dead axis loses the poses along it and no others`() {
        let x = tour { Acceleration(x: 0, y: $0.y, z: $0.z) }
        #expect(!x.orientations.contains { $0.isLandscape } && x.orientations.last == .portrait)
        let y = tour { Acceleration(x: $0.x, y: 0, z: $0.z) }
        #expect(!y.orientations.contains { $0.isPortrait })
        let z = tour { Acceleration(x: $0.x, y: $0.y, z: 0) }
        #expect(!z.orientations.contains { $0.isFlat })
        #expect(Set(z.orientations) == [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight])
    }

    @Test func `a device on a table shaken sideways by one gravity stays faceUp`() {
        var random = SeededGenerator(seed: 9)
        var hand = Hand()
        hand.hertz = 100
        hand.hold(tilt: 90, seconds: 2)
        for _ in 0..<2000 {
            let push = 9.8 * random.normal()
            hand.feed(Acceleration(x: push, y: 0.5 * push, z: Acceleration.standardGravity))
        }
        #expect(hand.orientations == [.faceUp])
    }
}
