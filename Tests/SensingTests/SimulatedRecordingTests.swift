// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing

/// The classifier's answers for each scenario, at usual sampling rates.
@Suite struct SimulatedRecordingTests {
    private static let rates = [10.0, 25, 50, 100]

    private func answers(_ scenario: Scenario, hertz: Double) -> [DeviceOrientation] {
        var classifier = OrientationClassifier()
        return scenario.samples(hertz: hertz).compactMap { classifier.ingest($0) }
    }

    /// The poses of the named tours, in order.
    private static let tour: [DeviceOrientation] = [
        .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait, .faceUp, .landscapeRight, .faceDown,
        .portraitUpsideDown, .faceUp, .landscapeLeft, .faceDown, .portrait,
    ]

    @Test(arguments: rates)
    func `each pose of a tour is classified once`(hertz: Double) {
        #expect(answers(.poses, hertz: hertz) == Self.tour)
        #expect(answers(.slowTurns, hertz: hertz) == Self.tour)
        #expect(answers(.fastTurns, hertz: hertz) == Self.tour)
    }

    @Test(arguments: [30.0, 60, 120, 240, 480, 720], rates)
    func `every quarter and half turn between edges is classified without other answers`(speed: Double, hertz: Double) {
        let edges: [DeviceOrientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
        for (from, start) in edges.enumerated() {
            for (to, end) in edges.enumerated() where to != from {
                let turn = Scenario(name: "turn", [.pose(start, hold: 1.5), .pose(end, speed: speed, hold: 1.5)])
                let answers = answers(turn, hertz: hertz)
                #expect(answers.first == start && answers.last == end)
                // A slow half turn passes the edge in between.
                #expect(answers.count <= ((to - from).isMultiple(of: 2) ? 3 : 2))
            }
        }
    }

    @Test(arguments: rates)
    func `a poor sensor gives the same poses as a good one`(hertz: Double) {
        #expect(answers(.poorSensor, hertz: hertz) == Self.tour)
    }

    @Test(arguments: rates)
    func `while walking or running the orientation changes only when the device is turned`(
        hertz: Double
    ) {
        let turned: [DeviceOrientation] = [.portrait, .landscapeLeft, .portrait, .landscapeRight]
        #expect(answers(.walking, hertz: hertz) == turned)
        #expect(answers(.running, hertz: hertz) == turned)
    }

    @Test(arguments: rates)
    func `in a car, on a shaken table and in free fall the orientation does not change`(hertz: Double) {
        #expect(answers(.car, hertz: hertz) == [.landscapeLeft])
        #expect(answers(.table, hertz: hertz) == [.faceUp])
        #expect(answers(.fall, hertz: hertz) == [.portrait])
    }

    @Test(arguments: rates)
    func `while walking a turn is classified within one second of its end`(hertz: Double) {
        var classifier = OrientationClassifier()
        let scenario = Scenario(
            name: "walk",
            [
                .reading(.portrait, back: 40, shaking: .walking, hold: 5),
                .reading(.landscapeLeft, back: 40, shaking: .walking, hold: 5),
            ])
        let changed = scenario.samples(hertz: hertz).filter { classifier.ingest($0) != nil }.last?.time
        #expect((changed ?? .infinity) < scenario.duration - 5 + 1)
    }

    @Test func `the presets answer in the order quick, standard, calm`() {
        func times(_ settings: ClassifierSettings) -> [Double] {
            var classifier = OrientationClassifier(settings: settings)
            return Scenario.poses.samples(hertz: 100).filter { classifier.ingest($0) != nil }.map(\.time)
        }
        let (quick, standard, calm) = (times(.quick), times(.standard), times(.calm))
        #expect(quick.count > 5 && quick.count == standard.count && standard.count == calm.count)
        // The first sample gives the first answer with every preset.
        for index in quick.indices.dropFirst() where index < min(standard.count, calm.count) {
            #expect(quick[index] < standard[index] && standard[index] < calm[index])
        }
    }
}
