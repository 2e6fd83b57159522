// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

/// When the sensors run, and what is logged and listed: the contract of every kind, and what differs.
@Suite struct SensorHandlerTests {
    private let bench: StateBench

    init() throws {
        bench = try StateBench(servesSensorProxy: true, hasHinge: true)
    }

    /// A requester needs a sensor, or no longer does. Returns what is done with the sensors of its group.
    @discardableResult private func demand(_ kind: SensorKind, _ isNeeded: Bool = true) -> [String] {
        bench.send(.sensorDemand(.sensorProxy(kind), isNeeded, for: nil)).actions(of: kind.group)
    }

    @discardableResult private func open(_ sensor: SensorDescription, run: Int) -> [Effect] {
        bench.send(.sensor(sensor.kind, run: run, .opened(sensor)))
    }

    @discardableResult private func read(_ kind: SensorKind, run: Int) -> [Effect] {
        bench.send(.sensor(kind, run: run, .firstReading(of: kind)))
    }

    @discardableResult private func fail(
        _ kind: SensorKind, run: Int, _ failure: SensorFailure = .failed("broken")
    ) -> [Effect] {
        bench.send(.sensor(kind, run: run, .failed(sensor: "iio:device1", failure)))
    }

    private func scanned(
        _ group: SensorGroup, _ request: Int, _ sensors: [SensorDescription], outdated: Set<SensorKind> = []
    ) -> [Effect] {
        bench.send(.sensorThread(group, .scanned(request: request, SensorList(sensors), outdated: outdated)))
    }

    private func start(_ kind: SensorKind, _ run: Int) -> String {
        kind == .accelerometer ? "start \(run)" : "start \(kind) \(run)"
    }

    @Test(arguments: SensorKind.allCases)
    func `a failure is logged once until the sensor has worked again`(kind: SensorKind) {
        demand(kind)
        open(.chosen(kind), run: 1)
        read(kind, run: 1)
        #expect(fail(kind, run: 1).logs.map { $0.contains("broken") } == [true])
        for run in 2...3 {
            bench.send(.timer(.sensor(kind)))
            open(.chosen(kind), run: run)
            #expect(fail(kind, run: run).logs.isEmpty)
        }
        bench.send(.timer(.sensor(kind)))
        open(.chosen(kind), run: 4)
        read(kind, run: 4)
        #expect(fail(kind, run: 4).logs.count == 1)
    }

    @Test(arguments: SensorKind.allCases)
    func `a sensor that failed recently is chosen last`(kind: SensorKind) {
        demand(kind)
        fail(kind, run: 1)
        let retried = bench.send(.timer(.sensor(kind))).actions(of: kind.group)
        #expect(retried == ["\(start(kind, 2)) not iio:device1"])
    }

