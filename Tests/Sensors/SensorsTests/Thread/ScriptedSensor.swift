// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// A sensor of any kind with scripted steps.
///
/// Unchecked: the thread uses it; the test uses the semaphores, and the other properties before and after the thread does.
final class Script: @unchecked Sendable {
    enum Step {
        /// A reading: 1 and 2 differ.
        case reading(Int)
        case wait(SourceWait)
        /// The sensor is read in another way.
        case redescribed
        /// Blocks until ``unblock`` is signalled.
        case block
        /// Calls a function of the test.
        case call(() -> Void)
        /// A reading that fails, unlike the next one.
        case failOnce
        /// All further readings fail.
        case fail
        case end
    }

    let kind: SensorKind
    let id: String
    private var steps: [Step]
    /// What to wait for after a reading.
    var wait = SourceWait.none
    var beforeOpening: () -> Void = {}
    var beforeRelease: () -> Void = {}
    let isBlocked = DispatchSemaphore(value: 0)
    let unblock = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    /// How often the sensor was read after the last step.
    fileprivate(set) var rests = 0

    init(_ kind: SensorKind, id: String = "a", _ steps: [Step]) {
        self.kind = kind
        self.id = id
        self.steps = steps
    }

    var info: SensorDescription {
        var info = SensorDescription(kind, id: id, name: "scripted", method: "script")
        info.isHardware = kind == .accelerometer
        return info
    }

    /// Blocks the thread until ``unblock`` is signalled.
    func block() {
        isBlocked.signal()
        unblock.wait()
    }

    /// A step that is not reached while the sensor waits. None for an accelerometer, which the thread reads again after
    /// 5 s without a sample.
    static func unreached(by kind: SensorKind) -> [Step] { kind == .accelerometer ? [] : [.fail] }

    /// Returns the next step; nil after the last one.
    fileprivate func next() -> Step? {
        while !steps.isEmpty {
            switch steps.removeFirst() {
            case .block: block()
            case .call(let body): body()
            case .fail:
                steps = [.fail]
                return .fail
            case let step: return step
            }
        }
        return nil
    }
}

extension SensorTable {
    /// The table of the kind's group, with scripted sensors.
    static func scripted(_ scripts: [Script], _ measurements: AccelerometerMeasurements = .init()) throws -> Self {
        guard let first = scripts.first, first.kind == .accelerometer else {
            return .ambient([
                AmbientSource { _ in
                    scripts.map { script in FoundSensor(info: script.info) { ScriptedAmbientSensor(script) } }
                }
            ])
        }
        let kind = SourceKind(
            scheme: "test", takesAddress: false, isHardware: true,
            open: { _, _ throws(OpenFailure) in ScriptedAccelerometer(first) },
            scan: { _, _ throws(SensorFailure) in
                var listed = first.info
                listed.isChosen = true
                return [listed]
            })
        return .accelerometers(try SensorURI(parsing: "test", table: [kind]), measurements)
    }
}

/// Converts the steps of a script.
private class ScriptedSensor<Value> {
    let script: Script
    private(set) var info: SensorDescription
    private var pending: [Value] = []

    init(_ script: Script) {
        self.script = script
        info = script.info
        script.beforeOpening()
    }

    deinit {
        script.beforeRelease()
        script.released.signal()
    }

    /// The values of a reading; the classifier needs many.
    func values(_ number: Int) -> [Value] { [] }

    /// What follows the last step: a wait without limit.
    var rest: SensorStep<Value> { .wait(.pause(seconds: 3_000)) }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<Value> {
        if pending.isEmpty {
            guard let step = script.next() else {
                script.rests += 1
                return rest
            }
            switch step {
            case .reading(let number): pending = values(number)
            case .wait(let wait): return .wait(wait)
            case .redescribed:
                info.method = "other"
                return .wait(.none)
            case .fail, .failOnce: throw .failed("broken")
            case .end: return .end(reason: "over")
            case .block, .call: break
            }
        }
        let value = pending.removeFirst()
        return .sample(value, then: pending.isEmpty ? script.wait : .none)
    }
}

