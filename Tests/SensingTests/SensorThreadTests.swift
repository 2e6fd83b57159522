// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

@testable import Sensing

/// The thread against a source that the test plays: it is waited for through its own descriptor, never by sleeping.
@Suite struct SensorThreadTests {
    private let thread: SensorThread

    init() throws {
        thread = try SensorThread()
    }

    private func request(_ source: some Accelerometer & Sendable, mayResume: Bool = true) throws -> SensorRequest {
        let kind = SourceKind(
            scheme: "test", takesAddress: false, open: { _, _ throws(SensorFailure) in source },
            survey: { _, _ throws(SensorFailure) in [source.info] })
        return SensorRequest(
            uri: try SensorURI(parsing: "test", table: [kind]), facts: HardwareFacts(), mayResume: mayResume)
    }

    /// The next events, waited for at most ten seconds, until one of them fits.
    private func events(until isLast: (SensorEvent) -> Bool) -> [SensorEvent] {
        var all: [SensorEvent] = []
        while true {
            var watched = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, 10_000) == 1 else {
                Issue.record("the sensor thread said nothing for ten seconds")
                return all
            }
            for event in thread.takeEvents(limit: 1) {
                all.append(event)
                if isLast(event) { return all }
            }
        }
    }

    @Test func `a source is opened, classified and closed, and each is told once and in order`() throws {
        let source = ScriptedSource([.turn(.portrait), .turn(.landscapeLeft)], then: .end(reason: "over"))
        thread.start(try request(source), run: 7)
        let told = events { if case .ended = $0 { true } else { false } }
        #expect(told.map(\.short) == ["opened 7", "portrait", "landscapeLeft", "ended over"])
    }

    @Test func `a sensor that waits can be stopped at any moment`() throws {
        thread.start(try request(ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000))), run: 1)
        _ = events { $0.short == "portrait" }
        #expect(thread.newest?.orientation == .portrait)
        thread.stop()
        #expect(events { $0.short == "stopped" }.map(\.short) == ["stopped"])
        #expect(thread.newest == nil)
    }

    @Test func `a failing read ends the run with its reason`() throws {
        thread.start(try request(ScriptedSource([], then: nil)), run: 1)
        let told = events { if case .failed = $0 { true } else { false } }
        #expect(told.map(\.short) == ["opened 1", "failed broken"])
    }

    @Test func `every change of a recording arrives, however late the loop takes it`() throws {
        let turns = (0..<1_000).map { ScriptedSource.Act.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        thread.start(try request(ScriptedSource(turns, then: .end(reason: "over"), isRecording: true)), run: 1)
        let told = events { if case .ended = $0 { true } else { false } }
        #expect(told.count == 1_002)
    }

    @Test func `a live source goes on while the loop is late, and what made room is counted`() throws {
        let turns = (0..<100).map { ScriptedSource.Act.turn($0 % 2 == 0 ? .portrait : .landscapeLeft) }
        thread.setFollowed(at: 0)
        thread.start(try request(ScriptedSource(turns, then: .pause(seconds: 3_000))), run: 1)
        let deadline = Date(timeIntervalSinceNow: 10)
        while thread.sampleCount < 10_000, deadline.timeIntervalSinceNow > 0 { sched_yield() }
        thread.stop()
        let told = events { $0.short == "stopped" }
        let motion = thread.takeMotion().count
        // That it was opened and stopped is told besides, and never makes room.
        #expect(told.first?.short == "opened 1")
        #expect(thread.droppedCount == Int64(100 - (told.count - 2) + 10_000 - motion))
        #expect(thread.droppedCount > 0)
    }

    @Test func `a recording pauses where it is, and goes on from there`() throws {
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

    @Test func `a recording that is asked for anew starts over`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000), isRecording: true)
        thread.start(try request(source), run: 1)
        _ = events { $0.short == "portrait" }
        thread.stop()
        let other = ScriptedSource([.turn(.faceUp)], then: .pause(seconds: 3_000))
        thread.start(try request(other, mayResume: false), run: 2)
        #expect(events { $0.short == "faceUp" }.map(\.short) == ["stopped", "opened 2", "faceUp"])
    }

    @Test func `a call that does not come back is told by another way, and what holds then is told again`() throws {
        let thread = try SensorThread(longestCall: 0.01)
        let source = StuckSource()
        thread.start(try request(source), run: 1)
        var watched = [pollfd(fd: thread.hangDescriptor, events: Int16(POLLIN), revents: 0)]
        #expect(poll(&watched, 1, 10_000) == 1)
        #expect(thread.acknowledgeHang())
        watched[0].revents = 0
        #expect(poll(&watched, 1, 0) == 0)
        source.release()
        var told: [String] = []
        while !told.contains("portrait") {
            var events = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
            try #require(poll(&events, 1, 10_000) == 1)
            told += thread.takeEvents(limit: 8).map(\.short)
        }
        #expect(told == ["opened 1", "portrait"])
        // The alarm may go off once more, for nothing.
        #expect(!thread.acknowledgeHang())
    }

    @Test func `a source that is still being opened is closed as well, and only then it is said that none is open`()
        throws
    {
        let (isOpening, mayOpen) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let kind = SourceKind(
            scheme: "slow", takesAddress: false,
            open: { _, _ throws(SensorFailure) in
                isOpening.signal()
                mayOpen.wait()
                return ScriptedSource([], then: .pause(seconds: 3_000))
            }, survey: { _, _ throws(SensorFailure) in [] })
        let uri = try SensorURI(parsing: "slow", table: [kind])
        thread.start(SensorRequest(uri: uri, facts: HardwareFacts()), run: 1)
        isOpening.wait()
        thread.close()
        #expect(thread.takeEvents(limit: 1).isEmpty)
        mayOpen.signal()
        #expect(events { $0.short == "idle" }.map(\.short) == ["opened 1", "stopped", "idle"])
        // Whether or not anything is open.
        thread.close()
        #expect(events { $0.short == "idle" }.map(\.short) == ["idle"])
    }

    @Test func `sensors are listed with and without one running`() throws {
        let source = ScriptedSource([.turn(.portrait)], then: .pause(seconds: 3_000))
        let request = try request(source)
        thread.survey(request.uri, facts: HardwareFacts(), request: 1)
        #expect(events { $0.short == "surveyed 1" }.count == 1)
        thread.start(request, run: 1)
        thread.survey(request.uri, facts: HardwareFacts(), request: 2)
        #expect(events { $0.short == "surveyed 2" }.last?.short == "surveyed 2")
    }
}

