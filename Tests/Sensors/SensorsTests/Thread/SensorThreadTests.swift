// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// The sensor thread with scripted sources; tests wait for its descriptor, never by sleeping.
@Suite struct SensorThreadTests {
    /// The timeout of each wait in milliseconds; a passing test never waits for it.
    private let longestWait = Int32(stepTimeout * 1_000)
    private let thread: SensorThread

    init() throws {
        thread = try SensorThread()
    }

    private func request(_ source: some Accelerometer & Sendable, mayResume: Bool = true) throws -> SensorRequest {
        let kind = SourceKind(
            scheme: "test", takesAddress: false, open: { _, _ throws(SensorFailure) in source },
            scan: { _, _ throws(SensorFailure) in [source.info] })
        return SensorRequest(
            uri: try SensorURI(parsing: "test", table: [kind]), facts: HardwareFacts(), mayResume: mayResume)
    }

    /// Returns the next events up to the first that matches.
    private func events(until isLast: (SensorEvent) -> Bool) -> [SensorEvent] {
        var all: [SensorEvent] = []
        while true {
            var watched = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, longestWait) == 1 else {
                Issue.record("no event from the sensor thread in time")
                return all
            }
            for event in thread.takeEvents(limit: 1) {
                all.append(event)
                if isLast(event) { return all }
            }
        }
    }

    @Test func `opening, decisions and the end are reported once and in order`() throws {
        let source = ScriptedSource([.turn(.portrait), .turn(.landscapeLeft)], then: .end(reason: "over"))
        thread.start(try request(source), run: 7)
        let received = events { if case .ended = $0 { true } else { false } }
        #expect(received.map(\.short) == ["opened 7", "portrait", "landscapeLeft", "ended over"])
    }

    @Test func `a waiting source can be stopped at any time`() throws {
        thread.start(try request(ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000))), run: 1)
        _ = events { $0.short == "portrait" }
        #expect(thread.newest?.pose == .edge(.top))
        thread.stop()
        #expect(events { $0.short == "stopped" }.map(\.short) == ["stopped"])
        #expect(thread.newest == nil)
    }

    @Test func `after a sample the source is called again when its input is readable`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let source = OnceSource(then: .input(descriptor: ends[0]))
        thread.start(try request(source), run: 1)
        _ = events { $0.short == "portrait" }
        #expect(write(ends[1], "x", 1) == 1)
        #expect(events { $0.short.hasPrefix("failed") }.map(\.short) == ["failed broken"])
    }

    @Test(arguments: [SourceWait.pause(seconds: 3_000), .input(descriptor: -1)])
    func `a source that waits after a sample can be stopped`(wait: SourceWait) throws {
        let source = OnceSource(then: wait)
        thread.start(try request(source), run: 1)
        _ = events { $0.short == "portrait" }
        thread.stop()
        #expect(events { $0.short == "stopped" }.map(\.short) == ["stopped"])
        #expect(source.calls == 1)
    }

    @Test(arguments: [true, false])
    func `a change of the tilt band wakes the loop only where it is reported`(isReported: Bool) throws {
        let source = ScriptedSource([.turn(.portrait), .lean], then: .end(reason: "over"))
        var request = try request(source)
        request.reportsTilt = isReported
        thread.start(request, run: 1)
        let told = events { if case .ended = $0 { true } else { false } }
        #expect(told.map(\.short) == ["opened 1", "portrait"] + (isReported ? ["portrait"] : []) + ["ended over"])
    }

    @Test func `a failed read ends the run with its error`() throws {
        thread.start(try request(ScriptedSource([], then: nil)), run: 1)
        let received = events { if case .failed = $0 { true } else { false } }
        #expect(received.map(\.short) == ["opened 1", "failed broken"])
    }

    @Test func `a recording loses no decision when the event loop is late`() throws {
        let turns = (0..<1_000).map { ScriptedSource.Action.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        thread.start(try request(ScriptedSource(turns, then: .end(reason: "over"), isRecording: true)), run: 1)
        let received = events { if case .ended = $0 { true } else { false } }
        #expect(received.count == 1_002)
    }

    @Test func `a live source drops events when the event loop is late, and counts them`() throws {
        let turns = (0..<100).map { ScriptedSource.Action.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        thread.setMotionRate(0)
        thread.start(try request(ScriptedSource(turns, then: .pause(seconds: 3_000))), run: 1)
        #expect(eventually { thread.sampleCount == 10_000 })
        thread.stop()
        let received = events { $0.short == "stopped" }
        let motion = thread.takeMotion().count
        // The events opened and stopped are never dropped.
        #expect(received.first?.short == "opened 1")
        #expect(thread.droppedCount == Int64(100 - (received.count - 2) + 10_000 - motion))
        #expect(thread.droppedCount > 0)
    }

    @Test func `a stopped recording pauses and continues where it stopped`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        thread.start(try request(source), run: 1)
        _ = events { $0.short == "portrait" }
        thread.stop()
        _ = events { $0.short == "stopped" }
        source.add(.turn(.landscapeLeft))
        thread.start(try request(ScriptedSource([.turn(.faceUp)], then: .pause(seconds: 3_000))), run: 2)
        #expect(
            events { $0.short == "landscapeLeft" }.map(\.short) == ["opened 2", "portrait", "landscapeLeft"])
    }

    @Test func `a recording that must not resume starts over`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        thread.start(try request(source), run: 1)
        _ = events { $0.short == "portrait" }
        thread.stop()
        let other = ScriptedSource([.turn(.faceUp)], then: .pause(seconds: 3_000))
        thread.start(try request(other, mayResume: false), run: 2)
        #expect(events { $0.short == "faceUp" }.map(\.short) == ["stopped", "opened 2", "faceUp"])
    }

    @Test func `a call that hangs is reported by the hang descriptor, and its result is published when it returns`()
        throws
    {
        let thread = try SensorThread(longestCall: 0.01)
        let source = StuckSource()
        thread.start(try request(source), run: 1)
        source.awaitReading()
        expectHang(of: thread)
        var watched = [pollfd(fd: thread.hangDescriptor, events: Int16(POLLIN), revents: 0)]
        #expect(poll(&watched, 1, 0) == 0)
        source.release()
        var received: [String] = []
        while !received.contains("portrait") {
            var events = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
            try #require(poll(&events, 1, longestWait) == 1)
            received += thread.takeEvents(limit: 8).map(\.short)
        }
        #expect(received == ["opened 1", "portrait"])
        // The timer may expire once more without a hang.
        #expect(!thread.acknowledgeHang())
    }

    /// Waits until the call in progress has timed out. Earlier ones may have timed out too on a busy machine.
    private func expectHang(of thread: SensorThread) {
        repeat {
            var watched = [pollfd(fd: thread.hangDescriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, longestWait) == 1 else {
                Issue.record("no call hangs")
                return
            }
        } while !thread.acknowledgeHang()
    }

    @Test func `a release that hangs after a failure is reported, before the failure`() throws {
        let thread = try SensorThread(longestCall: 0.01)
        let (isReleased, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let kind = SourceKind(
            scheme: "stuck", takesAddress: false,
            open: { _, _ throws(SensorFailure) in
                FailingSource {
                    isReleased.signal()
                    gate.wait()
                }
            }, scan: { _, _ throws(SensorFailure) in [] })
        let uri = try SensorURI(parsing: "stuck", table: [kind])
        thread.start(SensorRequest(uri: uri, facts: HardwareFacts()), run: 1)
        isReleased.wait()
        expectHang(of: thread)
        #expect(thread.takeEvents(limit: 8).map(\.short) == ["opened 1"])
        gate.signal()
        var watched = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
        #expect(poll(&watched, 1, longestWait) == 1)
        #expect(thread.takeEvents(limit: 8).map(\.short) == ["failed broken"])
    }

    @Test func `close() waits for a source that is being opened, and then reports idle`()
        throws
    {
        let (isOpening, mayOpen) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let kind = SourceKind(
            scheme: "slow", takesAddress: false,
            open: { _, _ throws(SensorFailure) in
                isOpening.signal()
                mayOpen.wait()
                return ScriptedSource([], then: .pause(seconds: 3_000))
            }, scan: { _, _ throws(SensorFailure) in [] })
        let uri = try SensorURI(parsing: "slow", table: [kind])
        thread.start(SensorRequest(uri: uri, facts: HardwareFacts()), run: 1)
        isOpening.wait()
        thread.close()
        #expect(thread.takeEvents(limit: 1).isEmpty)
        mayOpen.signal()
        #expect(events { $0.short == "idle" }.map(\.short) == ["opened 1", "stopped", "idle"])
        // Also without an open source.
        thread.close()
        #expect(events { $0.short == "idle" }.map(\.short) == ["idle"])
    }

    @Test func `a corrected scale is described, and remembered for the next run and the list`() throws {
        let warning =
            "scale looks wrong by a factor of 0.5; corrected; report it with 'orientationctl doctor --report FILE'"
        for run in 1...2 {
            let source = ScriptedSource([.read(4.9)], then: .end(reason: "over"), isHardware: true)
            let request = try request(source)
            thread.start(request, run: run)
            let received = events { $0.isLast }
            let described = run == 1 ? ["opened 1"] : []
            #expect(received.map(\.short) == ["opened \(run)", "portrait"] + described + ["ended over"])
            guard case .opened(_, let info, _)? = received.last(where: { $0.short == "opened \(run)" }) else {
                continue
            }
            #expect(info.warnings == [warning])
            #expect(thread.arithmetic.scale == [2, 2, 2])
            thread.scan(request.uri, facts: HardwareFacts(), request: run)
            guard case .scanned(_, let sensors, _)? = events(until: { $0.short == "scanned \(run)" }).last else {
                continue
            }
            #expect(sensors.first?.warnings == [warning])
        }
    }

    @Test(arguments: [true, false])
    func `a source without gravity is reported, and a chip fails after four seconds`(isHardware: Bool) throws {
        let source = ScriptedSource(
            [.read(30), .read(30)], then: .end(reason: "over"), isRecording: !isHardware, isHardware: isHardware)
        thread.start(try request(source), run: 1)
        let received = events { $0.isLast }
        let readings = "has no gravity: readings of 30 m/s² instead of 9.8"
        let reason =
            isHardware
            ? "the sensor \(readings); check its scale and its mount matrix" : "scripted \(readings)"
        #expect(
            received.map(\.short) == [
                "opened 1", reason,
                isHardware ? "failed \(reason)" : "ended over",
            ])
        #expect(source.samplesLeft == (isHardware ? 99 : 0))
    }

    @Test func `single readings without gravity are classified`() throws {
        let source = ScriptedSource(
            [.turn(.portrait), .read(30), .turn(.portrait)], then: .end(reason: "over"), isHardware: true)
        thread.start(try request(source), run: 1)
        #expect(events { $0.isLast }.map(\.short) == ["opened 1", "portrait", "ended over"])
        #expect(thread.sampleCount == 300)
    }

    @Test func `motion subscribers receive samples in m/s², and those without gravity as they are`() throws {
        for (length, expected) in [(4.9, 9.8), (30, 30)] {
            thread.setMotionRate(0)
            let source = ScriptedSource([.read(length)], then: .end(reason: "over"), isHardware: true)
            thread.start(try request(source), run: 1)
            _ = events { $0.isLast }
            let samples = thread.takeMotion()
            #expect(samples.count == 100)
            #expect(samples.allSatisfy { abs($0.acceleration.magnitude - expected) < 0.01 })
        }
    }

    @Test func `a scan works with and without an open source`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000))
        let request = try request(source)
        thread.scan(request.uri, facts: HardwareFacts(), request: 1)
        #expect(events { $0.short == "scanned 1" }.count == 1)
        thread.start(request, run: 1)
        thread.scan(request.uri, facts: HardwareFacts(), request: 2)
        #expect(events { $0.short == "scanned 2" }.last?.short == "scanned 2")
    }
}

