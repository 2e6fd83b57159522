// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Posix
import Testing

@testable import Sensors

/// A lid sensor that reads a script.
@Suite struct LidSensorTests {
    private final class Script: LidMeter {
        var reading: Result<LidReading, SensorFailure>
        var isShut: Bool?
        var display: LaptopHalf?

        init(_ angle: Double) { reading = .success(.angle(angle)) }

        func read(at now: Double) throws(SensorFailure) -> LidReading { try reading.get() }
    }

    /// In the future: a reading that ends over 1 s after its time is dropped, and a busy machine may be that late.
    private let start = BootClock.now() + 3_600

    private func sensor(_ script: Script) -> LidSensor {
        LidSensor(SensorDescription(.hinge, id: "lid", name: "lid", method: ""), script) { script.isShut }
    }

    /// Reads as the thread does until `seconds` have passed; returns the last result and the number of readings.
    private func run(
        _ sensor: LidSensor, from time: inout Double, for seconds: Double
    ) throws -> (reading: AmbientReading?, count: Int) {
        let end = time + seconds
        var (last, count) = (AmbientReading?.none, 0)
        while time < end {
            count += 1
            switch try sensor.next(at: start + time) {
            case .sample(let reading, .pause(let wait)):
                last = reading
                time += wait
            case .wait(.pause(let wait)): time += wait
            default: Issue.record("neither a sample nor a pause")
            }
        }
        return (last, count)
    }

    private func lid(_ isTablet: Bool, _ angle: Int, isCertain: Bool = false) -> AmbientReading {
        .lid(LidPosture(isTablet: isTablet, angle: angle, certainMode: isCertain ? isTablet : nil))
    }

    @Test func `A laptop at rest is read twice a second, and ten times when it folds`() throws {
        let script = Script(90)
        let sensor = sensor(script)
        var time = 0.0
        #expect(try run(sensor, from: &time, for: 2).reading == lid(false, 90))
        // Two seconds prove the mode.
        #expect(try run(sensor, from: &time, for: 0.5).reading == lid(false, 90, isCertain: true))
        #expect(try run(sensor, from: &time, for: 10).count == 20)
        script.reading = .success(.angle(100))
        #expect(try (10...11).contains(run(sensor, from: &time, for: 1).count))
    }

    @Test func `At rest, motion of a display that the sensor thread reads ends a wait of 4.5 s`() throws {
        let (script, measurements) = (Script(90), AccelerometerMeasurements())
        script.display = LaptopHalf(SensorDescription(id: "a", name: "chip"), measurements) { nil }
        let sensor = sensor(script)
        var time = 0.0
        _ = try run(sensor, from: &time, for: 2.5)
        let turn = { (degrees: Double) in
            let vector = Acceleration(x: 0, y: cos(degrees * .pi / 180), z: sin(degrees * .pi / 180))
            measurements.setSample(Sample(time: self.start + time, acceleration: vector), of: "a")
        }
        turn(0)
        guard case .sample(_, .input(let descriptor, 4.5)) = try sensor.next(at: start + time) else {
            Issue.record("it waits neither for motion nor for 4.5 s")
            return
        }
        let isReadable = {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&polled, 1, 0) == 1
        }
        turn(3)
        #expect(!isReadable())
        turn(6)
        #expect(isReadable())
        _ = try sensor.next(at: start + time)
        #expect(!isReadable())
        // The thread reads another sensor, or none.
        time += 10
        let last = try sensor.next(at: start + time)
        #expect(last == .sample(lid(false, 90, isCertain: true), then: .pause(seconds: 0.5)))
    }

    @Test func `A sensor that starts on a tablet says nothing before it is sure`() throws {
        let sensor = sensor(Script(270))
        var time = 0.0
        #expect(try run(sensor, from: &time, for: 0.25).reading == nil)
        #expect(try run(sensor, from: &time, for: 0.2).reading == lid(true, 270))
    }

    @Test(arguments: [(178.0, false), (181, true)])
    func `Whether one angle decides the mode depends on the angle before rounding`(
        angle: Double, isAmbiguous: Bool
    ) throws {
        var time = 0.0
        let reading = try run(sensor(Script(angle)), from: &time, for: 1).reading
        #expect(reading == .lid(LidPosture(isTablet: false, angle: 180, isAmbiguous: isAmbiguous)))
    }

    @Test func `The lid switch tells a shut lid from one that is folded back`() throws {
        let script = Script(358)
        script.isShut = false
        let sensor = sensor(script)
        var time = 0.0
        #expect(try run(sensor, from: &time, for: 1).reading == lid(true, 360))
        script.isShut = true
        #expect(try run(sensor, from: &time, for: 0.6).reading == lid(false, 0))
    }

    @Test func `A failed reading changes nothing, 30 s of them are a failure, and a removal is one at once`() throws {
        let script = Script(270)
        let sensor = sensor(script)
        var time = 0.0
        _ = try run(sensor, from: &time, for: 2)
        script.reading = .failure(.failed("bus error"))
        #expect(try run(sensor, from: &time, for: 29).reading == nil)
        #expect(throws: SensorFailure.failed("lid: no reliable lid angle for 30 s: bus error")) {
            _ = try run(sensor, from: &time, for: 2)
        }
        script.reading = .failure(.gone("unplugged"))
        #expect(throws: SensorFailure.gone("unplugged")) { _ = try run(self.sensor(script), from: &time, for: 1) }
    }

    @Test func `A sample of the sensor thread replaces a reading, and an older one a driver that refuses`() throws {
        let measurements = AccelerometerMeasurements()
        var failure: SensorFailure?
        let half = LaptopHalf(SensorDescription(id: "a", name: "chip"), measurements) { () throws(SensorFailure) in
            if let failure { throw failure }
            return Acceleration(x: 0, y: 0, z: 1)
        }
        measurements.setSample(Sample(time: 10, acceleration: Acceleration(x: 0, y: 1, z: 0)), of: "a")
        #expect(try half.sample(at: 10.05)?.acceleration.y == 1)
        #expect(try half.sample(at: 11)?.acceleration.z == 1)
        failure = .failed("busy")
        #expect(try half.sample(at: 11)?.acceleration.y == 1)
        #expect(throws: SensorFailure.failed("busy")) { _ = try half.sample(at: 16) }
        measurements.setSample(Sample(time: 16, acceleration: Acceleration(x: 1, y: 0, z: 0)), of: "b")
        #expect(throws: SensorFailure.failed("busy")) { _ = try half.sample(at: 16) }
    }
}
