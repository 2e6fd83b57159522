// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandomness
import Testing

@testable import OrientationModel

/// Simulated walks: the device is carried, and nothing turns it unless a test does.
@Suite struct ClassifierWalkTests {
    private var hand = Hand()

    @Test(arguments: [0.7, 0.9, 1.1], [30.0, 55, 80])
    func `a swinging arm changes no edge`(hertz: Double, swing: Double) {
        let mounts = Hand.mounts + Hand.mounts.map(Hand.rolled)
        for (rate, mount) in [25.0, 50, 100].flatMap({ rate in mounts.map { (rate, $0) } }).sampled {
            var hand = Hand()
            hand.hertz = rate
            hand.noise = 0.05
            hand.swing(hertz: hertz, degrees: swing, pivot: 0.6, seconds: 60, mount)
            let edges = hand.orientations.compactMap { Edge($0) }
            #expect(Set(edges).count <= 1, "\(hand.orientations)")
            #expect(hand.orientations.count <= 2)
        }
    }

    @Test(arguments: [25.0, 50, 100])
    mutating func `a device that is read while its user walks keeps its orientation`(hertz: Double) {
        hand.hertz = hertz
        hand.noise = 0.3
        hand.hold(tilt: 45, seconds: 2)
        hand.walk(seconds: 60) { time in (62 + 6 * sin(2 * .pi * 0.9 * time), 4 * sin(2 * .pi * 0.3 * time)) }
        #expect(hand.orientations == [.portrait])
        #expect(hand.classifier.isMoving)
    }

    @Test(arguments: [25.0, 50, 100], [(ClassifierSettings.standard, 0.3), (.quick, 0.05)])
    mutating func `a turn by hand while walking is answered in time`(
        hertz: Double, preset: (ClassifierSettings, seconds: Double)
    ) {
        hand.classifier = OrientationClassifier(settings: preset.0)
        hand.hertz = hertz
        hand.noise = 0.3
        var expected = [DeviceOrientation.portrait]
        hand.walk(seconds: 5) { _ in (35, 0) }
        for (index, pose) in [Hand.poses[1], Hand.poses[2], Hand.poses[3], Hand.poses[2], Hand.poses[1]].enumerated() {
            let from = Hand.poses[[0, 1, 2, 3, 2][index]].turn
            hand.walk(seconds: 0.5) { (35, from + (pose.turn - from) * $0 / 0.5) }
            let arrived = hand.time
            hand.walk(seconds: 6) { _ in (35, pose.turn) }
            expected.append(pose.orientation)
            #expect(hand.orientations == expected)
            #expect((hand.answers.last?.time ?? .infinity) - arrived < preset.seconds)
        }
    }

    @Test mutating func `a device that is raised while its user walks leaves the face`() {
        hand.hertz = 25
        hand.noise = 0.3
        hand.walk(seconds: 5) { _ in (88, 0) }
        hand.walk(seconds: 0.8) { (88 - 46 * $0 / 0.8, 0) }
        let raised = hand.time
        hand.walk(seconds: 5) { _ in (42, 0) }
        #expect(hand.orientations == [.faceUp, .portrait])
        #expect((hand.answers.last?.time ?? .infinity) - raised < 0.35)
    }

    @Test(arguments: [25.0, 50, 100])
    mutating func `a device that sways near the tilt of a face while its user walks keeps the face`(hertz: Double) {
        hand.hertz = hertz
        hand.noise = 0.3
        hand.walk(seconds: 3) { _ in (85, 0) }
        hand.walk(seconds: 40) { time in (62 + 8 * sin(2 * .pi * 0.9 * time), 0) }
        #expect(hand.orientations == [.faceUp])
    }

    @Test(arguments: [0.7, 0.8, 1.25, 1.38])
    func `a sensor with a wrong scale is still and calm at rest, and its turns are answered as early`(scale: Double) {
        func delay(_ scale: Double) -> Double {
            var hand = Hand()
            hand.sensor = { scale * $0 }
            hand.hold(tilt: 35, seconds: 1)
            #expect(!hand.classifier.isMoving)
            hand.hold(tilt: 35, seconds: 4)
            #expect((hand.classifier.disturbance ?? .nan) < ClassifierSettings.standard.calm)
            hand.move(tilt: 35, turn: 90, seconds: 0.4)
            let end = hand.time
            hand.hold(tilt: 35, turn: 90, seconds: 1)
            return (hand.answers.last?.time ?? .infinity) - end
        }
        #expect(delay(scale) - delay(1) <= 0.02)
    }

    @Test(arguments: [(0.65, 0.9), (1.38, 1.1)])
    mutating func `a motion of a sensor with a wrong scale is answered while its vector is shorter or longer`(
        scale: Double, change: Double
    ) {
        hand.sensor = { scale * $0 }
        hand.hold(seconds: 5)
        hand.sensor = { change * scale * $0 }
        hand.move(tilt: 0, turn: 90, seconds: 1)
        hand.hold(turn: 90, seconds: 1)
        #expect(hand.orientations == [.portrait, .landscapeLeft])
    }