extension SensorEvent {
    fileprivate var short: String {
        switch self {
        case .opened(let run, _, _): "opened \(run)"
        case .decided(_, let attitude): attitude.orientation.description
        case .failed(_, let failure): "failed \(failure)"
        case .ended(_, let reason): "ended \(reason)"
        case .stopped: "stopped"
        case .idle: "idle"
        case .surveyed(let request, _): "surveyed \(request)"
        }
    }
}

/// A source whose first reading lasts until it is released. Unchecked: only the semaphore is shared.
private final class StuckSource: Accelerometer, @unchecked Sendable {
    let info = SensorDescription(id: "test", name: "stuck")
    let keepsReadersPace = false
    private let gate = DispatchSemaphore(value: 0)
    private var readings = 0

    func release() { gate.signal() }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if readings == 0 { gate.wait() }
        readings += 1
        guard readings == 1 else { return .pause(seconds: 3_000) }
        return .sample(Sample(time: now, acceleration: Acceleration(x: 0, y: 9.8, z: 0)))
    }
}

/// A source that does as it is told. Unchecked: everything that changes is behind the lock.
private final class ScriptedSource: Accelerometer, @unchecked Sendable {
    enum Act {
        /// Long enough in this pose for any classifier to see it.
        case turn(DeviceOrientation)
    }

    let info = SensorDescription(id: "test", name: "scripted")
    let keepsReadersPace: Bool
    private let lock = NSLock()
    private let last: AccelerometerStep?
    private var samples: [Sample] = []
    private var handedOut = 0
    private var clock = 0.0

    init(_ acts: [Act], then last: AccelerometerStep?, isRecording: Bool = false) {
        self.last = last
        keepsReadersPace = isRecording
        acts.forEach(add)
    }

    func add(_ act: Act) {
        lock.withLock {
            switch act {
            case .turn(let orientation):
                guard let direction = orientation.direction else { return }
                for _ in 0..<100 {
                    clock += 0.04
                    samples.append(Sample(time: clock, acceleration: Acceleration.standardGravity * direction))
                }
            }
        }
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        let sample: Sample? = lock.withLock {
            guard handedOut < samples.count else { return nil }
            defer { handedOut += 1 }
            return samples[handedOut]
        }
        if let sample { return .sample(sample) }
        guard let last else { throw .failed("broken") }
        return last
    }
}