private final class ScriptedAccelerometer: ScriptedSensor<Sample>, Accelerometer {
    let supportsBackpressure = false
    private var clock = 0.0
    private var last: Sample?

    override func values(_ number: Int) -> [Sample] {
        let samples = (0..<100).map { _ in
            clock += 0.04
            let vector = Acceleration(x: number == 1 ? 0 : 9.8, y: number == 1 ? 9.8 : 0, z: 0)
            return Sample(time: clock, acceleration: vector)
        }
        last = samples.last
        return samples
    }

    /// The last sample again at each reading: without one for 5 s the sensor would fail.
    override var rest: SensorStep<Sample> {
        guard let last else { return super.rest }
        return .sample(last, then: .pause(seconds: 3_000))
    }
}

private final class ScriptedAmbientSensor: ScriptedSensor<AmbientReading>, AmbientSensor {
    override func values(_ number: Int) -> [AmbientReading] {
        switch script.kind {
        case .proximity: [.proximity(isNear: number == 1)]
        case .compass: [.compass(Double(number))]
        default: [.light(Double(number), .lux)]
        }
    }
}

extension SensorEvent {
    /// A short text.
    var short: String {
        switch self {
        case .responded: return "responded"
        case .closed: return "closed"
        case .scanned(let request, let found, let outdated):
            let list = found.sensors.map { ($0.isChosen ? "*" : "") + $0.id }.joined(separator: " ")
            let kinds = outdated.map(\.rawValue).sorted().joined(separator: " ")
            let failure = found.failure.map { ", \($0)" } ?? ""
            return "scanned \(request) \(list)\(outdated.isEmpty ? "" : ", outdated: \(kinds)")\(failure)"
        case .sensor(_, let run, let event): return "\(event.short) \(run)"
        }
    }
}

extension RunEvent {
    fileprivate var short: String {
        switch self {
        case .opened(let sensor, _): "opened \(sensor.id)"
        case .decided(let attitude): "reading \(attitude.pose == .edge(.top) ? 1 : 2)"
        case .read(.light(let level, _)): "reading \(Int(level))"
        case .read(.compass(let heading)): "reading \(Int(heading))"
        case .read(.proximity(let isNear)): "reading \(isNear ? 1 : 2)"
        case .read(.lid(let posture)): "reading \(posture.angle ?? 0)"
        case .withoutGravity(let reason): reason
        case .failed(let sensor, let failure, _): "failed \(sensor ?? "none"): \(failure)"
        case .ended(let reason): "ended: \(reason)"
        case .stopped: "stopped"
        }
    }
}

extension SensorThread {
    /// A limit for calls that none exceeds, also on a busy machine, in seconds: each excess would add events.
    static let noHang = 3_600.0

    /// Returns the next events up to the first whose text begins with `prefix`.
    func events(until prefix: String) -> [SensorEvent] {
        var all: [SensorEvent] = []
        while true {
            var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, Int32(stepTimeout * 1_000)) == 1 else {
                Issue.record("no event from the sensor thread in time; before: \(all.map(\.short))")
                return all
            }
            for event in takeEvents(limit: 1) {
                all.append(event)
                if event.short.hasPrefix(prefix) { return all }
            }
        }
    }

    /// Returns the texts of the next events up to the first that begins with `prefix`.
    func texts(until prefix: String) -> [String] { events(until: prefix).map(\.short) }

    /// The same after a hang, without repetitions: calls that follow may exceed the limit too on a busy machine.
    func textsAfterHang(until prefix: String) -> [String] {
        texts(until: prefix).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// Takes the events before a hang, while the thread is blocked; returns each text once, without what earlier calls
    /// add that exceeded the limit on a busy machine.
    @discardableResult func takeTextsBeforeHang() -> Set<String> {
        Set(takeEvents(limit: .max).map(\.short)).subtracting(["responded"])
    }

    /// Waits until the call in progress has timed out. Earlier ones may have timed out too on a busy machine.
    func expectHang() {
        repeat {
            var watched = [pollfd(fd: hangDescriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&watched, 1, Int32(stepTimeout * 1_000)) == 1 else {
                Issue.record("no call hangs")
                return
            }
        } while !acknowledgeHang()
    }
}
