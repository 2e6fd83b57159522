// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

@testable import OrientationTool

@Suite struct MountCalibrationTests {
    private static let senses: [DeviceFrame.SensorSense] = [.specificForce, .gravity]

    /// Checks that the resulting device frame maps each measurement to its pose.
    private func expectRightPoses(
        _ calibration: MountCalibration, _ measurements: [PoseMeasurement], within degrees: Double = 1e-3,
        _ location: SourceLocation = #_sourceLocation
    ) {
        for measurement in measurements {
            let seen = calibration.frame(measurement.vector)
            #expect(seen.angle(to: measurement.pose.direction) < degrees, sourceLocation: location)
        }
    }

    @Test(arguments: senses)
    func `each of the 24 axis-aligned mounts is found exactly from four, five and six poses`(
        sense: DeviceFrame.SensorSense
    ) throws {
        #expect(Set(Rotation.axisAligned).count == 24)
        for rotation in Rotation.axisAligned {
            let bench = Bench(rotation, sense: sense)
            for count in Pose.counts {
                let poses = Array(Pose.allCases.prefix(count))
                let calibration = try MountCalibration(bench.measurements(poses), driverSense: sense)
                #expect(calibration.isAxisAligned)
                #expect(calibration.rotation == rotation)
                #expect(calibration.faceSign == nil)
                #expect(calibration.matrix.determinant == (sense == .specificForce ? 1 : -1))
                #expect(calibration.matrix.elements.allSatisfy { [-1, 0, 1].contains($0) })
                expectRightPoses(calibration, bench.measurements())
            }
        }
    }

    @Test(arguments: senses)
    func `random mounts are found to within one degree without noise`(sense: DeviceFrame.SensorSense) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let bench = Bench(.random(using: &generator), sense: sense)
            let calibration = try MountCalibration(bench.measurements(), driverSense: sense)
            #expect(!calibration.isAxisAligned)
            #expect(calibration.rotation.angle(to: bench.rotation) < 0.01)
            expectRightPoses(calibration, bench.measurements(), within: 1)
        }
    }

    @Test func `a mount within the tolerance of an axis-aligned one is replaced by it, and others are not`() throws {
        for (degrees, isAligned) in [
            (MountCalibration.axisTolerance - 1, true), (MountCalibration.axisTolerance + 1, false),
        ] {
            let half = degrees * .pi / 360
            let turned = Rotation(quaternion: [0, half.sine, 0, half.cosine])
            let calibration = try MountCalibration(Bench(turned).measurements(), driverSense: .specificForce)
            #expect(calibration.isAxisAligned == isAligned)
            #expect((calibration.nearest.angle - degrees).magnitude < 1e-6)
            #expect((calibration.rotation == calibration.nearest.rotation) == isAligned)
            if !isAligned { #expect(calibration.rotation.angle(to: turned) < 1e-6) }
        }
    }

    @Test func `poses tilted by five degrees give the exact matrix and residuals of five degrees`() throws {
        var generator = SeededGenerator(seed: 3)
        for rotation in Rotation.axisAligned {
            let measurements = Bench(rotation).measurements(tilt: 5, using: &generator)
            let calibration = try MountCalibration(measurements, driverSense: .specificForce)
            #expect(calibration.rotation == rotation)
            for residual in calibration.residuals { #expect((residual.angle - 5).magnitude < 0.1) }
        }
    }

    @Test func `a constant tilt of all poses gives the exact mount`() throws {
        let bench = Bench(Rotation.axisAligned[5])
        let measurements = Pose.allCases.map { pose -> PoseMeasurement in
            let leaning = pose.direction + 0.25 * Pose.faceUp.direction
            let up = (Acceleration.standardGravity / leaning.magnitude) * leaning
            return PoseMeasurement(pose, bench.reading(of: up))
        }
        let calibration = try MountCalibration(measurements, driverSense: .specificForce)
        #expect(calibration.rotation == bench.rotation)
    }

    @Test(arguments: senses)
    func `a driver with the opposite sign is detected from a face, and faceSign corrects it`(
        sense: DeviceFrame.SensorSense
    ) throws {
        let driver: DeviceFrame.SensorSense = sense == .specificForce ? .gravity : .specificForce
        for rotation in Rotation.axisAligned {
            let bench = Bench(rotation, sense: sense)
            let calibration = try MountCalibration(bench.measurements(), driverSense: driver)
            guard case .opposite = calibration.sense else {
                Issue.record("the sense was not detected")
                return
            }
            #expect(calibration.faceSign == (sense == .specificForce ? 1 : -1))
            expectRightPoses(calibration, bench.measurements())

            let edges = try MountCalibration(bench.measurements(Array(Pose.allCases.prefix(4))), driverSense: driver)
            guard case .expected(isMeasured: false) = edges.sense else {
                Issue.record("edges alone cannot tell the sense")
                return
            }
            #expect(edges.faceSign == nil)
            expectRightPoses(edges, bench.measurements(Array(Pose.allCases.prefix(4))))
        }
    }

    @Test func `bias and scale of each axis are found from six poses for any mount, and not from five`() throws {
        var generator = SeededGenerator(seed: 11)
        let bias = Acceleration(x: 0.4, y: -0.3, z: 0.6)
        for _ in 0..<20 {
            let bench = Bench(.random(using: &generator))
            let measurements = bench.measurements(tilt: 4, using: &generator).map { measurement in
                let truth = measurement.vector
                return PoseMeasurement(
                    measurement.pose,
                    Acceleration(x: truth.x * 1.03, y: truth.y * 0.98, z: truth.z * 1.01) + bias)
            }
            let calibration = try MountCalibration(measurements, driverSense: .specificForce)
            let errors = try #require(calibration.errors)
            #expect((errors.bias - bias).magnitude < (errors.isScalePerAxis ? 0.01 : 0.15))
            if errors.isScalePerAxis {
                #expect((errors.scale - Acceleration(x: 1.03, y: 0.98, z: 1.01)).magnitude < 0.001)
            }
            let five = try MountCalibration(Array(measurements.prefix(5)), driverSense: .specificForce)
            #expect(five.errors == nil)
        }
    }
}

extension Double {
    fileprivate var sine: Double { self - self * self * self / 6 + self * self * self * self * self / 120 }
    fileprivate var cosine: Double { (1 - sine * sine).squareRoot() }
}
