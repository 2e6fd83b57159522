// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationModel
import SeededRandomness
import Testing

/// What a person can show that cannot be what was asked for: each is told by name.
@Suite struct NonsenseTests {
    private func calibrate(_ measurements: [PoseMeasurement]) throws(CalibrationFailure) -> MountCalibration {
        try MountCalibration(measurements, driverSense: .specificForce)
    }

    private func shown(_ change: (inout [PoseMeasurement]) -> Void) throws -> [PoseMeasurement] {
        var generator = SeededGenerator(seed: 2)
        var measurements = try Bench(Rotation.axisAligned[9]).measurements(tilt: 4, using: &generator)
        change(&measurements)
        return measurements
    }

    @Test func `three poses are too few, and none are`() throws {
        let three = try shown { $0.removeLast(3) }
        #expect(throws: CalibrationFailure.tooFew(3)) { try calibrate(three) }
        #expect(throws: CalibrationFailure.tooFew(0)) { try calibrate([]) }
    }

    @Test func `a pose that is given twice`() throws {
        let measurements = try shown { $0[3].pose = .portrait }
        #expect(throws: CalibrationFailure.givenTwice(.portrait)) { try calibrate(measurements) }
    }

    @Test func `a device that was not turned between two poses`() throws {
        let measurements = try shown { $0[1].vector = $0[0].vector }
        #expect(throws: CalibrationFailure.same(.portrait, .landscapeLeft)) { try calibrate(measurements) }
    }

    @Test(arguments: [0.0, 4.9, 19.6, .nan, .infinity])
    func `a vector that is not one g long`(gravities: Double) throws {
        let measurements = try shown { $0[2].vector = Acceleration(x: gravities, y: 0, z: 0) }
        #expect {
            try calibrate(measurements)
        } throws: { error in
            guard case .notOneGravity(.portraitUpsideDown, _)? = error as? CalibrationFailure else { return false }
            return "\(error)".contains("its scale is wrong")
        }
    }

    @Test func `two neighbours that were exchanged`() throws {
        // With all six, another exchange would explain it too; five leave one.
        let measurements = try shown {
            $0.removeLast()
            ($0[0].vector, $0[4].vector) = ($0[4].vector, $0[0].vector)
        }
        #expect(throws: CalibrationFailure.exchanged(.portrait, .faceUp)) { try calibrate(measurements) }
    }

    @Test func `left and right exchanged make a mirrored frame, which is told once a face is shown`() throws {
        let measurements = try shown { ($0[1].vector, $0[3].vector) = ($0[3].vector, $0[1].vector) }
        guard case .opposite = try calibrate(measurements).sense else {
            Issue.record("the exchange was not noticed")
            return
        }
    }

    @Test func `a pose held half-way, and one that is somewhere else`() throws {
        let halfway = try shown { $0[4].vector = 0.7071 * ($0[4].vector + $0[0].vector) }
        #expect {
            try calibrate(halfway)
        } throws: { error in
            guard case .misplaced(.faceUp, let degrees)? = error as? CalibrationFailure else { return false }
            return degrees > 30
        }
    }

    @Test func `poses that leave left and right open`() throws {
        let measurements = try shown { $0.removeAll { $0.pose == .landscapeLeft || $0.pose == .landscapeRight } }
        #expect(throws: CalibrationFailure.undetermined(.landscapeLeft, .landscapeRight)) {
            try calibrate(measurements)
        }
    }

    @Test func `every complaint is one line`() {
        let all: [CalibrationFailure] = [
            .tooFew(1), .givenTwice(.portrait), .moving(.faceUp), .notOneGravity(.faceUp, magnitude: 4.9034),
            .same(.portrait, .faceUp), .exchanged(.portrait, .faceUp), .misplaced(.faceDown, degrees: 41.7),
            .undetermined(.portrait, .portraitUpsideDown), .stretches(found: 9),
        ]
        for failure in all { #expect(!failure.description.contains { $0.isNewline }) }
        #expect(all[3].description.hasPrefix("in faceUp the sensor reads 4.9 m/s²"))
        #expect(all[6].description.hasPrefix("faceDown is 42° from"))
    }
}
