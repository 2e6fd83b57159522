// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
@testable import Sensors
import TestSupport
import Testing

/// The ambient thread with scripted sensors; tests wait for its descriptor, never by sleeping.
@Suite struct AmbientThreadTests {
    private func events(_ thread: AmbientThread, until isLast: (String) -> Bool) -> [String] {
        var all: [String] = []
        while true {
            var watched = [pollfd(fd: thread.descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, Int32(stepTimeout * 1_000)) == 1 else {
                Issue.record("no event from the ambient thread in time; before: \(all)")
                return all
            }
            for event in thread.takeEvents(limit: 1) {
                all.append(event.short)
                if isLast(event.short) { return all }
            }
        }
    }

    /// Waits until the call in progress has timed out. Earlier ones may have timed out too on a busy machine.
    private func expectHang(of thread: AmbientThread) {
        repeat {
            var watched = [pollfd(fd: thread.hangDescriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, Int32(stepTimeout * 1_000)) == 1 else {
                Issue.record("no call hangs")
                return
            }
        } while !thread.acknowledgeHang()
    }

    private func thread(_ sensors: [ScriptedSensor], longestCall: Double = 5) throws -> AmbientThread {
        try AmbientThread([.scripted(sensors)], longestCall: longestCall) { HardwareFacts() }
    }

    @Test func `only changes are events, and the first reading`() throws {
        let light = ScriptedSensor(.light, "a", [1, 1, 2, 2, 1])
        let thread = try thread([light])
        thread.start(.light, run: 7, recentFailures: [:])
        #expect(
            events(thread) { $0.hasPrefix("failed") }
                == ["opened a 7", "light 1.0 7", "light 2.0 7", "light 1.0 7", "failed light 7 a: over"])
    }

    @Test func `the thread ends after its only sensor has failed`() throws {
        let ended = DispatchSemaphore(value: 0)
        var thread: AmbientThread? = try {
            let marker = Marker(ended)
            return try AmbientThread([.scripted([ScriptedSensor(.light, "a", [1])])]) {
                withExtendedLifetime(marker) { HardwareFacts() }
            }
        }()
        try #require(thread).start(.light, run: 1, recentFailures: [:])
        _ = events(try #require(thread)) { $0.hasPrefix("failed") }
        thread = nil
        // The thread keeps its closures as long as it runs.
        #expect(ended.wait(timeout: .now() + stepTimeout) == .success)
    }

    @Test func `a sensor that is read in another way is described again`() throws {
        let light = ScriptedSensor(.light, "a", [1, 2])
        light.beforeSecond = { light.info.reading = "polled" }
        let thread = try thread([light])
        thread.start(.light, run: 7, recentFailures: [:])
        #expect(
            events(thread) { $0.hasPrefix("failed") }
                == ["opened a 7", "light 1.0 7", "opened a 7", "light 2.0 7", "failed light 7 a: over"])
    }

    @Test func `several sensors run at once, and each is stopped alone`() throws {
        let (light, compass) = (ScriptedSensor(.light, "a", [1]), ScriptedSensor(.compass, "b", [2]))
        (light.isEndless, compass.isEndless) = (true, true)
        let (released, reads) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        light.beforeRelease = { released.signal() }
        compass.afterRead = { reads.signal() }
        let thread = try thread([light, compass])
        thread.start(.light, run: 1, recentFailures: [:])
        thread.start(.compass, run: 2, recentFailures: [:])
        #expect(Set(events(thread) { $0 == "compass 2.0 2" }).isSuperset(of: ["light 1.0 1", "opened b 2"]))
        thread.stop(.light)
        #expect(released.wait(timeout: .now() + stepTimeout) == .success)
        // Another reading of the compass follows those until now.
        while reads.wait(timeout: .now()) == .success {}
        #expect(reads.wait(timeout: .now() + stepTimeout) == .success)
        thread.close()
        #expect(events(thread) { $0 == "idle" }.last == "idle")
        #expect(light.isReleased && compass.isReleased)
    }

    @Test func `a sensor that failed recently is used only if there is no other`() throws {
        let thread = try thread([ScriptedSensor(.light, "a", [1]), ScriptedSensor(.light, "b", [2])])
        thread.start(.light, run: 1, recentFailures: [AmbientSensorID(kind: .light, id: "a"): "broken"])
        #expect(events(thread) { $0.hasPrefix("opened") } == ["opened b 1"])
        thread.scan(request: 3, recentFailures: [:])
        #expect(events(thread) { $0.hasPrefix("scanned") }.last == "scanned 3 *a b")
    }

    @Test(arguments: [
        HardwareFacts(properties: ["a": [.nearLevel: "200"], "b": [:]]),
        HardwareFacts(properties: ["a": [.nearLevel: "100"], "b": [.nearLevel: "300"]]),
    ])
    func `a list names the open sensors whose facts have changed`(changed: HardwareFacts) throws {
        let sensors = [ScriptedSensor(.light, "a", [1]), ScriptedSensor(.compass, "b", [2])]
        for sensor in sensors { sensor.isEndless = true }
        let facts = Facts(HardwareFacts(properties: ["a": [.nearLevel: "100"]]))
        let thread = try AmbientThread([.scripted(sensors)]) { facts.current }
        thread.start(.light, run: 1, recentFailures: [:])
        thread.start(.compass, run: 2, recentFailures: [:])
        thread.scan(request: 3, recentFailures: [:])
        #expect(events(thread) { $0.hasPrefix("scanned") }.last == "scanned 3 *a *b")
        facts.current = changed
        thread.scan(request: 4, recentFailures: [:])
        let outdated = changed.properties["a"]?[.nearLevel] == "200" ? "light" : "compass"
        #expect(events(thread) { $0.hasPrefix("scanned") }.last == "scanned 4 *a *b, outdated: \(outdated)")
        facts.current.isProxyRunning = true
        thread.scan(request: 5, recentFailures: [:])
        #expect(events(thread) { $0.hasPrefix("scanned") }.last == "scanned 5 *a *b, outdated: compass light")
        thread.close()
        _ = events(thread) { $0 == "idle" }
    }

    @Test func `a kind without a sensor fails with the reason`() throws {
        let thread = try thread([])
        thread.start(.proximity, run: 1, recentFailures: [:])
        #expect(events(thread) { _ in true } == ["failed proximity 1 none: no usable proximity sensor found"])
    }

    @Test func `a call that hangs is reported, and its value is sent when it returns`() throws {
        let light = ScriptedSensor(.light, "a", [1, 1])
        let gate = DispatchSemaphore(value: 0)
        light.beforeSecond = { gate.wait() }
        light.isEndless = true
        let thread = try thread([light], longestCall: 0.2)
        thread.start(.light, run: 1, recentFailures: [:])
        _ = events(thread) { $0.hasPrefix("light") }
        expectHang(of: thread)
        gate.signal()
        #expect(events(thread) { $0.hasPrefix("light") } == ["responded", "light 1.0 1"])
        thread.close()
        _ = events(thread) { $0 == "idle" }
    }

    @Test func `a release that hangs is followed by an event, though no sensor runs`() throws {
        let light = ScriptedSensor(.light, "a", [1])
        light.isEndless = true
        let gate = DispatchSemaphore(value: 0)
        light.beforeRelease = { gate.wait() }
        let thread = try thread([light], longestCall: 0.2)
        thread.start(.light, run: 1, recentFailures: [:])
        _ = events(thread) { $0.hasPrefix("light") }
        thread.stop(.light)
        expectHang(of: thread)
        gate.signal()
        #expect(events(thread) { _ in true } == ["responded"])
    }

    @Test func `after a hang a sensor that waits for input is read again`() throws {
        let (light, input) = (ScriptedSensor(.light, "a", [1]), ScriptedSensor(.compass, "b", [2]))
        (light.isEndless, input.isEndless) = (true, true)
        let gate = DispatchSemaphore(value: 0)
        light.beforeRelease = { gate.wait() }
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for end in pipes { close(end) } }
        input.next = .input(descriptor: pipes[0])
        let thread = try thread([light, input], longestCall: 0.2)
        thread.start(.compass, run: 2, recentFailures: [:])
        _ = events(thread) { $0.hasPrefix("compass") }
        thread.start(.light, run: 1, recentFailures: [:])
        _ = events(thread) { $0.hasPrefix("light") }
        thread.stop(.light)
        expectHang(of: thread)
        gate.signal()
        #expect(events(thread) { $0.hasPrefix("compass") } == ["responded", "compass 2.0 2"])
        thread.close()
        _ = events(thread) { $0 == "idle" }
    }

