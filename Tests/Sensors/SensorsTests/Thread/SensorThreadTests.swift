// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// What a sensor thread does with sensors of every kind; tests wait for its descriptor, never by sleeping.
@Suite struct SensorThreadTests {
    private func thread(_ scripts: Script..., longestCall: Double = SensorThread.noHang) throws -> SensorThread {
        try SensorThread(.scripted(scripts), longestCall: longestCall)
    }

    @Test(arguments: SensorKind.allCases)
    func `the opening, changed readings and the failure are reported once and in order`(kind: SensorKind) throws {
        let script = Script(kind, [1, 1, 2, 2, 1].map { .reading($0) } + [.fail])
        let thread = try thread(script)
        thread.send(.start(SensorStart(kind, run: 7)))
        #expect(
            thread.texts(until: "failed") == [
                "opened a 7", "reading 1 7", "reading 2 7", "reading 1 7", "failed a: broken 7",
            ])
    }

    @Test(arguments: SensorKind.allCases)
    func `readings that fail now and then are repeated, with one warning`(kind: SensorKind) throws {
        let failing = (1...4).flatMap { [.failOnce, .failOnce, .reading($0 % 2 + 1)] as [Script.Step] }
        let thread = try thread(Script(kind, [.reading(1)] + failing + [.end]))
        thread.send(.start(SensorStart(kind, run: 1)))
        let events = thread.events(until: "ended")
        #expect(
            events.map(\.short) == ["opened a 1", "reading 1 1", "opened a 1"]
                + [2, 1, 2, 1].map { "reading \($0) 1" } + ["ended: over 1"])
        guard case .sensor(_, _, .opened(let info, _))? = events.dropFirst(2).first else { return }
        #expect(info.warnings == ["a reading failed and was repeated: broken"])
    }

    @Test(arguments: SensorKind.allCases, [1, 3])
    func `three failures in a row are one of the sensor, which was useful after three readings`(
        kind: SensorKind, readings: Int
    ) throws {
        // An accelerometer has 100 samples for a reading.
        let steps = (0..<readings).map { Script.Step.reading($0 % 2 + 1) }
        let script = Script(kind, (kind == .accelerometer && readings < 3 ? [] : steps) + [.fail])
        let thread = try thread(script)
        thread.send(.start(SensorStart(kind, run: 1)))
        guard case .sensor(_, _, .failed(_, .failed("broken"), let wasUseful))? = thread.events(until: "failed").last
        else {
            Issue.record("the sensor has not failed")
            return
        }
        #expect(wasUseful == (readings == 3))
    }

    @Test(arguments: SensorKind.allCases)
    func `a sensor that is read in another way is described again`(kind: SensorKind) throws {
        let thread = try thread(Script(kind, [.reading(1), .redescribed, .reading(2), .fail]))
        thread.send(.start(SensorStart(kind, run: 7)))
        #expect(
            thread.texts(until: "failed") == [
                "opened a 7", "reading 1 7", "opened a 7", "reading 2 7", "failed a: broken 7",
            ])
    }

    @Test(arguments: SensorKind.allCases, [SourceWait.pause(seconds: 3_000), .input(descriptor: -1)])
    func `a sensor that waits after a reading can be stopped at any time`(kind: SensorKind, wait: SourceWait) throws {
        let script = Script(kind, [.reading(1)] + Script.unreached(by: kind))
        script.wait = wait
        let thread = try thread(script)
        let start = ContinuousClock.now
        thread.send(.start(SensorStart(kind, run: 1)))
        _ = thread.texts(until: "reading")
        thread.send(.stop(kind))
        #expect(thread.texts(until: "stopped") == ["stopped 1"])
        #expect(script.released.wait(timeout: .now()) == .success)
        // Only after 5 s, on a busy machine.
        #expect(.seconds(script.rests) <= ContinuousClock.now - start)
    }

    @Test(arguments: SensorKind.allCases)
    func `after a reading the sensor is read again when its input is readable`(kind: SensorKind) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let script = Script(kind, [.reading(1), .fail])
        script.wait = .input(descriptor: ends[0])
        let thread = try thread(script)
        thread.send(.start(SensorStart(kind, run: 1)))
        _ = thread.texts(until: "reading")
        #expect(write(ends[1], "x", 1) == 1)
        #expect(thread.texts(until: "failed") == ["failed a: broken 1"])
    }

    @Test(arguments: SensorKind.allCases)
    func `the thread ends after its only sensor has failed`(kind: SensorKind) throws {
        let ended = DispatchSemaphore(value: 0)
        var thread: SensorThread? = try {
            let marker = Marker(ended)
            return try SensorThread(.scripted([Script(kind, [.fail])])) {
                withExtendedLifetime(marker) { HardwareFacts() }
            }
        }()
        try #require(thread).send(.start(SensorStart(kind, run: 1)))
        _ = try #require(thread).texts(until: "failed")
        thread = nil
        // The thread keeps its closures as long as it runs.
        #expect(ended.wait(timeout: .now() + stepTimeout) == .success)
    }

    @Test(arguments: SensorKind.allCases)
    func `a close waits for a sensor that is being opened, and then reports idle`(kind: SensorKind) throws {
        let script = Script(kind, [])
        script.beforeOpening = { script.block() }
        let thread = try thread(script)
        thread.send(.start(SensorStart(kind, run: 1)))
        script.isBlocked.wait()
        thread.send(.close)
        #expect(thread.takeEvents(limit: 1).isEmpty)
        script.unblock.signal()
        #expect(thread.texts(until: "closed") == ["opened a 1", "stopped 1", "closed"])
        // Also without an open sensor.
        thread.send(.close)
        #expect(thread.texts(until: "closed") == ["closed"])
    }

    @Test(arguments: SensorKind.allCases)
    func `without the event loop a close returns when the sensor is released`(kind: SensorKind) throws {
        let script = Script(kind, [.reading(1)])
        let thread = try thread(script)
        thread.send(.start(SensorStart(kind, run: 1)))
        _ = thread.texts(until: "opened")
        thread.close()
        #expect(script.released.wait(timeout: .now()) == .success)
        // Also without an open sensor.
        thread.close()
    }

    @Test(arguments: SensorKind.allCases)
    func `a scan works with and without an open sensor, and names it if its facts have changed`(
        kind: SensorKind
    ) throws {
        let facts = Facts(HardwareFacts(properties: ["a": [.nearLevel: "100"]]))
        let thread = try SensorThread(.scripted([Script(kind, [.reading(1)])])) { facts.current }
        thread.send(.scan(request: 1))
        #expect(thread.texts(until: "scanned") == ["scanned 1 *a"])
        thread.send(.start(SensorStart(kind, run: 1)))
        for change in [HardwareFacts(properties: ["a": [.nearLevel: "200"]]), HardwareFacts()] {
            facts.current = HardwareFacts(properties: ["a": [.nearLevel: "100"], "b": [.nearLevel: "300"]])
            thread.send(.scan(request: 2))
            #expect(thread.texts(until: "scanned").last == "scanned 2 *a")
            facts.current = change
            thread.send(.scan(request: 3))
            #expect(thread.texts(until: "scanned").last == "scanned 3 *a, outdated: \(kind)")
        }
        facts.current = HardwareFacts(properties: ["a": [.nearLevel: "100"]])
        facts.current.isProxyRunning = true
        thread.send(.scan(request: 4))
        #expect(thread.texts(until: "scanned").last == "scanned 4 *a, outdated: \(kind)")
        facts.current = HardwareFacts()
        facts.current.failure = .failed("cannot read udev's database")
        thread.send(.scan(request: 5))
        #expect(thread.texts(until: "scanned").last?.hasSuffix(", cannot read udev's database") == true)
    }
}

