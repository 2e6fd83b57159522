// SPDX-License-Identifier: Apache-2.0

import Sensors
import Testing

@testable import OrientationDaemon

/// When the ambient sensors run. Claims are those of ``SensorProxyHandlerTests``.
@Suite struct AmbientHandlerTests {
    private let bench: StateBench

    init() throws {
        bench = try StateBench(servesSensorProxy: true)
    }

    private func sensor(_ kind: AmbientKind, _ id: String) -> AmbientDescription {
        var sensor = AmbientDescription(id: id, name: "chip", kind: kind, reading: "in_raw")
        sensor.isChosen = true
        return sensor
    }

    @discardableResult private func fail(_ run: Int, _ failure: SensorFailure = .failed("broken")) -> [Effect] {
        bench.send(.ambientThread(.failed(.light, run: run, sensor: "iio:device1", failure)))
    }

    @Test func `a sensor that keeps failing is tried with exponential backoff, and another one first`() {
        #expect(bench.send(.ambientDemand(.light, true)).ambient == ["start light 1"])
        #expect(fail(1).timers[.ambient].map { ($0 * 10).rounded() } == 1)
        // The timer is set for the time of the attempt, and does nothing before.
        #expect(bench.send(.timer(.ambient)).ambient.isEmpty)
        bench.now += 0.1
        #expect(bench.send(.timer(.ambient)).ambient == ["start light 2 not iio:device1"])
        #expect(fail(2).timers[.ambient].map { ($0 * 10).rounded() } == 2)
        bench.now += 0.3
        bench.send(.timer(.ambient))
        bench.send(.ambientThread(.opened(sensor(.light, "iio:device1"), run: 3)))
        bench.now += AmbientSupervisor.provingTime
        #expect(fail(3).timers[.ambient].map { ($0 * 10).rounded() } == 1)
    }

    @Test func `without a sensor nothing is tried until the devices change`() {
        bench.send(.ambientDemand(.light, true))
        let absent = fail(1, .noDevice("no usable light sensor found"))
        #expect(absent.timers[.ambient] == nil && absent.logs == ["no usable light sensor found"])
        #expect(bench.send(.ambientDevicesChanged).ambient == ["start light 2", "scan 1"])
    }

    @Test(arguments: [true, false])
    func `a sensor that appears while an attempt finds none is started once it is listed`(isListed: Bool) {
        bench.send(.ambientDemand(.light, true))
        #expect(bench.send(.ambientDevicesChanged).ambient == ["scan 1"])
        let failure = SensorFailure.noDevice("no usable light sensor found")
        bench.send(.ambientThread(.failed(.light, run: 1, sensor: nil, failure)))
        let sensors = isListed ? [sensor(.light, "iio:device1")] : []
        let effects = bench.send(.ambientThread(.scanned(request: 1, sensors)))
        #expect(effects.ambient == (isListed ? ["start light 2"] : []))
    }

    @Test func `the list names a sensor that has failed and delivered no reading since`() {
        var handler = AmbientHandler()
        var listed: AmbientDescription? {
            guard case .scanAmbient(let request, _)? = handler.scan(.listing).first else { return nil }
            let effects = handler.handle(.scanned(request: request, [sensor(.light, "iio:device1")]), at: 0)
            guard case .raise(.ambientScanned(_, .success(let sensors)))? = effects.first else { return nil }
            return sensors.first
        }
        _ = handler.demand(.light, true, at: 0)
        #expect(listed?.isFailing == false)
        _ = handler.handle(.failed(.light, run: 1, sensor: "iio:device1", .failed("broken")), at: 0)
        #expect(listed?.isFailing == true && listed?.lastError == "broken")
        _ = handler.timerFired(at: 1)
        _ = handler.handle(.opened(sensor(.light, "iio:device1"), run: 2), at: 1)
        #expect(listed?.isFailing == true)
        _ = handler.handle(.read(.light(1, .lux), run: 2), at: 1)
        #expect(listed?.isFailing == false && listed?.lastError == "broken")
    }

