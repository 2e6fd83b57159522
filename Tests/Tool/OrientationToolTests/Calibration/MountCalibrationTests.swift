// SPDX-License-Identifier: Apache-2.0

import Glibc
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
    func `a chip at 45 degrees in the plane of the screen is found from four, five and six poses`(
        sense: DeviceFrame.SensorSense
    ) throws {
        #expect(Set(Rotation.diagonal).count == 8)
        var generator = SeededGenerator(seed: 7)
        for rotation in Rotation.diagonal {
            let bench = Bench(rotation, sense: sense)
            for count in Pose.counts {
                let poses = Array(Pose.allCases.prefix(count))
                let measurements = bench.measurements(poses, tilt: 5, using: &generator)
                let calibration = try MountCalibration(measurements, driverSense: sense)
                #expect(calibration.rotation == rotation && !calibration.isAxisAligned && calibration.faceSign == nil)
                expectRightPoses(calibration, bench.measurements(), within: 0.01)
            }
        }
    }

    @Test func `a sensor core is calibrated to the matrix that its port has measured, as a rule`() throws {
        // Galaxy Tab S8+: x is up with the top edge, y with the left edge, z with the screen.
        let up: [(Pose, Acceleration)] = [
            (.top, Acceleration(x: 1, y: 0, z: 0)), (.right, Acceleration(x: 0, y: -1, z: 0)),
            (.bottom, Acceleration(x: -1, y: 0, z: 0)), (.left, Acceleration(x: 0, y: 1, z: 0)),
            (.faceUp, Acceleration(x: 0, y: 0, z: 1)),
        ]
        let measurements = up.map { PoseMeasurement($0.0, Acceleration.standardGravity * $0.1) }
        let calibration = try MountCalibration(measurements, driverSense: .specificForce)
        expectRightPoses(calibration, measurements)
        let entry = HardwareDatabaseEntry(
            pattern: SensorCore.rulePattern, matrix: calibration.matrix, faceSign: calibration.faceSign)
        #expect(entry.lines[0].hasSuffix(#"ENV{ACCEL_MOUNT_MATRIX}="0, 1, 0; -1, 0, 0; 0, 0, 1""#))
    }

    @Test(arguments: Pose.counts, [Pose.top, .right, .faceUp])
    func `a chip at another angle is refused with that angle, beyond the tolerance`(count: Int, axis: Pose) throws {
        let poses = Array(Pose.allCases.prefix(count))
        for (degrees, isFound) in [(11.0, true), (13, false), (22, false)] {
            let turned = Rotation.axisAligned[5].turned(by: degrees, about: axis.direction)
            let measurements = Bench(turned).measurements(poses)
            do throws(CalibrationFailure) {
                let calibration = try MountCalibration(measurements, driverSense: .specificForce)
                #expect(isFound && calibration.rotation == Rotation.axisAligned[5])
            } catch {
                guard case .oblique(let found) = error else { throw error }
                #expect(!isFound && (found - degrees).magnitude < 1)
            }
        }
    }

    @Test func `the margin to the next best mounting is smaller for poses that are held worse`() throws {
        let bench = Bench(Rotation.axisAligned[0])
        var generator = SeededGenerator(seed: 5)
        let margins = try [0.0, 5, 12].map { tilt in
            try MountCalibration(
                bench.measurements(tilt: tilt, using: &generator), driverSense: .specificForce
            ).margin
        }
        #expect(margins == margins.sorted(by: >) && margins[2] > 15, "\(margins)")
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
}

extension Rotation {
    /// Returns the rotation of a chip that is turned by an angle in degrees about an axis of the device.
    fileprivate func turned(by degrees: Double, about axis: Acceleration) -> Rotation {
        // Rodrigues' formula.
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        func turn(_ vector: Acceleration) -> Acceleration {
            cosine * vector + sine * axis.cross(vector) + (1 - cosine) * axis.dot(vector) * axis
        }
        let axes = sensorAxes.map(turn)
        return Rotation(
            x: Acceleration(x: axes[0].x, y: axes[1].x, z: axes[2].x),
            y: Acceleration(x: axes[0].y, y: axes[1].y, z: axes[2].y))
    }
}
