// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct SensorHandlerTests {
    private let chip = SensorDescription(id: "iio:0", name: "chip", isChosen: true)

    private func subscribed(servesSensorProxy: Bool = false) throws -> StateBench {
        let bench = try StateBench(servesSensorProxy: servesSensorProxy)
        bench.call("Orientation.Monitor", mode: .more, from: bench.client())
        return bench
    }

    @Test func `an opened sensor is logged once until another one is opened`() throws {
        let bench = try subscribed()
        var warned = chip
        warned.warnings = ["scale looks wrong"]
        let opened = bench.send(.sensorThread(.opened(run: 1, warned, supportsBackpressure: false)))
        #expect(opened.logs == ["using iio:0 (chip), mount matrix from default", "iio:0: scale looks wrong"])
        #expect(bench.send(.sensorThread(.opened(run: 1, warned, supportsBackpressure: false))).logs.isEmpty)
    }

    @Test func `a failure is logged once until the sensor has worked again`() throws {
        let bench = try subscribed()
        bench.startSensor()
        let failed = bench.send(.sensorThread(.failed(run: 1, .failed("unplugged"))))
        #expect(failed.logs == ["waiting for an accelerometer: unplugged"])
        bench.send(.timer(.sensor))
        #expect(bench.send(.sensorThread(.failed(run: 2, .failed("unplugged")))).logs.isEmpty)
        bench.send(.timer(.sensor))
        bench.startSensor(run: 3)
        #expect(bench.send(.sensorThread(.failed(run: 3, .failed("unplugged")))).logs.count == 1)
    }

    @Test func `a device change causes a scan, and a better sensor is opened`() throws {
        let bench = try subscribed()
        bench.startSensor()
        #expect(bench.send(.devicesChanged).sensor == ["scan 1 choice"])
        let other = SensorDescription(id: "iio:1", name: "better", isChosen: true)
        let found = bench.send(.sensorThread(.scanned(request: 1, [other], isCurrentOutdated: false)))
        #expect(found.sensor == ["start 2"])
        bench.send(.devicesChanged)
        #expect(bench.send(.sensorThread(.scanned(request: 2, [chip], isCurrentOutdated: true))).sensor.count == 1)
    }

    @Test func `a change during a scan causes another scan for the same purpose`() throws {
        let bench = try subscribed()
        bench.startSensor()
        #expect(bench.send(.devicesChanged).sensor == ["scan 1 choice"])
        #expect(bench.send(.devicesChanged).sensor.isEmpty)
        let first = bench.send(.sensorThread(.scanned(request: 1, [chip], isCurrentOutdated: false)))
        #expect(first.sensor == ["scan 2 choice"])
        #expect(bench.send(.sensorThread(.scanned(request: 2, [chip], isCurrentOutdated: false))).sensor.isEmpty)
    }

    @Test func `a hang fails the scans in progress, and their late answers are dropped`() throws {
        let bench = try subscribed()
        bench.startSensor()
        let caller = bench.client()
        bench.call("Orientation.ListSensors", from: caller)
        let hung = bench.send(.sensorHung(seconds: 5))
        #expect(hung.messages(to: caller).first?.contains("iio:0: timed out: no response for 5 s") == true)
        #expect(bench.reports.last == .unavailable(reason: "iio:0: timed out: no response for 5 s"))
        let late = bench.send(.sensorThread(.scanned(request: 1, [chip], isCurrentOutdated: false)))
        #expect(late.messages(to: caller).isEmpty)
        // The thread answers again: so do scans, with what went wrong.
        bench.now += 1
        bench.call("Orientation.ListSensors", from: caller)
        let list = bench.send(.sensorThread(.scanned(request: 2, [chip], isCurrentOutdated: false)))
        #expect(
            list.messages(to: caller).first?.contains(#""lastError":"iio:0: timed out: no response for 5 s""#) == true)
    }

    @Test func `a hot-plug during a hang is handled when the hang ends`() throws {
        let bench = try subscribed()
        bench.startSensor()
        bench.send(.sensorHung(seconds: 5))
        #expect(bench.send(.devicesChanged).sensor == ["scan 1 choice"])
        let other = SensorDescription(id: "iio:1", name: "better", isChosen: true)
        #expect(
            bench.send(.sensorThread(.scanned(request: 1, [other], isCurrentOutdated: false))).sensor == ["start 2"])
    }

    @Test func `a suspend reopens the sensor`() throws {
        let bench = try subscribed()
        bench.startSensor()
        #expect(bench.send(.woke).sensor == ["start 2"])
    }

    @Test func `a reload opens the sensor again, and a recording from its beginning`() throws {
        let bench = try subscribed()
        bench.startSensor()
        #expect(bench.send(.reload).sensor == ["stop", "start 2 fresh"])
    }

    @Test func `no sensor is opened after the final close`() throws {
        let bench = try subscribed()
        bench.startSensor()
        #expect(bench.send(.end).sensor == ["close"])
        #expect(bench.send(.reload).sensor == ["stop"])
        let idle = bench.send(.sensorThread(.idle))
        #expect(idle.contains { if case .exit(0) = $0 { true } else { false } })
    }

    @Test func `a paused recording resumes when it is closed`() throws {
        let bench = try subscribed()
        bench.send(.sensorThread(.opened(run: 1, chip, supportsBackpressure: true)))
        #expect(bench.send(.backpressure(true)).sensor == ["pause"])
        #expect(bench.send(.end).sensor == ["resume", "close"])
    }
}