// MARK: Hangs

extension SensorThreadTests {
    @Test(arguments: SensorKind.allCases)
    func `a reading that hangs is reported once, and the current reading is sent when it returns`(
        kind: SensorKind
    ) throws {
        let script = Script(kind, [.reading(1), .block, .reading(1), .reading(1)])
        let thread = try thread(script, longestCall: 0.2)
        thread.send(.start(SensorStart(kind, run: 1)))
        script.isBlocked.wait()
        thread.expectHang()
        var watched = [pollfd(fd: thread.hangDescriptor, events: Int16(POLLIN), revents: 0)]
        #expect(poll(&watched, 1, 0) == 0)
        #expect(thread.takeTextsBeforeHang() == ["opened a 1", "reading 1 1"])
        script.unblock.signal()
        #expect(thread.textsAfterHang(until: "reading") == ["responded", "reading 1 1"])
        // The timer may expire once more without a hang, and a later call may exceed the limit for a while.
        #expect(eventually { !thread.acknowledgeHang() })
    }

    @Test(arguments: SensorKind.allCases)
    func `a reading that hangs and returns nothing is followed by the wait that it asks for`(kind: SensorKind) throws {
        let script = Script(
            kind, [.reading(1), .block, .wait(.pause(seconds: 3_000))] + Script.unreached(by: kind))
        let thread = try thread(script, longestCall: 0.2)
        let start = ContinuousClock.now
        thread.send(.start(SensorStart(kind, run: 1)))
        script.isBlocked.wait()
        thread.expectHang()
        thread.takeTextsBeforeHang()
        script.unblock.signal()
        _ = thread.texts(until: "responded")
        thread.send(.stop(kind))
        #expect(thread.texts(until: "stopped").last == "stopped 1")
        #expect(.seconds(script.rests) <= ContinuousClock.now - start)
    }