    @Test(arguments: SensorKind.allCases)
    func `an opened sensor and its warnings are logged once until another one is opened`(kind: SensorKind) {
        var sensor = SensorDescription.chosen(kind)
        sensor.warnings = ["scale looks wrong"]
        let name = kind == .accelerometer ? ", mount matrix from default" : " as \(kind) sensor"
        demand(kind)
        #expect(
            open(sensor, run: 1).logs == [
                "using iio:device1 (chip)\(name), in_raw", "iio:device1: scale looks wrong",
            ])
        #expect(open(sensor, run: 1).logs.isEmpty)
        sensor.id = "iio:device2"
        #expect(open(sensor, run: 1).logs.count == 2)
    }

    @Test func `an absent light sensor is logged with the reason`() {
        demand(.light)
        let absent = bench.send(
            .sensor(.light, run: 1, .failed(sensor: nil, .noDevice("no usable light sensor found"))))
        #expect(absent.timers[.sensor(.light)] == nil && absent.logs == ["no usable light sensor found"])
    }

    @Test func `a running sensor whose facts have changed is opened again, the others stay open`() {
        for kind in [SensorKind.light, .proximity] {
            demand(kind)
            open(.chosen(kind), run: 1)
        }
        let both = [SensorDescription.chosen(.light), .chosen(.proximity)]
        #expect(bench.send(.devicesChanged).ambient == ["scan 1 choice"])
        #expect(scanned(.ambient, 1, both, outdated: [.proximity]).ambient == ["start proximity 2"])
        // iio-sensor-proxy started or stopped.
        #expect(bench.send(.sensorProxyUnitChanged).ambient == ["scan 2 choice"])
        #expect(scanned(.ambient, 2, both).ambient.isEmpty)
    }

    @Test(arguments: SensorKind.allCases)
    func `a scan that fails changes no choice, and is repeated`(kind: SensorKind) {
        demand(kind)
        open(.chosen(kind), run: 1)
        #expect(bench.send(.devicesChanged).actions(of: kind.group) == ["scan 1 choice"])
        let event = SensorEvent.scanned(request: 1, SensorList(failure: .failed("too many open files")))
        let failed = bench.send(.sensorThread(kind.group, event))
        #expect(failed.actions(of: kind.group).isEmpty && failed.bus.isEmpty)
        #expect(failed.timers[.scan(kind.group)] == 1)
        #expect(bench.send(.timer(.scan(kind.group))).actions(of: kind.group) == ["scan 2 choice"])
    }

    @Test func `a suspend and a reload open the running sensors again, and no other`() {
        for kind in [SensorKind.accelerometer, .light, .compass] { demand(kind) }
        let woke = bench.send(.woke)
        #expect(woke.sensor == ["start 2"] && woke.ambient == ["start light 2", "start compass 2"])
        let reloaded = bench.send(.reload)
        #expect(reloaded.sensor.prefix(2) == ["stop", "start 3 fresh"])
        #expect(
            reloaded.ambient.prefix(4) == [
                "stop light", "start light 3 fresh", "stop compass", "start compass 3 fresh",
            ])
    }

    @Test(arguments: SensorKind.allCases)
    func `iio-sensor-proxy is watched until the sensor is off, has ended or is unusable`(kind: SensorKind) throws {
        let needed = Event.sensorDemand(.sensorProxy(kind), true, for: nil)
        let released = Event.sensorDemand(.sensorProxy(kind), false, for: nil)
        let failed = Event.sensor(kind, run: 1, .failed(sensor: "iio:device1", .failed("broken")))
        let endings: [[Event]] = [
            [released, .timer(.sensor(kind))], [released, failed], [failed, released],
            [.sensor(kind, run: 1, .failed(sensor: nil, .unusable("damaged")))],
            [.sensor(kind, run: 1, .ended(reason: "over"))],
        ]
        for ending in endings {
            let bench = try StateBench(servesSensorProxy: true, hasHinge: true)
            #expect(bench.send(needed).watches == [true])
            #expect(ending.flatMap { bench.send($0).watches } == [false])
        }
        let bench = try StateBench(servesSensorProxy: true, hasHinge: true)
        for event in [needed, failed] { bench.send(event) }
        #expect(bench.send(.timer(.sensor(kind))).watches.isEmpty)
        #expect(bench.send(.reload).watches.isEmpty)
    }

    @Test(arguments: SensorKind.allCases)
    func `no sensor is opened after the final close, and the daemon exits when all are closed`(kind: SensorKind) {
        demand(kind)
        #expect(bench.send(.end).actions(of: kind.group) == ["close"])
        #expect(!bench.send(.reload).actions(of: kind.group).contains { $0.hasPrefix("start") })
        bench.send(.lockFinished)
        #expect(bench.send(.sensorThread(kind.group, .closed)).exits)
    }

    @Test(arguments: SensorKind.allCases)
    func `a second signal does not end the daemon before the sensors are closed`(kind: SensorKind) {
        demand(kind)
        bench.send(.end)
        bench.send(.lockFinished)
        let again = bench.send(.end)
        #expect(!again.exits && again.actions(of: kind.group).isEmpty)
        #expect(bench.send(.sensorThread(kind.group, .closed)).exits)
    }

    @Test func `a paused recording resumes when it is closed`() {
        demand(.accelerometer)
        bench.send(.sensor(.accelerometer, run: 1, .opened(.chosen(.accelerometer), supportsBackpressure: true)))
        #expect(bench.send(.backpressure(true)).sensor == ["pause"])
        #expect(bench.send(.end).sensor == ["resume", "close"])
    }
}

// MARK: Lists

extension SensorHandlerTests {
    /// Lists the sensors of a group for a client, a second after the last list; returns the reply to the scan.
    private func list(_ group: SensorGroup, _ sensors: [SensorDescription]) -> String? {
        bench.now += 1
        let caller = bench.client()
        let effects = bench.call(
            "Orientation.\(group == .accelerometer ? "ListSensors" : "ListAmbientSensors")", from: caller)
        guard let request = effects.scans(of: group).first?.request else { return nil }
        return scanned(group, request, sensors).messages(to: caller).first
    }

    @Test(arguments: SensorGroup.allCases)
    func `a change during a scan causes another scan for the same purpose`(group: SensorGroup) {
        let kind = group.kinds[0]
        demand(kind)
        open(.chosen(kind), run: 1)
        #expect(bench.send(.devicesChanged).actions(of: group) == ["scan 1 choice"])
        #expect(bench.send(.devicesChanged).actions(of: group).isEmpty)
        #expect(scanned(group, 1, [.chosen(kind)]).actions(of: group) == ["scan 2 choice"])
        #expect(scanned(group, 2, [.chosen(kind)]).actions(of: group).isEmpty)
    }

