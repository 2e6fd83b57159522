// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon
@testable import Sensors

@Suite struct MotionHandlerTests {
    private let bench: StateBench

    init() throws { bench = try StateBench() }

    private let sample = MotionSample(timestamp: 1_000_000, acceleration: Acceleration(x: 1, y: 2, z: 3))

    @Test func `an untrusted client is refused with the requirement`() throws {
        let client = bench.client()
        let effects = bench.call("Motion.Monitor", mode: .more, from: client)
        #expect(effects.messages(to: client).first?.contains("PermissionDenied") == true)
        #expect(effects.sensor.isEmpty)
    }

    @Test(arguments: [0.0, -1]) func `a rate that is not above 0 is refused`(rate: Double) throws {
        let client = bench.client(isTrusted: true)
        let effects = bench.call("Motion.Monitor", ["maximumRate": .real(rate)], mode: .more, from: client)
        #expect(effects.messages(to: client).first?.contains("InvalidParameter") == true)
    }

    @Test func `the most demanding subscriber decides the rate, and the last one that leaves ends it`() throws {
        let (slow, fast) = (bench.client(isTrusted: true), bench.client(isTrusted: true))
        #expect(
            bench.call("Motion.Monitor", ["maximumRate": 10], mode: .more, from: slow).sensor == [
                "rate 10.0", "start 1",
            ])
        #expect(bench.call("Motion.Monitor", ["maximumRate": 50], mode: .more, from: fast).sensor == ["rate 50.0"])
        #expect(bench.send(.client(.left(fast.client))).sensor == ["rate 10.0"])
        let end = bench.send(.client(.left(slow.client)))
        #expect(end.sensor == ["rate none"])
        #expect(end.timers[.sensor(.accelerometer)] == SensorKind.accelerometer.lingerTime)
    }

    @Test func `the origin comes with the first samples, and again when another sensor is opened`() throws {
        let client = bench.client(isTrusted: true)
        bench.call("Motion.Monitor", mode: .more, from: client)
        bench.startSensor()
        #expect(bench.send(.samples([sample])).messages(to: client).first?.contains(#""device":"chip""#) == true)
        #expect(bench.send(.samples([sample])).messages(to: client).first?.contains("origin") == false)
        let other = SensorDescription(id: "iio:1", name: "other")
        bench.send(.sensor(.accelerometer, run: 1, .opened(other)))
        #expect(bench.send(.samples([sample])).messages(to: client).first?.contains(#""device":"other""#) == true)
    }

    @Test func `a subscriber that is behind misses samples, and is sent the obstacle when it has caught up`() throws {
        let client = bench.client(isTrusted: true)
        bench.call("Motion.Monitor", mode: .more, from: client)
        bench.startSensor()
        bench.send(.client(.fellBehind(client.client, since: bench.now)))
        #expect(bench.send(.samples([sample])).messages(to: client).isEmpty)
        #expect(
            bench.send(.sensor(.accelerometer, run: 1, .failed(sensor: "iio:0", .failed("unplugged")))).messages(
                to: client
            ).isEmpty)
        let messages = bench.send(.client(.caughtUp(client.client, sequence: nil))).messages(to: client)
        #expect(messages.count == 1 && messages[0].contains(#""reason":"unplugged""#))
        #expect(bench.send(.client(.caughtUp(client.client, sequence: nil))).messages(to: client).isEmpty)
    }

    @Test func `a subscriber after a failure of the sensor is sent the reason`() throws {
        _ = bench.subscriber()
        bench.send(.sensor(.accelerometer, run: 1, .failed(sensor: "iio:0", .failed("unplugged"))))
        let client = bench.client(isTrusted: true)
        let messages = bench.call("Motion.Monitor", mode: .more, from: client).messages(to: client)
        #expect(messages.count == 1 && messages[0].contains(#""reason":"unplugged""#))
    }
}
