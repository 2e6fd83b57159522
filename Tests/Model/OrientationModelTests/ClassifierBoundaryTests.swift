// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Testing

/// Noise at a boundary, and turns across several.
@Suite struct ClassifierBoundaryTests {
    private static let settings = ClassifierSettings.standard

    @Test func `noise within a hysteresis band changes no answer for a minute`() {
        for turn in stride(from: 36.0, through: 54, by: 3) {
            var hand = Hand()
            hand.noise = 0.3
            hand.hold(seconds: 2)
            hand.hold(turn: turn, seconds: 60)
            #expect(hand.orientations == [.portrait], "at \(turn)°")
        }
        for tilt in stride(from: 58.0, through: 68, by: 2) {
            var hand = Hand()
            hand.noise = 0.3
            hand.hold(tilt: 90, seconds: 2)
            hand.hold(tilt: tilt, seconds: 60)
            #expect(hand.orientations == [.faceUp], "at \(tilt)°")
        }
    }

    @Test func `noise exactly on a boundary changes the answer at most once in a minute`() {
        for turn in [
            45 + Self.settings.edgeMargin - 1, 45 + Self.settings.edgeMargin, 45 + Self.settings.edgeMargin + 1,
        ] {
            var hand = Hand()
            hand.noise = 0.3
            hand.hold(seconds: 2)
            hand.hold(turn: turn, seconds: 60)
            #expect(hand.answers.count <= 2, "at \(turn)°")
        }
    }

    @Test func `a turn at a steep tilt changes no edge`() {
        var hand = Hand()
        hand.hold(tilt: 65, seconds: 2)
        hand.classifier.forget()
        hand.hold(tilt: 40, seconds: 2)
        hand.move(tilt: 65, turn: 0, seconds: 1)
        hand.move(tilt: 65, turn: 180, seconds: 10)
        #expect(hand.classifier.orientation == .portrait)
        hand.move(tilt: 40, turn: 180, seconds: 1)
        #expect(hand.classifier.orientation == .portraitUpsideDown)
    }

    @Test(arguments: [30.0, 90, 180, 360, 720])
    func `a full turn about each axis gives its four poses in order and no other`(speed: Double) {
        let around: [[DeviceOrientation]] = [
            [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait],
            [.portrait, .faceUp, .portraitUpsideDown, .faceDown, .portrait],
            [.landscapeLeft, .faceUp, .landscapeRight, .faceDown, .landscapeLeft],
        ]
        for poses in around {
            var hand = Hand()
            hand.hertz = 100
            let readings = poses.compactMap { pose in Hand.poses.first { $0.orientation == pose } }
                .map { Hand.still(tilt: $0.tilt, turn: $0.turn) }
            for _ in 0..<100 { hand.feed(readings[0]) }
            for (from, to) in zip(readings, readings.dropFirst()) {
                let count = Int(90 / speed * hand.hertz)
                for index in 1...count {
                    let angle = Double(index) / Double(count) * .pi / 2
                    hand.feed(cos(angle) * from + cos(.pi / 2 - angle) * to)
                }
            }
            for _ in 0..<100 { hand.feed(readings[0]) }
            #expect(hand.orientations.last == poses[0])
            // A turn faster than the filter may skip poses; a slower one shows each.
            #expect(isSubsequence(hand.orientations, of: poses))
            if speed <= 180 { #expect(hand.orientations == poses) }
        }
    }

    private func isSubsequence(_ some: [DeviceOrientation], of all: [DeviceOrientation]) -> Bool {
        var rest = all[...]
        return some.allSatisfy { item in
            guard let place = rest.firstIndex(of: item) else { return false }
            rest = rest[(place + 1)...]
            return true
        }
    }
}
