// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensing

@Suite struct SimulatedDeviceTests {
    private let device = SimulatedDevice()

    private func reading(at time: Double) throws -> Acceleration {
        try #require(try device.reading(at: time))
    }

    private func pose(at time: Double) throws -> DeviceOrientation? {
        let direction = try reading(at: time).normalized
        return DeviceOrientation.allCases.first { ($0.direction.map(direction.dot) ?? 0) > 0.99 }
    }

    @Test func `it plays its scenario over and over, from when it is first read`() throws {
        let scenario = Scenario(name: "test", [.pose(.portrait, hold: 1), .pose(.faceUp, speed: 1_000, hold: 1)])
        device.play(scenario, at: 100)
        #expect(try pose(at: 100.5) == .portrait)
        #expect(try pose(at: 100 + scenario.duration - 0.2) == .faceUp)
        #expect(try pose(at: 100.5 + scenario.duration) == .portrait)
    }

    @Test(arguments: DeviceOrientation.allCases.filter { $0 != .unknown })
    func `in a hand it is held so at once, and stays so`(pose: DeviceOrientation) throws {
        device.play(.poses, at: 0)
        device.move(.hold(pose), at: 5)
        #expect(try self.pose(at: 5) == pose)
        #expect(try self.pose(at: 5_000) == pose)
    }

    @Test func `what was taken in hand stays in hand when the sensor is opened again`() throws {
        device.move(.hold(.faceDown), at: 1)
        device.play(.poses, at: 2)
        #expect(try pose(at: 3) == .faceDown)
    }

    @Test func `a turn takes the time that it is given, on the shortest way`() throws {
        device.move(.hold(.portrait), at: 0)
        device.move(.turn(to: .landscapeLeft, duration: 0.5), at: 1)
        #expect(try pose(at: 1) == .portrait)
        let half = try reading(at: 1.25).normalized
        #expect(half.x > 0.3 && half.y > 0.3 && abs(half.z) < 0.1)
        #expect(try pose(at: 1.51) == .landscapeLeft)
        #expect(try pose(at: 100) == .landscapeLeft)
    }

    @Test(arguments: [0.0, 0.3])
    func `a turn to where it is, to its opposite, or in no time ends where it should`(duration: Double) throws {
        for target in [DeviceOrientation.portrait, .portraitUpsideDown, .faceUp] {
            device.move(.hold(.portrait), at: 0)
            device.move(.turn(to: target, duration: duration), at: 1)
            #expect(try pose(at: 1.01 + duration) == target)
            #expect(try reading(at: 1 + duration / 2).isFinite)
        }
    }

    @Test func `a turn begins where the last one was broken off`() throws {
        device.move(.hold(.portrait), at: 0)
        device.move(.turn(to: .landscapeLeft, duration: 1), at: 0)
        let before = try reading(at: 0.5).normalized
        device.move(.turn(to: .portrait, duration: 1), at: 0.5)
        #expect(try reading(at: 0.5).normalized.dot(before) > 0.98)
        #expect(try pose(at: 1.6) == .portrait)
    }

    @Test func `shaken it is shaken for so long, and held as before`() throws {
        device.move(.hold(.faceUp), at: 0)
        device.move(.shake(duration: 2), at: 1)
        let readings = try (0..<100).map { try reading(at: 1 + Double($0) * 0.02).magnitude }
        #expect((readings.max() ?? 0) - (readings.min() ?? 0) > 2)
        #expect(try pose(at: 3.5) == .faceUp)
    }

    @Test func `its sensor reads the vector that it is given, also none`() throws {
        device.move(.read(Acceleration(x: 3, y: -4, z: 0)), at: 0)
        let read = try reading(at: 1)
        #expect(abs(read.x - 3) < 0.2 && abs(read.y + 4) < 0.2 && abs(read.z) < 0.2)
        device.move(.read(Acceleration(x: 0, y: 0, z: 0)), at: 2)
        #expect(try reading(at: 3).magnitude < 0.2)
    }

    @Test func `it fails, vanishes or falls silent for so long, and is held as before`() throws {
        device.move(.hold(.landscapeRight), at: 0)
        device.move(.fail(.failed, duration: 1), at: 10)
        #expect(throws: SensorFailure.failed("the simulated sensor fails, as it was asked to")) {
            try device.reading(at: 10.5)
        }
        #expect(try pose(at: 11) == .landscapeRight)
        device.move(.fail(.gone, duration: 1), at: 20)
        #expect(throws: SensorFailure.gone("the simulated sensor is gone, as it was asked to be")) {
            try device.reading(at: 20.5)
        }
        device.move(.fail(.silent, duration: 1), at: 30)
        #expect(try device.reading(at: 30.5) == nil)
        #expect(try pose(at: 31) == .landscapeRight)
    }
}