    @Test(arguments: SensorKind.allCases)
    func `a release that hangs is followed by an event`(kind: SensorKind) throws {
        let script = Script(kind, [.reading(1)])
        script.beforeRelease = { script.block() }
        let thread = try thread(script, longestCall: 0.2)
        thread.send(.start(SensorStart(kind, run: 1)))
        _ = thread.texts(until: "reading")
        thread.send(.stop(kind))
        script.isBlocked.wait()
        thread.expectHang()
        thread.takeTextsBeforeHang()
        script.unblock.signal()
        #expect(thread.texts(until: "responded") == ["stopped 1", "responded"])
    }

    @Test(arguments: SensorKind.allCases)
    func `a sensor that fails is released before the failure is reported, and a release that hangs is reported`(
        kind: SensorKind
    ) throws {
        let script = Script(kind, [.reading(1), .fail])
        script.beforeRelease = { script.block() }
        let thread = try thread(script, longestCall: 0.2)
        thread.send(.start(SensorStart(kind, run: 1)))
        script.isBlocked.wait()
        thread.expectHang()
        #expect(thread.takeTextsBeforeHang() == ["opened a 1", "reading 1 1"])
        script.unblock.signal()
        #expect(thread.texts(until: "responded") == ["failed a: broken 1", "responded"])
    }
}

// MARK: Several sensors

extension SensorThreadTests {
    @Test func `several sensors run at once, and each is stopped alone`() throws {
        let reads = DispatchSemaphore(value: 0)
        let light = Script(.light, [.reading(1)])
        let compass = Script(
            .compass, id: "b", (0..<20_000).flatMap { _ in [.reading(2), .call { reads.signal() }] })
        compass.wait = .pause(seconds: 0.001)
        let thread = try thread(light, compass)
        thread.send(.start(SensorStart(.light, run: 1)))
        thread.send(.start(SensorStart(.compass, run: 2)))
        #expect(Set(thread.texts(until: "reading 2")).isSuperset(of: ["reading 1 1", "opened b 2"]))
        thread.send(.stop(.light))
        #expect(light.released.wait(timeout: .now() + stepTimeout) == .success)
        // Another reading of the compass follows those until now.
        while reads.wait(timeout: .now()) == .success {}
        #expect(reads.wait(timeout: .now() + stepTimeout) == .success)
        thread.send(.close)
        #expect(thread.texts(until: "closed") == ["stopped 1", "stopped 2", "closed"])
    }

    @Test func `after a hang another sensor that waits for input is read again`() throws {
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for end in pipes { close(end) } }
        let light = Script(.light, [.reading(1)])
        let input = Script(.compass, id: "b", Array(repeating: .reading(2), count: 100))
        light.beforeRelease = { light.block() }
        input.wait = .input(descriptor: pipes[0])
        let thread = try thread(light, input, longestCall: 0.2)
        thread.send(.start(SensorStart(.compass, run: 2)))
        _ = thread.texts(until: "reading 2")
        thread.send(.start(SensorStart(.light, run: 1)))
        _ = thread.texts(until: "reading 1")
        thread.send(.stop(.light))
        light.isBlocked.wait()
        thread.expectHang()
        thread.takeTextsBeforeHang()
        light.unblock.signal()
        #expect(thread.textsAfterHang(until: "reading 2") == ["stopped 1", "responded", "reading 2 2"])
    }

    @Test func `a kind without a sensor fails with the reason`() throws {
        let thread = try SensorThread(.ambient([]))
        thread.send(.start(SensorStart(.proximity, run: 1)))
        #expect(thread.texts(until: "failed") == ["failed none: no usable proximity sensor found 1"])
    }

    @Test(arguments: SensorKind.allCases)
    func `a sensor that no scan could find is a failure, which is retried`(kind: SensorKind) throws {
        let failure = SensorFailure.failed("cannot read udev's database: Too many open files")
        let isAmbient = kind != .accelerometer
        let table = isAmbient ? SensorTable.ambient([]) : try .scripted([Script(kind, [])])
        var facts = HardwareFacts()
        facts.failure = failure
        for table in [table]
            + (isAmbient ? [.ambient([AmbientSource { _ throws(SensorFailure) in throw failure }])] : [])
        {
            let thread = try SensorThread(table) { [facts] in facts }
            thread.send(.start(SensorStart(kind, run: 1)))
            #expect(thread.texts(until: "failed") == ["failed none: \(failure) 1"])
            facts.failure = nil
        }
    }
}

/// The facts that the thread reads next. Unchecked: behind a lock.
private final class Facts: @unchecked Sendable {
    private let lock = NSLock()
    private var facts: HardwareFacts
    init(_ facts: HardwareFacts) { self.facts = facts }
    var current: HardwareFacts {
        get { lock.withLock { facts } }
        set { lock.withLock { facts = newValue } }
    }
}

/// Signals its release.
private final class Marker: Sendable {
    private let released: DispatchSemaphore
    init(_ released: DispatchSemaphore) { self.released = released }
    deinit { released.signal() }
}
