// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// A failure in the list of the status.
struct FailureNote {
    let reason: String
    /// CLOCK_BOOTTIME in microseconds.
    let timestamp: Int64
}

/// The last failures of the sensors of a thread.
struct FailureLog {
    /// The number of failures and of sensors kept: enough to see whether a failure recurs, and a machine has a few
    /// sensors.
    static let capacity = 16

    /// Newest last.
    private(set) var notes: [FailureNote] = []
    /// The last failure of each sensor, even if it has recovered.
    private var last: [SensorID: String] = [:]
    /// The sensors that have failed and delivered no reading since.
    private var failing: Set<SensorID> = []

    /// Adds a failure; `sensor` is the one that failed, if one was chosen.
    mutating func note(_ failure: SensorFailure, of sensor: SensorID?, at seconds: Double) {
        notes.append(FailureNote(reason: failure.description, timestamp: Int64(seconds * 1_000_000)))
        notes.removeFirst(max(notes.count - Self.capacity, 0))
        guard let sensor else { return }
        if last.count >= Self.capacity {
            last.removeAll()
            failing.removeAll()
        }
        last[sensor] = failure.description
        failing.insert(sensor)
    }

    /// A sensor has delivered a reading.
    mutating func worked(_ sensor: SensorID) { failing.remove(sensor) }

    /// Adds the last failure of a sensor to its description.
    func describe(_ sensor: inout SensorDescription) {
        sensor.lastError = last[sensor.sensorID]
        sensor.isFailing = failing.contains(sensor.sensorID)
    }
}

/// Which messages about the sensor of one kind are logged: each opened sensor and each failure once.
struct SensorLog {
    private let kind: SensorKind
    private var opened: SensorDescription?
    /// The last message about it in the log.
    private var use: String?
    /// The warnings that were logged last, and the sensor.
    private var warnings: (sensor: String, texts: [String]) = ("", [])
    /// The failures logged since the last reading: retries fail in the same few ways.
    private var failures: Set<String> = []
    /// Limits the failures of a sensor that fails again after a few readings.
    private var bucket = TokenBucket(burst: 8, interval: 60)

    init(_ kind: SensorKind) { self.kind = kind }

    mutating func opened(_ sensor: SensorDescription) -> [Effect] {
        opened = sensor
        let known = warnings.sensor == sensor.id ? warnings.texts : []
        let new = sensor.warnings.filter { !known.contains($0) }.map { Effect.log(.warning, "\(sensor.id): \($0)") }
        if !sensor.warnings.isEmpty { warnings = (sensor.id, sensor.warnings) }
        // After a failure, the first reading proves that the sensor works.
        guard kind.isNamedWhenOpened || failures.isEmpty else { return new }
        return logUse() + new
    }

    mutating func read() -> [Effect] {
        guard !failures.isEmpty else { return [] }
        failures = []
        return logUse()
    }

    private mutating func logUse() -> [Effect] {
        guard let opened else { return [] }
        let text = "using \(opened.id) (\(opened.name))\(kind.use(of: opened))"
        guard text != use else { return [] }
        use = text
        return [.log(.info, text)]
    }

    mutating func failed(_ failure: SensorFailure, at now: Double) -> [Effect] {
        if !kind.isNamedWhenOpened { use = nil }
        if failures.count >= FailureLog.capacity { failures.removeAll() }
        return failures.insert(failure.description).inserted && bucket.take(at: now)
            ? [.log(kind.level(of: failure), kind.text(of: failure))] : []
    }
}

/// What differs between the kinds of sensors for their messages.
extension SensorKind {
    /// Whether an opened sensor is named at once; else, after a failure, with its first reading.
    fileprivate var isNamedWhenOpened: Bool { self == .accelerometer }

    fileprivate func use(of sensor: SensorDescription) -> String {
        let reading = sensor.method.map { ", \($0)" } ?? ""
        return self == .accelerometer
            ? ", mount matrix from \(sensor.matrixSource)\(reading)" : " as \(self) sensor\(reading)"
    }

    /// Clients ask for the lid angle on every machine, and most have no hinge.
    fileprivate func level(of failure: SensorFailure) -> Logger.Level {
        if case .noDevice = failure, self == .hinge { .debug } else { .warning }
    }

    fileprivate func text(of failure: SensorFailure) -> String {
        if self == .accelerometer { return "waiting for an accelerometer: \(failure)" }
        if case .noDevice(let reason) = failure { return reason }
        return "\(self) sensor failed: \(failure); trying the next one, or the same one again"
    }
}
