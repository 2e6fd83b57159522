// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing
import VarlinkServer

@testable import OrientationDaemon
@testable import Sensors

@Suite struct SensorProxyHandlerTests {
    private let chip = SensorDescription(id: "iio:0", name: "chip", isChosen: true)

    /// A service on the bus, with a sensor that was found and the name.
    private func served(_ ambient: [SensorDescription] = []) throws -> StateBench {
        let bench = try StateBench(servesSensorProxy: true)
        let connected = bench.send(.bus(.connected))
        #expect(connected.sensor == ["scan 1 presence"] && connected.ambient == ["scan 1 presence"])
        #expect(bench.send(.sensorThread(.ambient, .scanned(request: 1, SensorList(ambient)))).bus.isEmpty)
        let found = bench.send(.sensorThread(.accelerometer, .scanned(request: 1, SensorList([chip]))))
        #expect(found.bus == ["request name"])
        #expect(bench.send(.bus(.name(.owned))).logs.count == 1)
        return bench
    }

    private func claimant(_ client: String, _ sensor: SensorKind = .accelerometer) -> Claimant {
        Claimant(client: client, sensor: sensor)
    }

    /// A client claims a sensor and is authorized.
    @discardableResult private func claim(
        _ bench: StateBench, _ client: String, _ sensor: SensorKind = .accelerometer, call: Int
    ) -> [Effect] {
        let claimant = claimant(client, sensor)
        var effects = bench.send(.bus(.claim(call, by: claimant)))
        effects += bench.send(.bus(.identified(claimant, .success(1000))))
        return effects + bench.send(.bus(.authorized(claimant, refusal: nil)))
    }

    @Test func `the name is requested once the sensors are known, or after a timeout`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        let connected = bench.send(.bus(.connected))
        #expect(connected.bus.isEmpty && connected.timers[.busName] == SensorProxyHandler.scanTimeout)
        #expect(bench.send(.timer(.busName)).bus == ["request name"])
        #expect(bench.send(.sensorThread(.accelerometer, .scanned(request: 1, SensorList([])))).bus.isEmpty)
    }

    @Test func `the list of ambient sensors says whether desktops are served, and why none is`() throws {
        let bench = try served()
        var request = 1
        let list = {
            bench.now += 1
            request += 1
            let caller = bench.client()
            bench.call("Orientation.ListAmbientSensors", from: caller)
            let scanned = bench.send(.sensorThread(.ambient, .scanned(request: request, SensorList([.chosen(.light)]))))
            return try #require(scanned.messages(to: caller).first)
        }
        let reply = try list()
        #expect(reply.contains(#""served":true"#) && !reply.contains("outage"))
        for (event, reason) in [
            (BusEvent.name(.queued), "another program owns net.hadess.SensorProxy"),
            (.name(.denied("not allowed")), "not allowed; install the package orientationd-sensorproxy"),
            (.disconnected, "orientationd is not connected to the system bus"),
        ] {
            bench.send(.bus(event))
            let reply = try list()
            #expect(reply.contains(#""served":false"#) && reply.contains(#""outage":""#) && reply.contains(reason))
        }
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

    @Test func `the call of a client that leaves, or whose user stays unknown, is answered`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        #expect(bench.send(.bus(.vanished(claimant(":1.5")))).bus == ["unwatch :1.5", "refuse 1 AccessDenied"])
        bench.send(.bus(.claim(2, by: claimant(":1.6"))))
        #expect(
            bench.send(.bus(.identified(claimant(":1.6"), .failure(.denied("timed out"))))).bus
                == ["refuse 2 AccessDenied"])
        bench.send(.bus(.claim(3, by: claimant(":1.7"))))
        #expect(
            bench.send(.bus(.identified(claimant(":1.7"), .failure(.tooMany("clients"))))).bus
                == ["refuse 3 LimitsExceeded"])
    }

    @Test func `a disconnected sensor causes a scan, and claimants are sent its absence`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        #expect(
            bench.send(.sensor(.accelerometer, run: 1, .failed(sensor: "iio:0", .failed("gone")))).sensor == [
                "scan 2 presence"
            ])
        let absent = bench.send(.sensorThread(.accelerometer, .scanned(request: 2, SensorList([]))))
        #expect(absent.bus == ["signal :1.5: HasAccelerometer"])
    }

    @Test func `a sensor that appears makes the name appear again while no client holds a claim`() throws {
        let bench = try StateBench(servesSensorProxy: true)
        bench.send(.bus(.connected))
        bench.send(.sensorThread(.ambient, .scanned(request: 1, SensorList([]))))
        bench.send(.sensorThread(.accelerometer, .scanned(request: 1, SensorList([]))))
        bench.send(.bus(.name(.owned)))
        bench.send(.devicesChanged)
        let found = bench.send(.sensorThread(.accelerometer, .scanned(request: 2, SensorList([chip]))))
        #expect(found.bus == ["reacquire name"])
    }

    @Test func `a lost bus drops all claims and the sensor, and the next connection starts again`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        #expect(bench.send(.bus(.disconnected)).timers[.sensor(.accelerometer)] == SensorKind.accelerometer.lingerTime)
        #expect(bench.send(.bus(.connected)).sensor == ["scan 2 presence"])
    }

    @Test func `a new tilt is published at most once a second`() throws {
        let bench = try served()
        claim(bench, ":1.5", call: 1)
        bench.startSensor()
        var tilted = ClassifiedSample(orientation: .portrait, lastEdge: .portrait, tiltBand: .tiltedUp, timestamp: 1)
        #expect(bench.send(.sensor(.accelerometer, run: 1, .decided(tilted))).bus.isEmpty)
        bench.now += 1
        #expect(bench.send(.timer(.tilt)).bus == ["signal :1.5: AccelerometerTilt"])
        tilted.pose = .faceUp
        tilted.tiltBand = .faceUp
        #expect(bench.send(.sensor(.accelerometer, run: 1, .decided(tilted))).bus == ["signal :1.5: AccelerometerTilt"])
    }
}