    @Test func `a sensor that fails is released before the failure is reported, and a release that hangs is reported`()
        throws
    {
        let light = ScriptedSensor(.light, "a", [1])
        let gate = DispatchSemaphore(value: 0)
        light.beforeRelease = { gate.wait() }
        let thread = try thread([light], longestCall: 0.2)
        thread.start(.light, run: 1, recentFailures: [:])
        expectHang(of: thread)
        // Earlier calls may exceed the limit on a busy machine.
        let known = thread.takeEvents(limit: 8).map(\.short).filter { $0 != "responded" }
        #expect(known == ["opened a 1", "light 1.0 1"])
        gate.signal()
        #expect(events(thread) { $0.hasPrefix("failed") } == ["responded", "failed light 1 a: over"])
        #expect(light.isReleased)
    }

    @Test func `a queued reading is replaced by a newer one of its kind only`() {
        let near = AmbientEvent.read(.proximity(isNear: true), run: 1)
        #expect(near.isReplaced(by: .read(.proximity(isNear: false), run: 2)))
        #expect(!near.isReplaced(by: .read(.light(1, .lux), run: 2)))
        #expect(!near.isReplaced(by: .failed(.proximity, run: 1, sensor: "a", .failed("over"))))
    }

    @Test func `the simulated sensors count until a value is set`() throws {
        let sensors = SimulatedAmbientSensors(of: SimulatedDevice())
        let read = { kind in try sensors.read(kind, at: 0) }
        #expect(try (0..<3).map { _ in try read(.light) } == [.light(0, .lux), .light(1, .lux), .light(2, .lux)])
        #expect(try (0..<2).map { _ in try read(.compass) } == [.compass(10), .compass(20)])
        #expect(try read(.proximity) == .proximity(isNear: false))
        sensors.set(.light(300, .lux))
        sensors.set(.proximity(isNear: true))
        #expect(try read(.light) == .light(300, .lux))
        #expect(try read(.proximity) == .proximity(isNear: true))
        #expect(sensors.source([.light]).scan(HardwareFacts()).map(\.kind) == [.light])
    }