    @Test(arguments: [0.8, 1.25])
    mutating func `the length at rest stays while a chip with a motion event is read seldom`(scale: Double) {
        for _ in 0..<200 { hand.feed(scale * Hand.still(tilt: 0, turn: 0)) }
        for _ in 0..<2 { hand.feed(scale * Hand.still(tilt: 0, turn: 0), after: 4.5) }
        hand.feed(scale * Hand.still(tilt: 0, turn: 90), after: 4.5)
        #expect(hand.orientations == [.portrait, .landscapeLeft])
    }

    @Test mutating func `a hard shake does not make the rest after it a motion`() {
        hand.hold(seconds: 3)
        for index in 0..<100 { hand.feed(Acceleration(x: 0, y: index % 2 == 0 ? 40 : 5, z: 0)) }
        hand.hold(seconds: 3)
        #expect((hand.classifier.disturbance ?? .nan) < ClassifierSettings.standard.calm)
    }

    @Test(arguments: [10.0, 25, 100, 500])
    func `the activity follows in a second at every rate, and a knock of 40 ms adds little`(hertz: Double) {
        var activity = Activity()
        for index in 0..<Int(hertz) { activity.follow(index % 2 == 0 ? 8.3 : 11.3, 1 / hertz) }
        #expect(abs(activity.level - 1.5 * (1 - exp(-1)).squareRoot()) < 0.1)
        var knocked = Activity()
        for _ in 0..<max(Int(0.04 * hertz), 1) { knocked.follow(40, 1 / hertz) }
        #expect(knocked.level < Activity.still)
    }

    @Test mutating func `a walk counts as moving; rest, a turn, a knock and a gap do not`() {
        hand.hold(seconds: 2)
        // By 90° in 0.5 s, 0.1 m from the axis.
        for index in 1...25 {
            let share = Double(index) / 25
            let speed = .pi * .pi / 2 * sin(.pi * share)
            let turn = 45 * (1 - cos(.pi * share))
            hand.feed((1 + 0.1 * speed * speed / Acceleration.standardGravity) * Hand.still(tilt: 0, turn: turn))
        }
        #expect(!hand.classifier.isMoving)
        hand.hold(turn: 90, seconds: 3)
        for _ in 0..<2 { hand.feed(Acceleration(x: 0, y: 40, z: 0)) }
        #expect(!hand.classifier.isMoving)
        hand.walk(seconds: 3) { _ in (35, 0) }
        #expect(hand.classifier.isMoving)
        hand.hold(tilt: 35, seconds: 3)
        #expect(!hand.classifier.isMoving)
        hand.walk(seconds: 3) { _ in (35, 0) }
        hand.feed(Hand.still(tilt: 35, turn: 0), after: 3)
        #expect(!hand.classifier.isMoving)
    }
}

extension Hand {
    /// The axes of the arm's frame (along the arm, forward, sideways) on which the device can be carried.
    static let mounts: [@Sendable (Acceleration) -> Acceleration] = [
        { Acceleration(x: $0.y, y: $0.x, z: $0.z) }, { Acceleration(x: $0.x, y: $0.z, z: $0.y) },
        { Acceleration(x: $0.z, y: $0.y, z: $0.x) }, { Acceleration(x: -$0.y, y: -$0.x, z: $0.z) },
        { Acceleration(x: -$0.x, y: $0.z, z: -$0.y) }, { Acceleration(x: $0.z, y: -$0.y, z: -$0.x) },
    ]

    /// Returns a mount rolled by 45° in the plane of the screen.
    static func rolled(_ mount: @escaping @Sendable (Acceleration) -> Acceleration)
        -> @Sendable (Acceleration) -> Acceleration
    {
        { vector in
            let plain = mount(vector)
            let half = 0.5.squareRoot()
            return Acceleration(x: half * (plain.x - plain.y), y: half * (plain.x + plain.y), z: plain.z)
        }
    }

    /// Swings the device on an arm of `pivot` metres, `degrees` to each side.
    mutating func swing(
        hertz frequency: Double, degrees: Double, pivot: Double, seconds: Double,
        _ mount: (Acceleration) -> Acceleration
    ) {
        let (angular, reach) = (2 * .pi * frequency, degrees * .pi / 180)
        for index in 0..<Int(seconds * hertz) {
            let phase = angular * Double(index) / hertz
            let angle = reach * sin(phase)
            let (speed, change) = (reach * angular * cos(phase), -reach * angular * angular * sin(phase))
            feed(
                mount(
                    Acceleration(
                        x: Acceleration.standardGravity * cos(angle) + pivot * speed * speed,
                        y: Acceleration.standardGravity * sin(angle) + pivot * change, z: 0)))
        }
    }

    /// Walks with two steps per second: 2 m/s² up and down, half of it to and fro. `attitude` is that at a time since the
    /// call, in degrees.
    mutating func walk(seconds: Double, _ attitude: (Double) -> (tilt: Double, turn: Double)) {
        for index in 1...Int(seconds * hertz) {
            let elapsed = Double(index) / hertz
            let (tilt, turn) = attitude(elapsed)
            let still = Hand.still(tilt: tilt, turn: turn)
            let step = 2 * sin(2 * .pi * 2 * time) / Acceleration.standardGravity
            let sway = Hand.still(tilt: tilt - 90, turn: turn)
            let fro = sin(2 * .pi * time) / Acceleration.standardGravity
            feed((1 + step) * still + fro * sway)
        }
    }
}
