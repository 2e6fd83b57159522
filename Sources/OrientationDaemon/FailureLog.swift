// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// A failure that is remembered for whoever asks.
nonisolated struct FailureNote {
    let reason: String
    /// CLOCK_BOOTTIME in microseconds.
    let timestamp: Int64
}

/// The sensor's last failures, and which of them are news.
nonisolated struct FailureLog {
    /// How many are remembered: enough to see whether one comes again and again.
    static let capacity = 16

    /// Newest last.
    private(set) var notes: [FailureNote] = []
    /// What has been told since the sensor worked last.
    private var told: Set<String> = []
    /// What last went wrong with each sensor that was open.
    private var lastBySensor: [String: String] = [:]

    /// Remembers a failure, `sensor` being the one that was open; whether it is news. Each new attempt may end
    /// in the same few ways; to say each once is enough.
    mutating func note(_ failure: SensorFailure, of sensor: String? = nil, at seconds: Double) -> Bool {
        if let sensor {
            if lastBySensor.count >= Self.capacity { lastBySensor.removeAll() }
            lastBySensor[sensor] = failure.description
        }
        notes.append(FailureNote(reason: failure.description, timestamp: Int64(seconds * 1_000_000)))
        notes.removeFirst(max(notes.count - Self.capacity, 0))
        if told.count >= Self.capacity { told.removeAll() }
        return told.insert(failure.description).inserted
    }

    /// What last went wrong with a sensor while it was open.
    func last(of sensor: String) -> String? { lastBySensor[sensor] }

    /// The sensor works again: the next failure is news, whatever it is.
    mutating func recovered() {
        told = []
    }
}
