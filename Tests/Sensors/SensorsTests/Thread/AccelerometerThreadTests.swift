// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// What a sensor thread does with accelerometers only: recordings, the scale, tilt and motion.
@Suite struct AccelerometerThreadTests {
    private let measurements = AccelerometerMeasurements()
    private let sources = Sources()

    /// A thread that opens the sources in this order.
    private func thread(_ opened: ScriptedSource..., reportsTilt: Bool = true) throws -> SensorThread {
        sources.queue = opened
        let kind = SourceKind(
            scheme: "test", takesAddress: false,
            open: { [sources] _, _ throws(OpenFailure) in sources.next() },
            scan: { _, _ throws(SensorFailure) in [opened[0].info] })
        let uri = try SensorURI(parsing: "test", table: [kind])
        return try SensorThread(
            .accelerometers(uri, reportsTilt: reportsTilt, measurements), longestCall: SensorThread.noHang)
    }

    private func start(_ thread: SensorThread, run: Int = 1, isFresh: Bool = false) {
        thread.send(.start(SensorStart(.accelerometer, run: run, isFresh: isFresh)))
    }

    @Test func `the newest attitude is known while the sensor is open`() throws {
        // Not a live source, which would fail after 5 s without a sample.
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        let thread = try thread(source)
        start(thread)
        _ = thread.texts(until: "reading")
        #expect(measurements.readings.newest?.pose == .edge(.top))
        thread.send(.stop(.accelerometer))
        _ = thread.texts(until: "stopped")
        #expect(measurements.readings.newest == nil)
    }

