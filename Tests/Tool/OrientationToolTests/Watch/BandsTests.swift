// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

@testable import OrientationTool

/// The scales, compared with the classifier.
@Suite struct BandsOfHysteresis {
    /// Returns the classifier's output for an attitude after the orientation `held`.
    private func output(
        after held: DeviceOrientation, turn: Double, tilt: Double, _ settings: ClassifierSettings
    ) throws -> DeviceOrientation {
        let pose = Pose3D(held, lastEdge: nil)
        var classifier = OrientationClassifier(settings: settings)
        for number in 0..<400 {
            let (turn, tilt) = number < 100 ? (pose.turn, pose.tilt) : (turn, tilt)
            let (a, b) = (turn * .pi / 180, tilt * .pi / 180)
            let vector = Acceleration(x: 9.8 * sin(a) * cos(b), y: 9.8 * cos(a) * cos(b), z: 9.8 * sin(b))
            _ = classifier.ingest(Sample(time: Double(number) / 50, acceleration: vector))
            if number == 99 { try #require(classifier.orientation == held) }
        }
        return classifier.orientation
    }

    @Test(arguments: ["standard", "calm", "quick,edgeMargin=20"], DeviceOrientation.allCases.filter { $0 != .unknown })
    func `the zones match the classifier`(preset: String, held: DeviceOrientation) throws {
        let settings = try ClassifierSettings(preset)
        let bands = Bands(settings: settings, held: held)
        for tilt in stride(from: -88.0, through: 88, by: 8) {
            let gauge = bands.tilt(tilt)
            let turn = Pose3D(held, lastEdge: nil).turn
            let isKept = try output(after: held, turn: turn, tilt: tilt, settings) == held
            #expect(gauge.zone(at: tilt) == .open ? !isKept : true, "\(held) at a tilt of \(tilt)")
            #expect(gauge.zone(at: tilt) == .held ? isKept : true, "\(held) at a tilt of \(tilt)")
        }
        guard !held.isFlat else { return }
        for turn in stride(from: -177.0, through: 177, by: 9) {
            let isKept = try output(after: held, turn: turn, tilt: 0, settings) == held
            let zone = bands.turn(turn).zone(at: turn)
            #expect(zone == .open ? !isKept : true, "\(held) at a turn of \(turn)")
            #expect(zone == .held ? isKept : true, "\(held) at a turn of \(turn)")
        }
    }

    @Test(arguments: [
        (DeviceOrientation.portrait, 10.0, 0.0, "right edge from 56°"),
        (.portrait, -10, 0, "left edge from −56°"), (.portrait, 50, 0, "top edge is kept to 56°"),
        (.portraitUpsideDown, 170, 0, "right edge from 124°"),
        (.portraitUpsideDown, -170, 0, "left edge from −124°"),
        (.landscapeRight, -100, 0, "bottom edge from −146°"),
        (.portrait, 10, 65, "no new edge beyond 60° of tilt"), (.faceUp, 10, 80, ""),
    ])
    func `the sentence states the turn at which the orientation changes`(
        held: DeviceOrientation, turn: Double, tilt: Double, sentence: String
    ) {
        #expect(Bands(settings: .standard, held: held).sentence(turn: turn, tilt: tilt) == sentence)
    }

    @Test func `on a wide panel the next edge is that of the panel`() {
        let upright = Bands(settings: .standard, held: .landscapeLeft, natural: .landscapeLeft)
        #expect(upright.sentence(turn: 10, tilt: 0) == "right edge from 56°")
        #expect(upright.sentence(turn: -10, tilt: 0) == "left edge from −56°")
        #expect(upright.turn(0).zone(at: 0) == .held && upright.turn(0).zone(at: 90) == .open)
        #expect(Pose3D(.portrait, lastEdge: nil, natural: .landscapeLeft) == Pose3D(turn: -90, tilt: 0))
    }

    @Test(arguments: [
        (DeviceOrientation.portrait, 10.0, "face up from 70°"), (.portrait, -10, "face down from −70°"),
        (.portrait, 60, "top edge is kept to 70°"), (.faceUp, 80, "an edge below 55°"),
        (.faceUp, 60, "face up is kept to 55°"),
    ])
    func `the sentence states the tilt at which the orientation changes`(
        held: DeviceOrientation, tilt: Double, sentence: String
    ) {
        #expect(Bands(settings: .standard, held: held).sentence(tilt: tilt) == sentence)
    }

    @Test(arguments: [(false, "calm"), (true, "calm, moving")])
    func `a device that is carried is moving`(isMoving: Bool, sentence: String) {
        #expect(Bands(settings: .standard, held: .portrait).sentence(disturbance: 0.5, isMoving: isMoving) == sentence)
    }
}
