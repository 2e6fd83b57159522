// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The code of a sensor thread: opens, reads, waits and closes.
final class SensorWorker {
    private let thread: SensorThread
    private var sensors: [SensorKind: OpenSensor] = [:]

    /// Sensors that are due within this time are read together, in seconds: one wake-up serves several sensors.
    static let coalescing = 0.2

    init(_ thread: SensorThread) { self.thread = thread }

    /// Runs until no command is pending and no sensor is open.
    func work() {
        while true {
            if let command = thread.nextCommand(orEndIfIdle: sensors.isEmpty) {
                supervise { execute(command) }
            } else if sensors.isEmpty {
                return
            } else {
                readDueSensors()
                // The last sensor may have failed: nothing would end the wait.
                if !sensors.isEmpty { wait() }
            }
        }
    }

    /// Runs a call that may hang; returns whether it timed out. The event loop then needs the current readings.
    @discardableResult private func supervise(_ call: () -> Void) -> Bool {
        guard thread.supervised(call) else { return false }
        thread.post(.responded)
        for kind in sensors.keys {
            sensors[kind]?.reader.repeatReading()
            sensors[kind]?.due = -.infinity
        }
        return true
    }

    private func execute(_ command: SensorCommand) {
        switch command {
        case .start(let start):
            // Release the former sensor first: a buffer cannot be opened twice.
            stop(start.kind)
            open(start)
        case .stop(let kind): stop(kind)
        case .close:
            thread.table.group.kinds.forEach(stop)
            thread.post(.closed)
        case .update:
            for kind in sensors.keys {
                sensors[kind]?.reader.update()
                sensors[kind]?.due = -.infinity
                describe(kind)
            }
        case .scan(let request, let failures):
            let facts = facts(recentFailures: failures)
            let outdated = sensors.filter { $1.isOutdated(by: facts) }.keys
            thread.post(.scanned(request: request, thread.table.list(facts), outdated: Set(outdated)))
        }
    }

    private func facts(recentFailures: [SensorID: String]) -> HardwareFacts {
        var facts = thread.facts()
        facts.recentFailures = recentFailures
        return facts
    }

    private func open(_ start: SensorStart) {
        var facts = facts(recentFailures: start.recentFailures)
        facts.isReload = start.isFresh
        do throws(OpenFailure) {
            let reader = try thread.table.open(start, facts, thread)
            sensors[start.kind] = OpenSensor(reader, run: start.run, facts: facts, at: MonotonicClock.now())
            let first = reader.begin()
            describe(start.kind)
            for event in first { post(event, of: start.kind) }
        } catch {
            thread.post(.sensor(start.kind, run: start.run, .failed(sensor: error.sensor, error.reason)))
        }
    }

    /// Posts the description of a sensor if it is new.
    private func describe(_ kind: SensorKind) {
        guard let reader = sensors[kind]?.reader else { return }
        var info = reader.info
        if let warning = sensors[kind]?.failures.warning { info.warnings.append(warning) }
        guard info != sensors[kind]?.described else { return }
        sensors[kind]?.described = info
        post(.opened(info, supportsBackpressure: reader.supportsBackpressure), of: kind)
    }

    private func post(_ event: RunEvent, of kind: SensorKind) {
        guard let run = sensors[kind]?.run else { return }
        thread.post(.sensor(kind, run: run, event))
    }

    private func stop(_ kind: SensorKind) { close(kind, mayResume: true, .stopped) }

    /// Releases the sensor, which closes it unless it was paused, and posts the event. The release comes first: the
    /// receiver of the event may exit the process.
    private func close(_ kind: SensorKind, mayResume: Bool, _ event: RunEvent) {
        guard let run = sensors[kind]?.run else { return }
        sensors[kind]?.reader.end(mayResume: mayResume)
        sensors[kind] = nil
        thread.post(.sensor(kind, run: run, event))
    }
}

// MARK: Reading

extension SensorWorker {
    private func readDueSensors() {
        let now = MonotonicClock.now()
        guard sensors.values.contains(where: { isDue($0, at: now) }) else { return }
        // No local variable keeps a sensor: closing releases it.
        for kind in thread.table.group.kinds where sensors[kind].map({ isDue($0, at: now + Self.coalescing) }) == true {
            read(kind)
        }
    }

    private func isDue(_ sensor: OpenSensor, at now: Double) -> Bool {
        (sensor.isReadable || sensor.due <= now) && !isBlocked(sensor)
    }

    /// Whether a recording has to wait for the event loop.
    private func isBlocked(_ sensor: OpenSensor) -> Bool {
        sensor.reader.supportsBackpressure && !thread.hasRoom
    }