    @Test(arguments: [true, false])
    func `a change of the tilt band wakes the loop only where it is reported`(isReported: Bool) throws {
        let thread = try thread(
            ScriptedSource([.turn(.portrait), .lean], then: .end(reason: "over")), reportsTilt: isReported)
        start(thread)
        #expect(
            thread.texts(until: "ended") == ["opened test 1", "reading 1 1"] + (isReported ? ["reading 1 1"] : [])
                + ["ended: over 1"])
    }

    @Test func `a recording loses no decision when the event loop is late`() throws {
        let turns = (0..<1_000).map { ScriptedSource.Action.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        let thread = try thread(ScriptedSource(turns, then: .end(reason: "over"), isRecording: true))
        start(thread)
        #expect(thread.texts(until: "ended").count == 1_002)
    }

    @Test func `a live source drops events when the event loop is late, and counts them`() throws {
        let turns = (0..<100).map { ScriptedSource.Action.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        let thread = try thread(ScriptedSource(turns, then: .end(reason: "over")))
        measurements.motionRate = 0
        start(thread)
        #expect(eventually { measurements.readings.sampleCount == 10_000 })
        let received = thread.texts(until: "ended")
        // The events opened and ended are never dropped.
        #expect(received.first == "opened test 1")
        #expect(thread.droppedCount == Int64(100 - (received.count - 2)) && thread.droppedCount > 0)
        #expect(measurements.readings.droppedCount == Int64(10_000 - measurements.takeMotion().count))
    }

    @Test func `a stopped recording pauses and continues where it stopped`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        let thread = try thread(source, ScriptedSource([.turn(.faceUp)], then: .pause(seconds: 3_000)))
        start(thread)
        _ = thread.texts(until: "reading")
        thread.send(.stop(.accelerometer))
        _ = thread.texts(until: "stopped")
        source.add(.turn(.landscapeLeft))
        start(thread, run: 2)
        #expect(thread.texts(until: "reading 2") == ["opened test 2", "reading 1 2", "reading 2 2"])
    }

    @Test func `a recording that must not resume starts over`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        let thread = try thread(source, ScriptedSource([.turn(.landscapeLeft)], then: .pause(seconds: 3_000)))
        start(thread)
        _ = thread.texts(until: "reading")
        thread.send(.stop(.accelerometer))
        start(thread, run: 2, isFresh: true)
        #expect(thread.texts(until: "reading") == ["stopped 1", "opened test 2", "reading 2 2"])
    }

    /// One direction, both, and one again: a warning of an earlier run stays until this run knows as much.
    @Test func `a wrong scale is described, and remembered for the next run and the list`() throws {
        let remedy = "; report it with 'sudo orientationctl doctor --report FILE'"
        let halved = { (actions: [ScriptedSource.Action]) in
            ScriptedSource(actions, then: .end(reason: "over"), isHardware: true, factor: 0.5)
        }
        let thread = try thread(
            halved([.turn(.portrait)]), halved([.turn(.portrait), .turn(.faceUp)]), halved([.turn(.portrait)]))
        let directions = "only directions are used until the device is turned"
        for (run, state, gain) in [(1, directions, 1.0), (2, "corrected", 2), (3, "corrected", 1)] {
            let warning = "scale looks wrong by a factor of 0.5; \(state)\(remedy)"
            start(thread, run: run)
            let received = thread.events(until: "ended")
            // Described again with a new warning.
            #expect(received.count { $0.short == "opened test \(run)" } == (run == 3 ? 1 : 2))
            let opened = received.last { $0.short.hasPrefix("opened") }
            guard case .sensor(_, _, .opened(let info, _))? = opened else { continue }
            #expect(info.warnings == [warning])
            #expect(measurements.readings.conversion.scale == [gain, gain, gain])
            thread.send(.scan(request: run))
            guard case .scanned(_, let list, _)? = thread.events(until: "scanned").last else { continue }
            #expect(list.sensors.first?.warnings == [warning])
        }
    }

    @Test(arguments: [true, false])
    func `a source without gravity is reported, and a chip fails after four seconds`(isHardware: Bool) throws {
        let source = ScriptedSource(
            [.read(30), .read(30)], then: .end(reason: "over"), isRecording: !isHardware, isHardware: isHardware)
        let thread = try thread(source)
        start(thread)
        let readings = "has no gravity: readings of 30 m/s² instead of 9.8"
        let reason =
            isHardware
            ? "the sensor \(readings); check its scale and its mount matrix" : "scripted \(readings)"
        #expect(
            thread.texts(until: isHardware ? "failed" : "ended") == [
                "opened test 1", "\(reason) 1", isHardware ? "failed test: \(reason) 1" : "ended: over 1",
            ])
        #expect(source.samplesLeft == (isHardware ? 99 : 0))
    }

    @Test func `single readings without gravity are classified`() throws {
        let thread = try thread(
            ScriptedSource(
                [.turn(.portrait), .read(30), .turn(.portrait)], then: .end(reason: "over"), isHardware: true))
        start(thread)
        #expect(thread.texts(until: "ended") == ["opened test 1", "reading 1 1", "ended: over 1"])
        #expect(measurements.readings.sampleCount == 300)
    }

    @Test func `motion subscribers receive samples of the stated scale until gravity has had two directions`() throws {
        measurements.motionRate = 0
        for (factor, corrected) in [(0.5, 1.0), (3, 3)] {
            let actions = [DeviceOrientation.portrait, .faceUp, .landscapeLeft].map { ScriptedSource.Action.turn($0) }
            let thread = try thread(
                ScriptedSource(actions, then: .end(reason: "over"), isHardware: true, factor: factor))
            start(thread)
            _ = thread.events(until: factor == 3 ? "failed" : "ended")
            let lengths = measurements.takeMotion().map { $0.acceleration.magnitude / Acceleration.standardGravity }
            #expect(lengths.prefix(100).allSatisfy { abs($0 - factor) < 0.01 })
            #expect(lengths.suffix(100).allSatisfy { abs($0 - corrected) < 0.01 })
        }
    }
}

/// The sources that are opened next. Unchecked: set before the thread starts.
private final class Sources: @unchecked Sendable {
    var queue: [ScriptedSource] = []
    func next() -> ScriptedSource { queue.removeFirst() }
}
