// SPDX-License-Identifier: Apache-2.0

internal import Sensors

/// A failure in the list of the status.
struct FailureNote {
    let reason: String
    /// CLOCK_BOOTTIME in microseconds.
    let timestamp: Int64
}

/// The last failures of the sensor, and which of them have been logged.
struct FailureLog {
    /// The number of failures kept: enough to see whether one recurs.
    static let capacity = 16

    /// Newest last.
    private(set) var notes: [FailureNote] = []
    /// The failures logged since the sensor last worked.
    private var logged: Set<String> = []
    /// The last failure of each sensor while it was open.
    private var lastBySensor: [String: String] = [:]

    /// Adds a failure; `sensor` is the open sensor. Returns whether to log it: retries fail in the same few ways, and
    /// each is logged once.
    mutating func note(_ failure: SensorFailure, of sensor: String? = nil, at seconds: Double) -> Bool {
        if let sensor {
            if lastBySensor.count >= Self.capacity { lastBySensor.removeAll() }
            lastBySensor[sensor] = failure.description
        }
        notes.append(FailureNote(reason: failure.description, timestamp: Int64(seconds * 1_000_000)))
        notes.removeFirst(max(notes.count - Self.capacity, 0))
        if logged.count >= Self.capacity { logged.removeAll() }
        return logged.insert(failure.description).inserted
    }

    /// Returns the last failure of a sensor while it was open.
    func last(of sensor: String) -> String? { lastBySensor[sensor] }

    /// Resets the log after the sensor worked: every later failure is logged again.
    mutating func recovered() {
        logged = []
    }
}