    /// Reads a sensor, and closes it after its end or a failure. Closing may hang: disabling a buffer takes a call.
    private func read(_ kind: SensorKind) {
        switch step(kind) {
        case .success(nil): break
        case .success(let reason?): supervise { close(kind, mayResume: false, .ended(reason: reason)) }
        case .failure(let failure):
            let id = sensors[kind]?.reader.info.id
            let wasUseful = sensors[kind]?.failures.wasUseful == true
            supervise { close(kind, mayResume: false, .failed(sensor: id, failure, wasUseful: wasUseful)) }
        }
    }

    /// Performs the next step of a sensor; returns the reason at its end.
    private func step(_ kind: SensorKind) -> Result<String?, SensorFailure> {
        guard let reader = sensors[kind]?.reader else { return .success(nil) }
        let start = MonotonicClock.now()
        var step = Result<SensorStep<[RunEvent]>, SensorFailure>.success(.wait(.none))
        let wasHung = supervise {
            step = Result { () throws(SensorFailure) in try reader.next(at: BootClock.now()) }
        }
        return Result { () throws(SensorFailure) in
            if case .failure(.failed(let reason)) = step,
                let pause = sensors[kind]?.failures.pause(after: reason, at: start)
            {
                try schedule(kind, .pause(seconds: pause), readAt: start)
                return nil
            }
            let step = try step.get()
            describe(kind)
            switch step {
            case .sample(let events, let next):
                sensors[kind]?.lastSample = MonotonicClock.now()
                sensors[kind]?.failures.succeeded(at: start, then: next)
                for event in events { post(event, of: kind) }
                try schedule(kind, wasHung ? .none : next, readAt: start)
            case .wait(let next): try schedule(kind, next, readAt: start)
            case .end(let reason): return reason
            }
            return nil
        }
    }

    /// Sets when to read a sensor again: as it requests, and not later than the end of its longest silence. The time of
    /// the reading, which began at `start`, is no silence: it may have hung.
    private func schedule(_ kind: SensorKind, _ next: SourceWait, readAt start: Double) throws(SensorFailure) {
        guard var sensor = sensors[kind] else { return }
        let now = MonotonicClock.now()
        sensor.isReadable = false
        (sensor.due, sensor.descriptor) =
            switch next {
            case .none: (now, nil)
            case .pause(let seconds): (now + seconds, nil)
            case .input(let descriptor, let seconds): (seconds.map { now + $0 } ?? .infinity, descriptor)
            }
        if next != .none, let limit = sensor.reader.longestSilence {
            let rest = sensor.lastSample + limit - start
            guard rest > 0 else {
                throw .failed("\(sensor.reader.info.name): no reading for \(Int(limit)) seconds")
            }
            sensor.due = min(sensor.due, now + rest)
        }
        sensors[kind] = sensor
    }

    /// Waits for the next command, and for the sensors.
    private func wait() {
        let ready = sensors.values.filter { !isBlocked($0) }
        let due = ready.map(\.due).min() ?? .infinity
        let seconds = due - MonotonicClock.now()
        guard seconds > 0 else { return }
        thread.wait(or: ready.compactMap(\.descriptor), seconds: seconds.isFinite ? seconds : nil)
        // The descriptors do not say which one is readable: reading a sensor without input costs little.
        for kind in sensors.keys where sensors[kind]?.descriptor != nil { sensors[kind]?.isReadable = true }
    }
}

/// An open sensor of the thread. Times are on CLOCK_MONOTONIC, in seconds: a suspend is no silence.
private struct OpenSensor {
    let reader: any SensorReader
    let run: Int
    private let facts: HardwareFacts
    /// The description that was posted last.
    var described: SensorDescription?
    /// The time of the next reading; infinite if the sensor waits for input only.
    var due = -Double.infinity
    var descriptor: Int32?
    /// Whether the thread was woken since the last reading, perhaps by the descriptor.
    var isReadable = false
    /// The time at which the last sample was read.
    var lastSample: Double
    var failures = ReadingFailures()

    init(_ reader: any SensorReader, run: Int, facts: HardwareFacts, at now: Double) {
        self.reader = reader
        self.run = run
        self.facts = facts
        lastSample = now
    }

    /// Whether the facts about the sensor have changed since it was opened; those that cannot be read have not.
    func isOutdated(by now: HardwareFacts) -> Bool {
        let id = reader.info.id
        let hasChanged = (facts.properties[id] ?? [:]) != (now.properties[id] ?? [:])
        return now.failure == nil && (hasChanged || facts.isProxyRunning != now.isProxyRunning)
    }
}
