// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The code of the ambient thread: opens, reads, waits and closes.
struct AmbientWorker {
    private let exchange: ThreadExchange<AmbientCommand, AmbientEvent>
    private let setup: AmbientSetup
    private var runs: [AmbientKind: AmbientRun] = [:]

    /// Sensors that are due within this time are read together, in seconds: one wake-up serves several sensors.
    static let coalescing = 0.2

    init(exchange: ThreadExchange<AmbientCommand, AmbientEvent>, setup: AmbientSetup) {
        self.exchange = exchange
        self.setup = setup
    }

    /// Runs until no command is pending and no sensor is open.
    mutating func work() {
        while true {
            if let command = exchange.nextCommand(orEndIfIdle: runs.isEmpty) {
                supervise { $0.execute(command) }
            } else if runs.isEmpty {
                return
            } else {
                readDueSensors(at: BootClock.now())
                // The last sensor may have failed: nothing would end the wait.
                if !runs.isEmpty { wait(at: BootClock.now()) }
            }
        }
    }

    /// Runs a call that may hang. After a call that timed out, posts ``AmbientEvent/responded`` and makes all sensors
    /// due.
    private mutating func supervise(_ call: (inout AmbientWorker) -> Void) {
        guard exchange.supervised({ call(&self) }) else { return }
        for kind in runs.keys { runs[kind]?.requestReading() }
        exchange.post(.responded)
    }

    private mutating func execute(_ command: AmbientCommand) {
        switch command {
        case .start(let kind, let run, let failures): open(kind, run: run, failures)
        case .stop(let kind): runs[kind] = nil
        case .close:
            runs.removeAll()
            exchange.post(.idle)
        case .scan(let request, let failures):
            let facts = setup.facts()
            let sensors = setup.sources.flatMap { $0.scan(facts) }
            let outdated = Set(runs.filter { $1.isOutdated(by: facts) }.keys)
            exchange.post(.scanned(request: request, sensors.chosen(failures), outdated: outdated))
        }
    }

    private mutating func open(_ kind: AmbientKind, run: Int, _ failures: [AmbientSensorID: String]) {
        // Release the former sensor first: a buffer cannot be opened twice.
        runs[kind] = nil
        let facts = setup.facts()
        let listed = setup.sources.flatMap { source in source.scan(facts).map { (sensor: $0, source: source) } }
        let choice = listed.map(\.sensor).chosen(failures).firstIndex { $0.kind == kind && $0.isChosen }
        guard let choice else {
            return exchange.post(.failed(kind, run: run, sensor: nil, Self.absence(of: kind, listed.map(\.sensor))))
        }
        let wanted = listed[choice].sensor.sensorID
        do throws(SensorFailure) {
            let sensor = try listed[choice].source.open(wanted, facts)
            runs[kind] = AmbientRun(number: run, sensor: sensor, facts: facts)
            exchange.post(.opened(sensor.info, run: run))
        } catch {
            exchange.post(.failed(kind, run: run, sensor: wanted.id, error))
        }
    }

    private static func absence(of kind: AmbientKind, _ sensors: [AmbientDescription]) -> SensorFailure {
        let rejected = sensors.filter { $0.kind == kind }.compactMap { sensor in
            sensor.rejection.map { "\(sensor.id) (\(sensor.name)): \($0)" }
        }
        let reasons = rejected.isEmpty ? "" : "; \(rejected.joined(separator: "; "))"
        return .noDevice("no usable \(kind) sensor found\(reasons)")
    }

    private mutating func readDueSensors(at now: Double) {
        guard runs.values.contains(where: { $0.isDue(at: now) }) else { return }
        for kind in AmbientKind.allCases where runs[kind]?.isDue(at: now + Self.coalescing) == true {
            var outcome: Result<AmbientReading?, SensorFailure> = .success(nil)
            supervise { worker in
                outcome = Result { () throws(SensorFailure) in try worker.runs[kind]?.sensor.read(at: now) }
            }
            finish(kind, outcome, at: BootClock.now())
        }
    }

    private mutating func finish(_ kind: AmbientKind, _ outcome: Result<AmbientReading?, SensorFailure>, at now: Double)
    {
        // No local variable keeps the sensor.
        guard let number = runs[kind]?.number, let id = runs[kind]?.sensor.info.id else { return }
        switch outcome {
        case .success(let reading):
            if let info = runs[kind]?.takeChangedInfo() { exchange.post(.opened(info, run: number)) }
            if let reading, reading != runs[kind]?.last {
                runs[kind]?.last = reading
                exchange.post(.read(reading, run: number))
            }
            runs[kind]?.schedule(at: now)
        case .failure(let failure):
            // Release first: the receiver of the event may exit the process. Disabling a buffer may hang.
            supervise { $0.runs[kind] = nil }
            exchange.post(.failed(kind, run: number, sensor: id, failure))
        }
    }

    private mutating func wait(at now: Double) {
        let descriptors = runs.values.compactMap(\.descriptor)
        let timeout = runs.values.map { max($0.due - now, 0) }.min()
        exchange.wait(or: descriptors, seconds: timeout.flatMap { $0.isFinite ? $0 : nil })
        // The descriptors do not say which one is readable: reading a sensor without input costs little.
        for kind in runs.keys where runs[kind]?.descriptor != nil { runs[kind]?.isReadable = true }
    }
}

/// An open sensor.
struct AmbientRun {
    let number: Int
    let sensor: any AmbientSensor
    private var info: AmbientDescription
    /// The facts with which the sensor was opened: the properties of its device, and whether iio-sensor-proxy ran.
    private let properties: [SensorProperty: String]
    private let isProxyRunning: Bool
    var last: AmbientReading?
    /// The time of the next reading; infinite if the sensor waits for input only.
    private(set) var due = -Double.infinity
    private(set) var descriptor: Int32?
    /// Whether the thread was woken since the last reading, perhaps by the descriptor.
    var isReadable = false

    init(number: Int, sensor: any AmbientSensor, facts: HardwareFacts) {
        self.number = number
        self.sensor = sensor
        info = sensor.info
        properties = facts.properties[sensor.info.id] ?? [:]
        isProxyRunning = facts.isProxyRunning
    }

    /// Whether the facts about the sensor have changed since it was opened.
    func isOutdated(by now: HardwareFacts) -> Bool {
        isProxyRunning != now.isProxyRunning || properties != (now.properties[info.id] ?? [:])
    }

    /// Returns the description of the sensor if it has changed since the last call.
    mutating func takeChangedInfo() -> AmbientDescription? {
        guard sensor.info != info else { return nil }
        info = sensor.info
        return info
    }

    func isDue(at now: Double) -> Bool { isReadable || due <= now }

    /// Makes the sensor due, and reports its next reading even if it is unchanged: readings during a hang were not
    /// received.
    mutating func requestReading() {
        last = nil
        due = -.infinity
    }

    /// Sets the time of the next reading.
    mutating func schedule(at now: Double) {
        isReadable = false
        switch sensor.next {
        case .seconds(let seconds): (due, descriptor) = (now + seconds, nil)
        case .input(let input, let seconds): (due, descriptor) = (seconds.map { now + $0 } ?? .infinity, input)
        }
    }
}
