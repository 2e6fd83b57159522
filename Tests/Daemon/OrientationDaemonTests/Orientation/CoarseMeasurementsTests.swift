// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing

@testable import OrientationDaemon

@Suite struct CoarseMeasurementsTests {
    private var coarse = CoarseMeasurements()

    private func state(_ tilt: Double?, _ disturbance: Double?, at timestamp: Int64 = 9) -> OrientationState {
        OrientationState(
            orientation: .portrait, tilt: tilt, disturbance: disturbance, sequence: 4, instance: "run",
            timestamp: timestamp, sensor: "chip")
    }

    private mutating func blur(_ tilt: Double?, _ disturbance: Double?, at now: Double) -> [Double?] {
        let blurred = coarse.blur(state(tilt, disturbance), decided: 7, at: now)
        return [blurred.tilt, blurred.disturbance]
    }

    @Test(arguments: [
        (12.4, 0.0, 10.0, 0.0), (12.6, 0.49, 15, 0), (-2.4, 0.5, 0, 0.5), (-88, 7.99, -90, 7.5), (90, 30, 90, 30),
    ])
    func `tilt is in steps of five degrees, disturbance in steps of half a metre per second squared`(
        tilt: Double, disturbance: Double, coarseTilt: Double, coarseDisturbance: Double
    ) {
        var coarse = CoarseMeasurements()
        let blurred = coarse.blur(state(tilt, disturbance), decided: 7, at: 100)
        #expect(blurred.tilt == coarseTilt)
        #expect(blurred.tilt?.sign == (coarseTilt < 0 ? .minus : .plus))
        #expect(blurred.disturbance == coarseDisturbance)
    }

    @Test mutating func `the timestamp is that of the decision, and the other fields are unchanged`() {
        let blurred = coarse.blur(state(10, 0.5, at: 123_456_789), decided: 7, at: 100)
        #expect(blurred == state(10, 0.5, at: 7))
    }

    @Test mutating func `measurements are renewed once per second at any rate of calls`() {
        #expect(blur(10, 0, at: 100) == [10, 0])
        #expect(blur(50, 3, at: 100.99) == [10, 0])
        #expect(blur(50, 3, at: 101) == [50, 3])
        #expect(blur(10, 0, at: 101.5) == [50, 3])
    }

    @Test mutating func `a tilt that dithers around a step at 1 kHz shows at most one change a second`() {
        var changes = 0
        var last: [Double?] = []
        for number in 0..<10_000 {
            let now = 100 + Double(number) / 1_000
            let seen = blur(number % 2 == 0 ? 12.4 : 12.6, number % 3 == 0 ? 0.49 : 0.51, at: now)
            if seen != last { changes += 1 }
            last = seen
        }
        #expect(changes <= 10)
    }

    @Test mutating func `a restart of the sensor does not renew them sooner`() {
        #expect(blur(10, 0, at: 100) == [10, 0])
        #expect(blur(nil, nil, at: 100.25) == [nil, nil])
        #expect(blur(50, 3, at: 100.5) == [10, 0])
        #expect(blur(nil, nil, at: 101.5) == [nil, nil])
        #expect(blur(50, 3, at: 101.75) == [50, 3])
    }
}