    @Test func `a sensor that another one replaces stays listed as failing until it delivers a reading`() {
        var handler = AmbientHandler()
        let both = [sensor(.light, "iio:device1"), sensor(.light, "iio:device2")]
        var failing: [Bool] {
            guard case .scanAmbient(let request, _)? = handler.scan(.listing).first,
                case .raise(.ambientScanned(_, .success(let sensors)))? = handler.handle(
                    .scanned(request: request, both), at: 0
                ).first
            else { return [] }
            return sensors.map(\.isFailing)
        }
        _ = handler.demand(.light, true, at: 0)
        _ = handler.handle(.failed(.light, run: 1, sensor: "iio:device1", .failed("broken")), at: 0)
        _ = handler.timerFired(at: 1)
        _ = handler.handle(.opened(both[1], run: 2), at: 1)
        _ = handler.handle(.read(.light(1, .lux), run: 2), at: 1)
        #expect(failing == [true, false])
        guard case .scanAmbient(_, let avoided)? = handler.scan(.choice).first else {
            Issue.record("no scan")
            return
        }
        #expect(avoided.keys.map(\.id) == ["iio:device1"])
        // A device event lets it be tried again, and proves nothing.
        _ = handler.devicesChanged(at: 2)
        #expect(failing == [true, false])
    }

    @Test func `a failure of each retry is logged once, and so is the recovery`() {
        let open = { (run: Int) in bench.send(.ambientThread(.opened(sensor(.light, "iio:device1"), run: run))).logs }
        let read = { (run: Int) in bench.send(.ambientThread(.read(.light(1, .lux), run: run))).logs }
        let using = "using iio:device1 (chip) as light sensor, in_raw"
        bench.send(.ambientDemand(.light, true))
        #expect(open(1) == [using])
        #expect(fail(1).logs == ["light sensor failed: broken; trying the next one, or the same one again"])
        for run in 2...4 {
            bench.now += 60
            bench.send(.timer(.ambient))
            #expect(open(run).isEmpty)
            #expect(fail(run).logs.isEmpty)
        }
        bench.now += 60
        bench.send(.timer(.ambient))
        #expect(open(5).isEmpty)
        #expect(read(5) == [using])
        #expect(read(5).isEmpty)
        #expect(fail(5).logs == ["light sensor failed: broken; trying the next one, or the same one again"])
    }

    @Test func `the warnings of a sensor are logged once and listed`() {
        var invalid = sensor(.light, "iio:device1")
        invalid.warnings = ["in_illuminance_scale: invalid value 'x': using 1"]
        let warning = "iio:device1: \(invalid.warnings[0])"
        bench.send(.ambientDemand(.light, true))
        let opened = bench.send(.ambientThread(.opened(invalid, run: 1))).logs
        #expect(opened == [warning, "using iio:device1 (chip) as light sensor, in_raw"])
        fail(1)
        bench.now += 60
        bench.send(.timer(.ambient))
        #expect(bench.send(.ambientThread(.opened(invalid, run: 2))).logs.isEmpty)
        let caller = bench.client()
        bench.call("Orientation.ListAmbientSensors", from: caller)
        let listed = bench.send(.ambientThread(.scanned(request: 1, [invalid])))
        #expect(listed.messages(to: caller).first?.contains("in_raw; in_illuminance_scale: invalid value") == true)
    }

    @Test func `a failure after the release starts nothing`() {
        bench.send(.ambientDemand(.light, true))
        #expect(bench.send(.ambientDemand(.light, false)).ambient == ["stop light"])
        #expect(fail(1).isEmpty)
    }

    @Test func `after a suspend the running sensors are opened again, and no other`() {
        bench.send(.ambientDemand(.light, true))
        bench.send(.ambientDemand(.compass, true))
        #expect(bench.send(.woke).ambient == ["start light 2", "start compass 2"])
    }

