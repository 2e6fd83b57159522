// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

/// Checks that the hysteresis bands are where the settings place them, for every preset and for extreme values.
@Suite struct ClassifierBandTests {
    /// All presets, and both ends of the ranges that define the bands.
    private static let choices = [
        "standard", "calm", "quick", "standard,faceLeave=65", "standard,faceLeave=40",
        "standard,faceEnter=52,faceLeave=40,edgeLimit=45", "standard,faceEnter=85,faceLeave=80",
        "standard,faceEnter=85,edgeLimit=84", "standard,faceEnter=50,faceLeave=49,edgeLimit=30",
        "quick,edgeMargin=2", "standard,edgeMargin=30",
    ]
    /// Degrees per second: filter and dwell lag by less than one degree, at the longest dwell of a preset.
    private static let speed = 2.0

    private func hand(_ choice: String) throws -> Hand {
        var hand = Hand()
        hand.hertz = 25
        hand.classifier = OrientationClassifier(settings: try ClassifierSettings(choice))
        return hand
    }

    @Test(arguments: choices, [90.0, -90])
    func `a face is entered and left at the tilts of the settings, for every turn`(
        choice: String, face: Double
    ) throws {
        for turn in [0.0, 90, 30, 45] {
            var hand = try hand(choice)
            let settings = hand.classifier.settings
            hand.hold(turn: turn, seconds: 2)
            hand.move(tilt: face, turn: turn, seconds: 90 / Self.speed)
            hand.hold(tilt: face, turn: turn, seconds: 2)
            hand.move(tilt: 0, turn: turn, seconds: 90 / Self.speed)
            hand.hold(turn: turn, seconds: 1)
            #expect(hand.answers.count == 3, "\(hand.orientations) at a turn of \(turn)°")
            guard hand.answers.count == 3 else { continue }
            let (entered, left) = (abs(hand.answers[1].tilt), abs(hand.answers[2].tilt))
            #expect(entered >= settings.faceEnter && entered < settings.faceEnter + 1.5, "at a turn of \(turn)°")
            #expect(left <= settings.faceLeave && left > settings.faceLeave - 1.5, "at a turn of \(turn)°")
        }
    }

    @Test(arguments: choices)
    func `an edge changes at the margin of the settings past the diagonal`(choice: String) throws {
        for tilt in [0.0, 25, -25] {
            var hand = try hand(choice)
            let left = 45 + hand.classifier.settings.edgeMargin
            hand.hold(tilt: tilt, seconds: 2)
            hand.move(tilt: tilt, turn: 90, seconds: 90 / Self.speed)
            #expect(hand.orientations == [.portrait, .landscapeLeft])
            let turn = hand.answers.last?.turn ?? .nan
            #expect(turn >= left && turn < left + 1.5, "at a tilt of \(tilt)°")
        }
    }

    @Test(arguments: choices)
    func `a face is left by a device that stops one degree below the face limit`(choice: String) throws {
        for turn in [0.0, 45, 170] {
            var hand = try hand(choice)
            hand.hold(tilt: 90, turn: turn, seconds: 2)
            hand.hold(tilt: hand.classifier.settings.faceLeave - 1, turn: turn, seconds: 5)
            #expect(hand.answers.count == 2, "at a turn of \(turn)°")
        }
    }
}