extension SensorEvent {
    /// Whether no event of the run follows.
    fileprivate var isLast: Bool {
        switch self {
        case .failed, .ended, .stopped: true
        default: false
        }
    }

    fileprivate var short: String {
        switch self {
        case .opened(let run, _, _): "opened \(run)"
        case .decided(_, let attitude): DeviceOrientation(attitude.pose, natural: .portrait).description
        case .failed(_, let failure): "failed \(failure)"
        case .ended(_, let reason): "ended \(reason)"
        case .withoutGravity(_, let reason): reason
        case .stopped: "stopped"
        case .idle: "idle"
        case .scanned(let request, _, _): "scanned \(request)"
        }
    }
}

/// A source whose first reading blocks until it is released. Unchecked: only the semaphores are shared.
private final class StuckSource: Accelerometer, @unchecked Sendable {
    let info = SensorDescription(id: "test", name: "stuck")
    let supportsBackpressure = false
    private let (isReading, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private var readings = 0

    /// Waits until the first reading blocks.
    func awaitReading() { isReading.wait() }

    func release() { gate.signal() }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if readings == 0 {
            isReading.signal()
            gate.wait()
        }
        readings += 1
        guard readings == 1 else { return .pause(seconds: 3_000) }
        return .sample(Sample(time: now, acceleration: Acceleration(x: 0, y: 9.8, z: 0)))
    }
}

/// A source of one sample, which fails when it is called again. Unchecked: used by one thread at a time.
private final class OnceSource: Accelerometer, @unchecked Sendable {
    let info = SensorDescription(id: "test", name: "once")
    let supportsBackpressure = false
    private let wait: SourceWait
    private(set) var calls = 0

    init(then wait: SourceWait) { self.wait = wait }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        calls += 1
        guard calls == 1 else { throw .failed("broken") }
        return .sample(Sample(time: now, acceleration: Acceleration(x: 0, y: 9.8, z: 0)), then: wait)
    }
}

/// A source that fails at once, and calls a function when it is released.
private final class FailingSource: Accelerometer {
    private let beforeRelease: () -> Void
    init(beforeRelease: @escaping () -> Void) { self.beforeRelease = beforeRelease }
    deinit { beforeRelease() }
    let info = SensorDescription(id: "test", name: "failing")
    let supportsBackpressure = false
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep { throw .failed("broken") }
}
