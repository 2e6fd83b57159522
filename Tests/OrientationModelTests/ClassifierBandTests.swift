// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

/// The bands are where the settings say, whatever the settings are.
@Suite struct ClassifierBandTests {
    /// Every preset, and both ends of the ranges of what draws the bands.
    private static let choices = [
        "standard", "calm", "quick", "standard,faceLeave=65", "standard,faceLeave=40",
        "standard,faceEnter=52,faceLeave=40,edgeLimit=45", "standard,faceEnter=85,faceLeave=80",
        "standard,faceEnter=85,edgeLimit=84", "standard,faceEnter=50,faceLeave=49,edgeLimit=30",
        "quick,edgeMargin=2", "standard,edgeMargin=30",
    ]
    /// Degrees a second: filter and dwell lag by less than a degree, at the longest dwell of a preset.
    private static let speed = 2.0

    private func hand(_ choice: String) throws -> Hand {
        var hand = Hand()
        hand.hertz = 25
        hand.classifier = OrientationClassifier(settings: try ClassifierSettings(choice))
        return hand
    }

    @Test(arguments: choices, [90.0, -90])
    func `a face is entered and left at the stated tilts, whichever way it turns`(
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
    func `an edge is left past the diagonal by the stated margin`(choice: String) throws {
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
    func `a face is given up by a device that stops a degree past where it ends`(choice: String) throws {
        for turn in [0.0, 45, 170] {
            var hand = try hand(choice)
            hand.hold(tilt: 90, turn: turn, seconds: 2)
            hand.hold(tilt: hand.classifier.settings.faceLeave - 1, turn: turn, seconds: 5)
            #expect(hand.answers.count == 2, "at a turn of \(turn)°")
        }
    }
}
