// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Systemd
import Testing
import VarlinkServer

@testable import OrientationDaemon

@Suite struct SensorProxyHandlerTests {
    private let chip = SensorDescription(id: "iio:0", name: "chip", isChosen: true)

    /// A service on the bus, with a sensor that was found and the name.
    private func served() throws -> StateBench {
        let bench = try StateBench(servesSensorProxy: true)
        #expect(bench.send(.bus(.connected)).sensor == ["scan 1 presence"])
        let found = bench.send(.sensorThread(.scanned(request: 1, [chip], isCurrentOutdated: false)))
        #expect(found.bus == ["request name"])
        #expect(bench.send(.bus(.name(.owned))).logs.count == 1)
        return bench
    }

    /// A client claims the sensor and is authorized.
    @discardableResult private func claim(_ bench: StateBench, _ client: String, call: Int) -> [Effect] {
        var effects = bench.send(.bus(.claim(call, client: client)))
        effects += bench.send(.bus(.identified(client, user: 1000)))
        return effects + bench.send(.bus(.authorized(client, refusal: nil)))
    }

    @Test func `the name is requested once the sensors are known, or after a timeout`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        let connected = bench.send(.bus(.connected))
        #expect(connected.bus.isEmpty && connected.timers[.busName] == SensorProxyHandler.scanTimeout)
        #expect(bench.send(.timer(.busName)).bus == ["request name"])
        #expect(bench.send(.sensorThread(.scanned(request: 1, [], isCurrentOutdated: false))).bus.isEmpty)
    }

    @Test func `a claim starts the sensor, and is answered with the first reading, after the values`() throws {
        let bench = try served()
        let claimed = claim(bench, ":1.5", call: 1)
        #expect(claimed.bus == ["identify :1.5", "watch :1.5", "authorize :1.5 of 1000"])
        #expect(claimed.sensor == ["start 1"])
        #expect(claimed.timers[.claims] == SensorProxyHandler.readingTimeout)
        let read = bench.startSensor()
        #expect(read.bus == ["signal :1.5: AccelerometerOrientation AccelerometerTilt", "reply 1"])
        #expect(bench.decide(.landscapeLeft).bus == ["signal :1.5: AccelerometerOrientation"])
    }

    @Test func `a claim without a reading is answered after the timeout`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        #expect(bench.send(.timer(.claims)).bus == ["reply 1"])
    }

    @Test func `a refused claim is answered with the reason and is not held`() throws {
        let bench = try served()
        bench.send(.bus(.claim(1, client: ":1.5")))
        bench.send(.bus(.identified(":1.5", user: 1000)))
        let refused = bench.send(.bus(.authorized(":1.5", refusal: "no session")))
        #expect(refused.bus == ["unwatch :1.5", "refuse 1 AccessDenied"])
        #expect(refused.sensor.isEmpty)
    }

    @Test func `the sensor is released when the last claimant releases or leaves the bus`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        claim(bench, ":1.6", call: 2)
        bench.startSensor()
        #expect(bench.send(.bus(.release(3, client: ":1.5"))).bus == ["unwatch :1.5", "reply 3"])
        let gone = bench.send(.bus(.vanished(":1.6")))
        #expect(gone.timers[.sensor] == SensorSupervisor.lingerTime)
    }

    @Test func `a disconnected sensor causes a scan, and claimants are sent its absence`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        #expect(bench.send(.sensorThread(.failed(run: 1, .failed("gone")))).sensor == ["scan 2 presence"])
        let absent = bench.send(.sensorThread(.scanned(request: 2, [], isCurrentOutdated: false)))
        #expect(absent.bus == ["signal :1.5: HasAccelerometer"])
    }

    @Test func `a sensor that appears makes the name appear again while no client holds a claim`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        bench.send(.bus(.connected))
        bench.send(.sensorThread(.scanned(request: 1, [], isCurrentOutdated: false)))
        bench.send(.bus(.name(.owned)))
        bench.send(.devicesChanged)
        let found = bench.send(.sensorThread(.scanned(request: 2, [chip], isCurrentOutdated: false)))
        #expect(found.bus == ["reacquire name"])
    }

    @Test func `a lost bus drops all claims and the sensor, and the next connection starts again`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        #expect(bench.send(.bus(.disconnected)).timers[.sensor] == SensorSupervisor.lingerTime)
        #expect(bench.send(.bus(.connected)).sensor == ["scan 2 presence"])
    }

    @Test func `a claim on a machine without a sensor is answered when it is permitted`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        bench.send(.bus(.connected))
        bench.send(.sensorThread(.scanned(request: 1, [], isCurrentOutdated: false)))
        #expect(claim(bench, ":1.5", call: 1).bus.last == "reply 1")
    }

    @Test func `a new tilt is published at most once a second`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        var tilted = Attitude(orientation: .portrait, lastEdge: .portrait, tiltBand: .tiltedUp, timestamp: 1)
        #expect(bench.send(.sensorThread(.decided(run: 1, tilted))).bus.isEmpty)
        bench.now += 1
        #expect(bench.send(.timer(.tilt)).bus == ["signal :1.5: AccelerometerTilt"])
        tilted.orientation = .faceUp
        tilted.tiltBand = .faceUp
        #expect(bench.send(.sensorThread(.decided(run: 1, tilted))).bus == ["signal :1.5: AccelerometerTilt"])
    }
}
