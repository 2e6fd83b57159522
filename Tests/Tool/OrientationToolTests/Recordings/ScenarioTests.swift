// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// The classifier's answers for simulated motion, at usual sampling rates.
@Suite struct ScenarioTests {
    private static let rates = [10.0, 25, 50, 100]

    private func answers(_ scenario: Scenario, hertz: Double) -> [DeviceOrientation] {
        var classifier = OrientationClassifier()
        return scenario.samples(hertz: hertz).compactMap { classifier.ingest($0) }
    }

    @Test(arguments: rates)
    func `the demonstration has each pose once within 15 s, and ends with the first`(hertz: Double) {
        #expect(Scenario.demonstration.duration <= 15)
        let poses: [DeviceOrientation] = [
            .portrait, .landscapeLeft, .portraitUpsideDown, .faceUp, .landscapeRight, .faceDown, .portrait,
        ]
        #expect(answers(.demonstration, hertz: hertz) == poses)
    }

    @Test(arguments: [30.0, 60, 120, 240, 480, 720], rates)
    func `every quarter and half turn between edges is classified without other answers`(speed: Double, hertz: Double) {
        let edges: [DeviceOrientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
        for (from, start) in edges.enumerated() {
            for (to, end) in edges.enumerated() where to != from {
                let turn = Scenario("turn", [.pose(start, hold: 1.5), .pose(end, speed: speed, hold: 1.5)])
                let answers = answers(turn, hertz: hertz)
                #expect(answers.first == start && answers.last == end)
                // A slow half turn passes the edge in between.
                #expect(answers.count <= ((to - from).isMultiple(of: 2) ? 3 : 2))
            }
        }
    }

    @Test(arguments: rates)
    func `while walking, running and in a car the orientation changes only when the device is turned`(hertz: Double) {
        let turned: [DeviceOrientation] = [.portrait, .landscapeLeft, .portrait, .landscapeRight]
        #expect(answers(.walking, hertz: hertz) == turned)
        #expect(answers(.running, hertz: hertz) == turned)
        #expect(answers(.car, hertz: hertz) == [.landscapeLeft])
    }

    @Test(arguments: rates)
    func `while walking a turn is classified within one second of its end`(hertz: Double) {
        var classifier = OrientationClassifier()
        let scenario = Scenario(
            "walk",
            [
                .pose(.portrait, back: 40, hold: 5, shaking: .walking),
                .pose(.landscapeLeft, back: 40, hold: 5, shaking: .walking),
            ])
        let changed = scenario.samples(hertz: hertz).filter { classifier.ingest($0) != nil }.last?.time
        #expect((changed ?? .infinity) < scenario.duration - 5 + 1)
    }
}