    @Test func `a better sensor that appears replaces the running one`() {
        bench.send(.ambientDemand(.light, true))
        bench.send(.ambientThread(.opened(sensor(.light, "hwmon0"), run: 1)))
        #expect(bench.send(.ambientDevicesChanged).ambient == ["scan 1"])
        let chosen = bench.send(.ambientThread(.scanned(request: 1, [sensor(.light, "iio:device1")])))
        #expect(chosen.ambient == ["start light 2"])
    }

    @Test func `a running sensor whose facts have changed is opened again, the others stay open`() {
        for kind in [AmbientKind.light, .proximity] {
            bench.send(.ambientDemand(kind, true))
            bench.send(.ambientThread(.opened(sensor(kind, "iio:device1"), run: 1)))
        }
        let both = [sensor(.light, "iio:device1"), sensor(.proximity, "iio:device1")]
        #expect(bench.send(.devicesChanged).ambient == ["scan 1"])
        let scanned = bench.send(.ambientThread(.scanned(request: 1, both, outdated: [.proximity])))
        #expect(scanned.ambient == ["start proximity 2"])
        // iio-sensor-proxy started or stopped.
        #expect(bench.send(.sensorProxyUnitChanged).ambient == ["scan 2"])
        #expect(bench.send(.ambientThread(.scanned(request: 2, both))).ambient.isEmpty)
    }

    @Test func `without --dbus a change of iio-sensor-proxy lists no ambient sensors`() throws {
        let bench = try StateBench(servesSensorProxy: false)
        #expect(bench.send(.sensorProxyUnitChanged).ambient.isEmpty)
    }

    @Test func `a list says how the running sensor is read`() {
        bench.send(.ambientDemand(.light, true))
        var captured = sensor(.light, "iio:device1")
        captured.reading = "captured from its buffer"
        bench.send(.ambientThread(.opened(captured, run: 1)))
        let caller = bench.client()
        #expect(bench.call("Orientation.ListAmbientSensors", from: caller).ambient == ["scan 1"])
        let listed = bench.send(.ambientThread(.scanned(request: 1, [sensor(.light, "iio:device1")])))
        #expect(listed.messages(to: caller).first?.contains("captured from its buffer") == true)
    }

    @Test func `a running sensor that is no longer listed is opened again, which reports its absence`() {
        bench.send(.ambientDemand(.light, true))
        bench.send(.ambientThread(.opened(sensor(.light, "iio:device1"), run: 1)))
        bench.send(.ambientDevicesChanged)
        #expect(bench.send(.ambientThread(.scanned(request: 1, []))).ambient == ["start light 2"])
    }

    @Test func `a hung call answers lists and claims, and the result of another scan is used when the hang ends`() {
        bench.send(.ambientDemand(.light, true))
        bench.send(.bus(.connected))
        let hung = bench.send(.ambientHung(seconds: 5))
        #expect(hung.logs == ["a light, proximity or compass sensor: timed out: no response for 5 s"])
        #expect(bench.send(.ambientScanWanted(.choice)).ambient == ["scan 2"])
        #expect(bench.send(.ambientScanWanted(.listing)).ambient.isEmpty)
        bench.send(.ambientThread(.scanned(request: 1, [sensor(.compass, "iio:device2")])))
        #expect(bench.send(.ambientScanWanted(.listing)).ambient == ["scan 3"])
        let chosen = bench.send(.ambientThread(.scanned(request: 2, [])))
        #expect(chosen.bus.isEmpty && chosen.ambient.isEmpty)
    }

    @Test func `a hang that ends without a reading ends the refusal of lists`() {
        bench.send(.ambientHung(seconds: 5))
        #expect(bench.send(.ambientScanWanted(.listing)).ambient.isEmpty)
        bench.send(.ambientThread(.responded))
        #expect(bench.send(.ambientScanWanted(.listing)).ambient == ["scan 1"])
    }

    @Test func `the daemon exits after all sensors are closed`() {
        bench.send(.ambientDemand(.light, true))
        #expect(bench.send(.end).ambient == ["close"])
        bench.send(.lockFinished)
        let exits = bench.send(.ambientThread(.idle)).contains { if case .exit(0) = $0 { true } else { false } }
        #expect(exits)
    }
}
