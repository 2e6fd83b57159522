// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct OrientationHandlerTests {
    private let bench: StateBench

    init() throws { bench = try StateBench() }

    private func contains(_ message: String?, _ parts: String...) -> Bool {
        parts.allSatisfy { message?.contains($0) ?? false }
    }

    @Test func `the first state of a subscriber says that the sensor is being started`() throws {
        let client = bench.client()
        let effects = bench.call("Orientation.Monitor", mode: .more, from: client)
        #expect(effects.sensor == ["start 1"])
        let messages = effects.messages(to: client)
        #expect(messages.count == 1)
        #expect(contains(messages.first, #""orientation":"unknown""#, #""reason":"starting""#, #""continues":true"#))
        #expect(contains(bench.startSensor().messages(to: client).last, #""orientation":"portrait""#))
    }

    @Test func `a subscriber that needs no reading sees the lock, and keeps the sensor off`() throws {
        let client = bench.client()
        let effects = bench.call("Orientation.Monitor", ["sensor": false], mode: .more, from: client)
        #expect(effects.sensor.isEmpty)
        #expect(contains(effects.messages(to: client).first, #""orientation":"unknown""#, #""locked":false"#))
        let lock = bench.call(
            "Control.SetRotationLock", ["locked": true, "edge": "portrait"], from: bench.client(isTrusted: true))
        #expect(contains(lock.messages(to: client).first, #""lockedTo":"portrait""#) && lock.sensor.isEmpty)
        let other = bench.client()
        #expect(bench.call("Orientation.Monitor", mode: .more, from: other).sensor == ["start 1"])
        bench.startSensor()
        bench.send(.client(.left(other.client)))
        #expect(bench.send(.timer(.sensor(.accelerometer))).sensor == ["stop"])
    }

    @Test func `the sensor is released when the last subscriber leaves`() throws {
        let (one, two) = (bench.subscriber(), bench.subscriber())
        bench.startSensor()
        #expect(bench.send(.client(.left(one.client))).timers[.sensor(.accelerometer)] == nil)
        #expect(
            bench.send(.client(.left(two.client))).timers[.sensor(.accelerometer)]
                == SensorKind.accelerometer.lingerTime)
        #expect(bench.send(.timer(.sensor(.accelerometer))).sensor == ["stop"])
    }

    @Test func `a client that leaves before the sensor was requested for it does not subscribe`() throws {
        let client = bench.subscriber()
        bench.send(.client(.left(client.client)))
        #expect(bench.send(.sensorRequested(for: client.client)).isEmpty)
        #expect(bench.startSensor().messages(to: client).isEmpty)
    }

    @Test func `Get waits for the first reading, and each caller is answered once`() throws {
        let (one, two) = (bench.client(), bench.client())
        let effects = bench.call("Orientation.Get", from: one)
        #expect(effects.sensor == ["start 1"])
        #expect(effects.messages(to: one).isEmpty)
        #expect(effects.timers[.pendingCalls] == PendingCalls.timeout)
        bench.call("Orientation.Get", from: two)
        let answers = bench.startSensor()
        #expect(answers.messages(to: one).count == 1 && answers.messages(to: two).count == 1)
        #expect(bench.decide(.landscapeLeft).messages(to: one).isEmpty)
        bench.now += PendingCalls.timeout
        let end = bench.send(.timer(.pendingCalls))
        #expect(end.messages(to: one).isEmpty)
        #expect(end.timers[.sensor(.accelerometer)] == SensorKind.accelerometer.lingerTime)
    }

    @Test func `Get without a reading is answered with the current state after the timeout`() throws {
        let client = bench.client()
        bench.call("Orientation.Get", from: client)
        bench.now += PendingCalls.timeout
        let messages = bench.send(.timer(.pendingCalls)).messages(to: client)
        #expect(messages.count == 1)
        #expect(contains(messages.first, #""orientation":"unknown""#, #""reason":"starting""#))
    }

    @Test func `a caller that leaves while Get waits is not answered`() throws {
        let client = bench.client()
        bench.call("Orientation.Get", from: client)
        bench.send(.client(.left(client.client)))
        #expect(bench.startSensor().messages(to: client).isEmpty)
    }

    @Test func `an untrusted client receives coarse measurements, and a trusted one exact ones`() throws {
        let (trusted, other) = (bench.client(isTrusted: true), bench.client())
        for client in [trusted, other] { bench.call("Orientation.Monitor", mode: .more, from: client) }
        let effects = bench.startSensor()
        #expect(contains(effects.messages(to: trusted).last, #""tilt":12.3"#, #""disturbance":0.7"#))
        #expect(contains(effects.messages(to: other).last, #""tilt":10.0"#, #""disturbance":0.5"#))
    }

    @Test func `a subscriber that is behind is sent the newest state alone when it has caught up`() throws {
        let client = bench.subscriber()
        bench.startSensor()
        bench.send(.client(.fellBehind(client.client, since: bench.now)))
        bench.decide(.landscapeLeft)
        bench.decide(.landscapeRight)
        let effects = bench.send(.client(.caughtUp(client.client, sequence: 3)))
        #expect(effects.messages(to: client).count == 1)
        #expect(contains(effects.messages(to: client).first, #""orientation":"landscapeRight""#))
        #expect(bench.send(.client(.caughtUp(client.client, sequence: 5))).messages(to: client).isEmpty)
    }

    @Test func `a recording waits for a reader that is behind, up to the timeout`() throws {
        let client = bench.subscriber()
        let recording = SensorDescription(id: "replay:a", name: "a")
        bench.send(.sensor(.accelerometer, run: 1, .opened(recording, supportsBackpressure: true)))
        bench.decide(.portrait)
        let behind = bench.send(.client(.fellBehind(client.client, since: bench.now)))
        #expect(behind.sensor == ["pause"])
        #expect(behind.timers[.backpressure] == OrientationHandler.readerTimeout)
        bench.now += OrientationHandler.readerTimeout
        #expect(bench.send(.timer(.backpressure)).sensor == ["resume"])
        bench.send(.client(.caughtUp(client.client, sequence: 3)))
        #expect(bench.send(.client(.fellBehind(client.client, since: bench.now))).sensor == ["pause"])
        #expect(bench.send(.client(.left(client.client))).sensor == ["resume"])
    }

    @Test func `a live sensor does not wait for a reader`() throws {
        let client = bench.subscriber()
        bench.startSensor()
        #expect(bench.send(.client(.fellBehind(client.client, since: bench.now))).sensor.isEmpty)
    }

    @Test func `the tablet switch is a change for subscribers, and only when it changes`() throws {
        let client = bench.subscriber()
        #expect(contains(bench.send(.tabletSwitchChanged(true)).messages(to: client).first, #""tabletMode":true"#))
        #expect(bench.send(.tabletSwitchChanged(true)).isEmpty)
        #expect(contains(bench.send(.tabletSwitchChanged(nil)).messages(to: client).first, #""sequence":4"#))
    }

    @Test func `a change that is not one of the sensor is sent with the newest measurements`() throws {
        let client = bench.subscriber(isTrusted: true)
        bench.startSensor()
        for (tilt, event) in [(31.5, Event.lockChanged(.on(.top))), (32.5, .tabletSwitchChanged(true))] {
            bench.attitude?.tilt = tilt
            #expect(contains(bench.send(event).messages(to: client).first, #""tilt":\#(tilt)"#))
        }
    }

    @Test func `all callers of ListSensors share a scan, and the last vector is for trusted callers`() throws {
        let (trusted, other) = (bench.client(isTrusted: true), bench.client())
        #expect(bench.call("Orientation.ListSensors", from: trusted).sensor == ["scan 1 listing"])
        var chip = SensorDescription(id: "iio:0", name: "chip")
        chip.lastVector = Acceleration(x: 1, y: 2, z: 3)
        let first = bench.send(.sensorThread(.accelerometer, .scanned(request: 1, SensorList([chip]))))
        #expect(contains(first.messages(to: trusted).first, "lastVector"))
        let wait = bench.call("Orientation.ListSensors", from: other)
        #expect(wait.sensor.isEmpty && wait.timers[.listing(.accelerometer)] == 1)
        bench.now += 1
        #expect(bench.send(.timer(.listing(.accelerometer))).sensor == ["scan 2 listing"])
        let second = bench.send(.sensorThread(.accelerometer, .scanned(request: 2, SensorList([chip]))))
        #expect(second.messages(to: other).count == 1)
        #expect(!contains(second.messages(to: other).first, "lastVector"))
    }

    @Test func `ListSensors while the sensor hangs is answered with the hang, in any burst of calls`() throws {
        let watcher = bench.subscriber()
        bench.startSensor()
        bench.send(.sensorHung(.accelerometer, seconds: 5))
        let client = bench.client()
        let refused = bench.call("Orientation.ListSensors", from: client)
        #expect(
            contains(refused.messages(to: client).first, "SensorUnavailable", "iio:0: timed out: no response for 5 s"))
        // The burst of the audit: a subscription, and the client closes before it is answered.
        bench.call("Orientation.Monitor", mode: .more, from: client)
        bench.send(.client(.left(client.client)))
        #expect(
            bench.send(.client(.left(watcher.client))).timers[.sensor(.accelerometer)]
                == SensorKind.accelerometer.lingerTime)
    }

    @Test func `a sensor lost during a broadcast is last reported as off to every observer`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        let client = bench.subscriber()
        bench.startSensor()
        // The table cannot write the change to its only subscriber: the departure is an event after the report.
        bench.send(.sensor(.accelerometer, run: 1, .failed(sensor: "iio:0", .failed("unplugged"))))
        bench.send(.client(.left(client.client)))
        #expect(bench.reports.suffix(2) == [.unavailable(reason: "unplugged"), .off])
    }

    @Test func `an unknown method or an invalid call is refused`() throws {
        let client = bench.client()
        #expect(contains(bench.call("Orientation.Fly", from: client).messages(to: client).first, "MethodNotFound"))
        #expect(contains(bench.call("Nothing.Get", from: client).messages(to: client).first, "InterfaceNotFound"))
        #expect(
            contains(
                bench.call("Orientation.Get", ["x": 1], from: client).messages(to: client).first, "InvalidParameter"))
    }
}