    @Test func `the simulated sensors fail with their device, for the same time`() throws {
        let device = SimulatedDevice()
        let sensors = SimulatedAmbientSensors(of: device)
        device.move(.fail(.failed, duration: 2), at: 10)
        #expect(throws: SensorFailure.failed("simulated failure, as requested")) { try sensors.read(.light, at: 11) }
        device.move(.fail(.silent, duration: 2), at: 20)
        #expect(try sensors.read(.light, at: 21) == nil)
        device.move(.fail(.gone, duration: 2), at: 30)
        #expect(throws: SensorFailure.gone("simulated removal, as requested")) { try sensors.read(.light, at: 31) }
        #expect(try sensors.read(.light, at: 32) == .light(0, .lux))
        device.move(.fail(.gone, duration: .infinity), at: 40)
        #expect(sensors.source([.light]).scan(HardwareFacts()).isEmpty)
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

/// A sensor that returns values and then fails. Unchecked: used by the thread, and by the test before and after it.
private final class ScriptedSensor: AmbientSensor, @unchecked Sendable {
    var info: AmbientDescription
    private var values: [Double]
    /// Whether the last value is repeated.
    var isEndless = false
    var beforeSecond: (() -> Void)?
    var afterRead: (() -> Void)?
    private var count = 0
    var isReleased = false
    /// The release of a buffer may take a while.
    var beforeRelease: (() -> Void)?

    init(_ kind: AmbientKind, _ id: String, _ values: [Double]) {
        info = AmbientDescription(id: id, name: id, kind: kind, reading: "script")
        self.values = values
    }

    var next = AmbientWait.seconds(0.001)

    func read(at now: Double) throws(SensorFailure) -> AmbientReading? {
        count += 1
        defer { afterRead?() }
        if count == 2 { beforeSecond?() }
        guard let value = values.first else { throw .failed("over") }
        if values.count > 1 || !isEndless { values.removeFirst() }
        return info.kind == .compass ? .compass(value) : .light(value, .lux)
    }
}

/// Marks its sensor as released.
private final class ReleasingSensor: AmbientSensor {
    private let sensor: ScriptedSensor
    init(_ sensor: ScriptedSensor) { self.sensor = sensor }
    deinit {
        sensor.beforeRelease?()
        sensor.isReleased = true
    }
    var info: AmbientDescription { sensor.info }
    var next: AmbientWait { sensor.next }
    func read(at now: Double) throws(SensorFailure) -> AmbientReading? { try sensor.read(at: now) }
}

extension AmbientSource {
    fileprivate static func scripted(_ sensors: [ScriptedSensor]) -> AmbientSource {
        AmbientSource(
            scan: { _ in sensors.map(\.info) },
            open: { wanted, _ throws(SensorFailure) in
                guard let sensor = sensors.first(where: { $0.info.sensorID == wanted }) else { throw .gone("none") }
                return ReleasingSensor(sensor)
            })
    }
}

extension AmbientEvent {
    fileprivate var short: String {
        switch self {
        case .opened(let sensor, let run): "opened \(sensor.id) \(run)"
        case .read(.light(let level, _), let run): "light \(level) \(run)"
        case .read(.proximity(let isNear), let run): "proximity \(isNear) \(run)"
        case .read(.compass(let heading), let run): "compass \(heading) \(run)"
        case .failed(let kind, let run, let sensor, let failure):
            "failed \(kind) \(run) \(sensor ?? "none"): \(failure)"
        case .responded: "responded"
        case .idle: "idle"
        case .scanned(let request, let sensors, let outdated):
            "scanned \(request) \(sensors.map { ($0.isChosen ? "*" : "") + $0.id }.joined(separator: " "))"
                + (outdated.isEmpty ? "" : ", outdated: \(outdated.map(\.rawValue).sorted().joined(separator: " "))")
        }
    }
}
