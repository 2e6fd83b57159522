// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

@testable import OrientationTool

/// Measurements that contradict each other: each gives its own error.
@Suite struct CalibrationFailureTests {
    private func calibrate(_ measurements: [PoseMeasurement]) throws(CalibrationFailure) -> MountCalibration {
        try MountCalibration(measurements, driverSense: .specificForce)
    }

    private func measurements(_ change: (inout [PoseMeasurement]) -> Void) throws -> [PoseMeasurement] {
        var generator = SeededGenerator(seed: 2)
        var measurements = Bench(Rotation.axisAligned[9]).measurements(tilt: 4, using: &generator)
        change(&measurements)
        return measurements
    }

    @Test(arguments: [0.0, 4.9, 19.6, .nan, .infinity])
    func `a vector far from one standard gravity is refused`(gravities: Double) throws {
        let measurements = try measurements { $0[2].vector = Acceleration(x: gravities, y: 0, z: 0) }
        #expect {
            try calibrate(measurements)
        } throws: { error in
            guard case .notOneGravity(.bottom, _)? = error as? CalibrationFailure else { return false }
            return "\(error)".contains("its scale is wrong")
        }
    }

    @Test func `swapping left and right is detected from a face as the opposite sense`() throws {
        let measurements = try measurements { ($0[1].vector, $0[3].vector) = ($0[3].vector, $0[1].vector) }
        guard case .opposite = try calibrate(measurements).sense else {
            Issue.record("the swap was not detected")
            return
        }
    }

    @Test func `a pose between two poses is refused with its deviation`() throws {
        let halfway = try measurements { $0[4].vector = 0.7071 * ($0[4].vector + $0[0].vector) }
        #expect {
            try calibrate(halfway)
        } throws: { error in
            guard case .misplaced(.faceUp, let degrees)? = error as? CalibrationFailure else { return false }
            return degrees > 30
        }
    }

    @Test func `every message is one line`() {
        let all: [CalibrationFailure] = [
            .notOneGravity(.faceUp, magnitude: 4.9034), .oblique(degrees: 21.7), .misplaced(.faceDown, degrees: 41.7),
            .stillPeriods(found: 9),
        ]
        for failure in all { #expect(!failure.description.contains { $0.isNewline }) }
        #expect(all[0].description.hasPrefix("screen up: the sensor reads 4.9 m/s²"))
        #expect(all[2].description.hasPrefix("screen down: 42° from the attitude"))
    }
}
