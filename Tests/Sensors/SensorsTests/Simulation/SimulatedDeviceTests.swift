// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct SimulatedDeviceTests {
    private let device = SimulatedDevice()

    private func reading(at time: Double) throws -> Acceleration {
        try #require(try device.reading(at: time))
    }

    private func pose(at time: Double) throws -> DeviceOrientation? {
        let direction = try reading(at: time).normalized
        return DeviceOrientation.allCases.first { ($0.direction.map(direction.dot) ?? 0) > 0.99 }
    }

    @Test func `a turn takes the given time and the shortest rotation`() throws {
        device.move(.hold(.portrait), at: 0)
        device.move(.turn(to: .landscapeLeft, duration: 0.5), at: 1)
        #expect(try pose(at: 1) == .portrait)
        let half = try reading(at: 1.25).normalized
        #expect(half.x > 0.3 && half.y > 0.3 && abs(half.z) < 0.1)
        #expect(try pose(at: 1.51) == .landscapeLeft)
        #expect(try pose(at: 100) == .landscapeLeft)
    }

    @Test(arguments: [0.0, 0.3])
    func `a turn to the same pose, to the opposite one, or in no time ends in its target`(duration: Double) throws {
        for target in [DeviceOrientation.portrait, .portraitUpsideDown, .faceUp] {
            device.move(.hold(.portrait), at: 0)
            device.move(.turn(to: target, duration: duration), at: 1)
            #expect(try pose(at: 1.01 + duration) == target)
            #expect(try reading(at: 1 + duration / 2).isFinite)
        }
    }

    @Test func `a turn starts where an interrupted one stopped`() throws {
        device.move(.hold(.portrait), at: 0)
        device.move(.turn(to: .landscapeLeft, duration: 1), at: 0)
        let before = try reading(at: 0.5).normalized
        device.move(.turn(to: .portrait, duration: 1), at: 0.5)
        #expect(try reading(at: 0.5).normalized.dot(before) > 0.98)
        #expect(try pose(at: 1.6) == .portrait)
    }

    @Test func `a shake lasts the given time and keeps the orientation`() throws {
        device.move(.hold(.faceUp), at: 0)
        device.move(.shake(duration: 2), at: 1)
        let readings = try (0..<100).map { try reading(at: 1 + Double($0) * 0.02).magnitude }
        #expect((readings.max() ?? 0) - (readings.min() ?? 0) > 2)
        #expect(try pose(at: 3.5) == .faceUp)
    }

    @Test func `the sensor reads a given vector, also zero`() throws {
        device.move(.read(Acceleration(x: 3, y: -4, z: 0)), at: 0)
        let read = try reading(at: 1)
        #expect((read - Acceleration(x: 3, y: -4, z: 0)).magnitude < 1e-9)
        device.move(.read(Acceleration(x: 0, y: 0, z: 0)), at: 2)
        #expect(try reading(at: 3) == Acceleration.zero)
    }

    @Test func `each kind of failure lasts the given time or until it is ended, and keeps the orientation`() throws {
        device.move(.hold(.landscapeRight), at: 0)
        device.move(.fail(.failed, duration: 1), at: 10)
        #expect(throws: SensorFailure.failed("simulated failure, as requested")) {
            try device.reading(at: 10.5)
        }
        #expect(try pose(at: 11) == .landscapeRight)
        device.move(.fail(.gone, duration: 1), at: 20)
        #expect(throws: SensorFailure.gone("simulated removal, as requested")) {
            try device.reading(at: 20.5)
        }
        device.move(.fail(.silent, duration: 1), at: 30)
        #expect(try device.reading(at: 30.5) == nil)
        #expect(try pose(at: 31) == .landscapeRight)
        device.move(.fail(.gone, duration: 3_600), at: 40)
        device.move(.fail(.gone, duration: 0), at: 41)
        #expect(try pose(at: 41) == .landscapeRight)
    }
}
