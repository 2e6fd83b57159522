// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// The guided calibration with simulated users.
@Suite struct PoseSessionTests {
    private func taken(_ samples: [Sample], count: Int = 6) -> [PoseMeasurement] {
        var session = PoseSession(count: count)
        for sample in samples { _ = session.ingest(sample) }
        return session.measurements
    }

    @Test(arguments: [DeviceFrame.SensorSense.specificForce, .gravity])
    func `all 24 axis-aligned mounts are found from a guided calibration`(sense: DeviceFrame.SensorSense) throws {
        for rotation in Rotation.axisAligned {
            let bench = Bench(rotation, sense: sense)
            let measurements = taken(bench.samples(.calibration))
            #expect(measurements.map(\.pose) == Pose.allCases)
            #expect(try MountCalibration(measurements, driverSense: sense).rotation == rotation)
        }
    }

    @Test func `mounts are found with a poor chip and tilted poses`() throws {
        for (index, rotation) in (Rotation.axisAligned + Rotation.diagonal).enumerated() {
            let bench = Bench(rotation, sense: index % 2 == 0 ? .specificForce : .gravity)
            let measurements = taken(bench.poorSamples(tilt: 2, seed: UInt64(index)))
            #expect(measurements.count == 6, "\(index)")
            #expect(try MountCalibration(measurements, driverSense: bench.sense).rotation == rotation, "\(index)")
        }
    }

    @Test(arguments: [12.5, 25, 400])
    func `the sampling rate does not change the result`(hertz: Double) throws {
        let bench = Bench(Rotation.axisAligned[3])
        let measurements = taken(bench.samples(.calibration, hertz: hertz))
        #expect(try MountCalibration(measurements, driverSense: .specificForce).rotation == bench.rotation)
    }

    @Test func `a session for four poses ends after four`() throws {
        let bench = Bench(Rotation.axisAligned[3])
        #expect(taken(bench.samples(.calibration), count: 4).map(\.pose) == Array(Pose.allCases.prefix(4)))
    }

    @Test func `a device that is shaken or turned slowly completes no pose`() throws {
        let bench = Bench(Rotation.axisAligned[0])
        // As in a walk, and in a run.
        for shaking in [2.2, 9] {
            var session = PoseSession(count: 6)
            let shaken = bench.samples(Motion([.pose(.portrait, back: 40, hold: 7)], shaking: shaking))
            #expect(shaken.allSatisfy { session.ingest($0) != .taken(.top) }, "\(shaking)")
        }
        var stillness = Stillness()
        let turn = Motion([.pose(.portrait, hold: 1), .pose(.landscapeLeft, speed: 30, hold: 1)])
        let turning = bench.samples(turn).filter { $0.time > 1.5 && $0.time < 3.5 }
        #expect(turning.allSatisfy { stillness.ingest($0) == nil })
    }

    @Test func `a device that does not move completes one pose, and the session reports it`() throws {
        let bench = Bench(Rotation.axisAligned[0])
        var session = PoseSession(count: 6)
        let still = Motion([.pose(.portrait, hold: 5)])
        let steps = bench.samples(still).map { session.ingest($0) }
        #expect(session.measurements.map(\.pose) == [.top])
        #expect(steps.last == .unmoved(since: .top))
    }

    @Test func `a wrong pose is refused once, and the right pose after it is accepted`() throws {
        let bench = Bench(Rotation.axisAligned[7])
        var session = PoseSession(count: 4)
        // Two quarter turns instead of one, then the right pose.
        let person = Motion(
            [DeviceOrientation.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown, .landscapeRight].map {
                .pose($0, hold: 2)
            })
        let steps = bench.samples(person).map { session.ingest($0) }
        #expect(steps.compactMap { if case .refused(let failure) = $0 { failure } else { nil } }.count == 1)
        #expect(try MountCalibration(session.measurements, driverSense: .specificForce).rotation == bench.rotation)
    }

    @Test func `a wrong earlier pose restarts the session`() throws {
        let bench = Bench(Rotation.axisAligned[7])
        var session = PoseSession(count: 6)
        // The first pose is between two poses.
        let person = Motion(
            [.pose(.portrait, back: 45, hold: 2)]
                + ([.landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceDown, .faceUp] as [DeviceOrientation])
                .map {
                    .pose($0, hold: 2)
                })
        let steps = bench.samples(person).map { session.ingest($0) }
        #expect(steps.contains(.restarted))
        #expect(session.measurements.count < 6)
    }

    @Test func `a chip whose scale no known error explains is refused with its magnitude`() throws {
        let bench = Bench(Rotation.axisAligned[0])
        var session = PoseSession(count: 6)
        let steps = bench.samples(.calibration).map { session.ingest($0.scaled(by: 0.33)) }
        #expect(session.measurements.isEmpty)
        #expect(
            steps.contains {
                if case .refused(.notOneGravity(.top, let magnitude)) = $0 {
                    (magnitude - 3.2).magnitude < 0.1
                } else {
                    false
                }
            })
    }

    @Test func `the poses of a chip with half the scale, which the daemon corrects after the second, are accepted`() {
        let bench = Bench(Rotation.axisAligned[0])
        var session = PoseSession(count: 6)
        for sample in bench.samples(.calibration) {
            _ = session.ingest(sample.scaled(by: session.measurements.count < 2 ? 0.5 : 1))
        }
        #expect(session.measurements.map(\.pose) == Pose.allCases)
        #expect(session.measurements.allSatisfy { abs($0.vector.magnitude - Acceleration.standardGravity) < 0.1 })
    }

    @Test func `a recording of the poses gives the same mount as the guided calibration`() throws {
        let bench = Bench(Rotation.axisAligned[13])
        let samples = bench.poorSamples(tilt: 4, seed: 1)
        var stretches = StillPeriods()
        for sample in samples { stretches.ingest(sample) }
        let calibration = try MountCalibration(stretches.measurements(), driverSense: .specificForce)
        #expect(calibration.rotation == bench.rotation)
    }

    @Test func `a recording with a wrong number of poses is refused with that number`() throws {
        let bench = Bench(Rotation.axisAligned[0])
        let poses: [DeviceOrientation] = [
            .portrait, .landscapeLeft, .portraitUpsideDown, .faceUp, .landscapeRight, .faceDown, .portrait,
        ]
        let seven = Motion(poses.map { .pose($0, hold: 1.6) })
        for (motion, count) in [(seven, 7), (Motion([.pose(.portrait, hold: 5)], shaking: 9), 0)] {
            var stretches = StillPeriods()
            for sample in bench.samples(motion) { stretches.ingest(sample) }
            #expect(throws: CalibrationFailure.stillPeriods(found: count)) { try stretches.measurements() }
        }
    }
}