// MARK: Ambient sensors

extension SensorProxyHandlerTests {
    @Test func `a released light sensor stops at once, and the next claim waits for a new reading`() throws {
        let bench = try served([.chosen(.light)])
        claim(bench, ":1.5", .light, call: 1)
        bench.send(.sensor(.light, run: 1, .read(.light(0, .lux))))
        #expect(bench.send(.bus(.release(2, by: claimant(":1.5", .light)))).ambient == ["stop light"])
        // A reading of the stopped run is dropped.
        #expect(bench.send(.sensor(.light, run: 1, .read(.light(9, .lux)))).bus.isEmpty)
        let again = claim(bench, ":1.5", .light, call: 3)
        #expect(again.ambient == ["start light 2"] && !again.bus.contains("reply 3"))
        #expect(
            bench.send(.sensor(.light, run: 2, .read(.light(1, .lux)))).bus == ["signal :1.5: LightLevel", "reply 3"])
    }

    @Test func `clients receive the changes of the sensors that they claim, and of no other`() throws {
        let bench = try served([.chosen(.light), .chosen(.proximity), .chosen(.compass)])
        for (call, kind) in [SensorKind.light, .proximity, .compass].enumerated() {
            claim(bench, ":1.\(call)", kind, call: call)
        }
        let near = bench.send(.sensor(.proximity, run: 1, .read(.proximity(isNear: true))))
        #expect(near.bus == ["signal :1.1: ProximityNear", "reply 1"])
        let turned = bench.send(.sensor(.compass, run: 1, .read(.compass(90))))
        #expect(turned.bus == ["signal :1.2: CompassHeading", "reply 2"])
    }

    @Test(arguments: SensorKind.allCases) func `polkit decides about each sensor`(_ sensor: SensorKind) throws {
        let bench = try served()
        let claimant = claimant(":1.5", sensor)
        _ = bench.send(.bus(.claim(1, by: claimant)))
        let asked = bench.send(.bus(.identified(claimant, .success(1000))))
        #expect(asked.bus == ["watch :1.5", "authorize :1.5 of 1000"])
        let refused = bench.send(.bus(.authorized(claimant, refusal: "no session")))
        #expect(refused.bus.contains { $0.hasPrefix("refuse 1") })
    }

    @Test func `claims on absent sensors are answered when they are permitted`() throws {
        let bench = try served()
        for (call, kind) in [SensorKind.light, .proximity, .compass].enumerated() {
            #expect(claim(bench, ":1.5", kind, call: call).bus.last == "reply \(call)")
        }
    }

    @Test func `a claim on a silent light sensor is answered after its own timeout`() throws {
        let bench = try served([.chosen(.light)])
        claim(bench, ":1.5", call: 1)
        bench.now += 1
        claim(bench, ":1.5", .light, call: 2)
        bench.now += 1
        let first = bench.send(.timer(.claims))
        #expect(first.bus == ["reply 1"] && first.timers[.claims] == 1)
        bench.now += 1
        #expect(bench.send(.timer(.claims)).bus == ["reply 2"])
    }

    @Test func `a disconnected light sensor is reported to its claimants, and its return as well`() throws {
        let bench = try served([.chosen(.light)])
        claim(bench, ":1.5", .light, call: 1)
        bench.send(.sensor(.light, run: 1, .opened(.chosen(.light))))
        bench.send(.sensor(.light, run: 1, .read(.light(300, .lux))))
        let gone = bench.send(.sensor(.light, run: 1, .failed(sensor: "iio:device1", .gone("gone"))))
        #expect(gone.ambient == ["scan 2 presence"] && gone.timers[.sensor(.light)] != nil)
        #expect(
            bench.send(.sensorThread(.ambient, .scanned(request: 2, SensorList([])))).bus == [
                "signal :1.5: HasAmbientLight"
            ])
        let back = bench.send(.devicesChanged)
        #expect(back.ambient == ["start light 2", "scan 3 choice"])
        #expect(
            bench.send(.sensorThread(.ambient, .scanned(request: 3, SensorList([.chosen(.light)])))).bus == [
                "signal :1.5: HasAmbientLight"
            ])
        #expect(bench.send(.sensor(.light, run: 2, .read(.light(20, .lux)))).bus == ["signal :1.5: LightLevel"])
    }

    @Test func `a scan that fails takes no sensor from desktops`() throws {
        let bench = try served([.chosen(.proximity)])
        bench.send(.ambientDevicesChanged)
        let list = SensorList(failure: .failed("too many open files"))
        #expect(bench.send(.sensorThread(.ambient, .scanned(request: 2, list))).bus.isEmpty)
        bench.send(.timer(.scan(.ambient)))
        let other = SensorList([.chosen(.light)], failure: .failed("too many open files"))
        #expect(bench.send(.sensorThread(.ambient, .scanned(request: 3, other))).bus == ["reacquire name"])
    }
}