    @Test(arguments: SensorGroup.allCases)
    func `a list says how the running sensor is read, with its warnings`(group: SensorGroup) {
        let kind = group.kinds[0]
        var captured = SensorDescription.chosen(kind)
        captured.method = "captured from its buffer"
        captured.warnings = ["in_scale: invalid value 'x': using 1"]
        demand(kind)
        open(captured, run: 1)
        let listed = list(group, [.chosen(kind)])
        #expect(listed?.contains("captured from its buffer") == true)
        #expect(listed?.contains("in_scale: invalid value 'x': using 1") == true)
    }

    @Test(arguments: SensorGroup.allCases)
    func `a list has the last failure of a sensor, also after its recovery`(group: SensorGroup) {
        let kind = group.kinds[0]
        demand(kind)
        open(.chosen(kind), run: 1)
        fail(kind, run: 1)
        #expect(list(group, [.chosen(kind)])?.contains(#""lastError":"broken""#) == true)
        bench.send(.timer(.sensor(kind)))
        open(.chosen(kind), run: 2)
        read(kind, run: 2)
        #expect(list(group, [.chosen(kind)])?.contains(#""lastError":"broken""#) == true)
    }

    @Test func `a sensor that another one replaces stays listed as failing until it delivers a reading`() {
        /// Whether each of two sensors is listed as failing.
        var failing: [Bool] {
            let listed = list(.ambient, [.chosen(.light), .chosen(.light, "iio:device2")]) ?? ""
            return listed.split(separator: "}").compactMap { sensor in
                sensor.contains("\"failing\"") ? sensor.contains("\"failing\":true") : nil
            }
        }
        demand(.light)
        #expect(failing == [false, false])
        fail(.light, run: 1)
        bench.send(.timer(.sensor(.light)))
        open(.chosen(.light, "iio:device2"), run: 2)
        read(.light, run: 2)
        #expect(failing == [true, false])
        // A device event lets it be tried again, and proves nothing.
        bench.send(.sensorProxyUnitChanged)
        #expect(failing == [true, false])
        bench.send(.woke)
        open(.chosen(.light), run: 3)
        #expect(failing == [true, false])
        read(.light, run: 3)
        #expect(failing == [false, false])
    }
}

// MARK: Hangs

extension SensorHandlerTests {
    private func name(_ group: SensorGroup) -> String {
        group == .accelerometer ? "iio:device1" : "an ambient sensor"
    }

    @Test(arguments: SensorGroup.allCases)
    func `a hang is logged, and fails the list in progress, whose late answer is dropped`(group: SensorGroup) {
        let kind = group.kinds[0]
        demand(kind)
        open(.chosen(kind), run: 1)
        let caller = bench.client()
        let method = group == .accelerometer ? "Orientation.ListSensors" : "Orientation.ListAmbientSensors"
        bench.call(method, from: caller)
        let reason = "\(name(group)): timed out: no response for 5 s"
        let hung = bench.send(.sensorHung(group, seconds: 5))
        #expect(hung.logs == [(group == .accelerometer ? "waiting for an accelerometer: " : "") + reason])
        #expect(hung.messages(to: caller).first?.contains(reason) == true)
        #expect(scanned(group, 1, [.chosen(kind)]).messages(to: caller).isEmpty)
        if group == .accelerometer { #expect(bench.reports.last == .unavailable(reason: reason)) }
    }

    @Test(arguments: SensorGroup.allCases)
    func `a scan that is requested during a hang is used when the hang ends`(group: SensorGroup) {
        let kind = group.kinds[0]
        demand(kind)
        open(.chosen(kind), run: 1)
        bench.send(.sensorHung(group, seconds: 5))
        guard let request = bench.send(.devicesChanged).scans(of: group).first?.request else {
            Issue.record("no scan")
            return
        }
        let chosen = scanned(group, request, [.chosen(kind, "iio:device2")])
        #expect(chosen.actions(of: group) == [start(kind, 2)])
    }

    @Test func `a sensor that is needed during a hang is unavailable for that reason`() {
        bench.send(.sensorHung(.accelerometer, seconds: 5))
        demand(.accelerometer)
        let reason = "the sensor: timed out: no response for 5 s"
        #expect(bench.reports == [.starting, .unavailable(reason: reason)])
        bench.send(.sensorThread(.accelerometer, .responded))
        bench.send(.reload)
        #expect(bench.reports.last == .starting)
    }
}

extension [Effect] {
    fileprivate var exits: Bool { contains { if case .exit(0) = $0 { true } else { false } } }

    /// Whether iio-sensor-proxy is watched, after each change.
    fileprivate var watches: [Bool] {
        compactMap { if case .watchSensorProxy(_, let isInUse) = $0 { isInUse } else { nil } }
    }
}
