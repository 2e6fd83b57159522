// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing

@Suite struct SimulationTests {
    @Test func `the demonstration has all seven orientations within fifteen seconds`() {
        var classifier = OrientationClassifier()
        var seen: Set<DeviceOrientation> = []
        let scenario = Scenario.demonstration
        #expect(scenario.duration <= 15)
        for tick in 0..<Int(scenario.duration * 25) {
            let time = Double(tick) / 25
            switch scenario.reading(at: time) {
            case .acceleration(let acceleration):
                _ = classifier.ingest(Sample(time: time, acceleration: acceleration))
            case .failure: classifier.forget()
            case .lost: break
            }
            seen.insert(classifier.orientation)
        }
        #expect(seen == Set(DeviceOrientation.allCases))
    }

    @Test func `the same seed gives the same samples, and another seed others`() {
        var scenario = Scenario.poorSensor
        let once = scenario.samples(hertz: 50)
        #expect(once == scenario.samples(hertz: 50))
        scenario.random.seed = 2
        #expect(once != scenario.samples(hertz: 50))
    }

    @Test func `a device at rest reads one gravity, and a falling one zero`() {
        let still = Scenario(name: "still", [.pose(.faceUp, hold: 1)]).samples(hertz: 100)
        #expect(still.allSatisfy { abs($0.acceleration.z - Acceleration.standardGravity) < 0.2 })
        let falling = Scenario.fall.samples(hertz: 100).filter { $0.time > 2.01 && $0.time < 2.32 }
        #expect(!falling.isEmpty && falling.allSatisfy { $0.acceleration.magnitude < 0.2 })
    }

    @Test func `a poor sensor clips, quantizes and loses samples`() {
        let scenario = Scenario.poorSensor
        let samples = scenario.samples(hertz: 100)
        let share = Double(samples.count) / (scenario.duration * 100)
        #expect(abs(share - 0.9) < 0.02)
        let step = Acceleration.standardGravity / 64
        for sample in samples {
            #expect(abs(sample.acceleration.x) <= 2 * Acceleration.standardGravity)
            let steps = sample.acceleration.x / step
            #expect(abs(steps - steps.rounded()) < 1e-9)
        }
    }

    @Test func `every scenario has a unique name and finite readings`() {
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
        for scenario in Scenario.all {
            #expect(Scenario.named(scenario.name) == scenario)
            #expect(scenario.samples(hertz: 100).allSatisfy { $0.acceleration.isFinite }, "\(scenario.name)")
        }
    }
}
