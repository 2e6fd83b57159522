// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Systemd

/// The loop's link to the sensor threads: forwards commands, and appends the messages of the threads to the event queue.
///
/// Nothing here waits for a sensor.
final class SensorLink {
    private let queue: EventQueue
    private let measurements: AccelerometerMeasurements
    private var threads: [SensorGroup: WatchedThread] = [:]

    private struct WatchedThread {
        let thread: SensorThread
        let messages: EventSource
        let hangs: EventSource
    }

    /// Watches on `loop`. A call to a sensor is reported as hung after `longestCall` seconds.
    init(
        _ tables: [SensorTable], _ measurements: AccelerometerMeasurements, loop: EventLoop, queue: EventQueue,
        longestCall: Double = SensorThread.longestCall, facts: @escaping @Sendable (SensorGroup) -> HardwareFacts
    ) throws {
        self.queue = queue
        self.measurements = measurements
        for table in tables {
            let group = table.group
            let thread = try SensorThread(table, longestCall: longestCall) { facts(group) }
            threads[group] = WatchedThread(
                thread: thread,
                messages: try loop.watch(thread.descriptor, for: .read) { [unowned self] _ in
                    takeMessages(of: thread, group)
                },
                hangs: try loop.watch(thread.hangDescriptor, for: .read) { _ in
                    if thread.acknowledgeHang() { queue.append(.sensorHung(group, seconds: longestCall)) }
                })
        }
    }

    subscript(group: SensorGroup) -> SensorThread? { threads[group]?.thread }

    var readings: SensorReadings {
        var readings = measurements.readings
        readings.droppedCount += self[.accelerometer]?.droppedCount ?? 0
        return readings
    }

    func setMotionRate(_ rate: Double?) {
        measurements.motionRate = rate
        self[.accelerometer]?.send(.update)
    }

    /// Reads no messages about the accelerometer until resumed.
    func setPaused(_ isPaused: Bool) {
        let messages = threads[.accelerometer]?.messages
        isPaused ? messages?.pause() : messages?.resume()
    }

    private func takeMessages(of thread: SensorThread, _ group: SensorGroup) {
        for message in thread.takeEvents(limit: group.batch) { queue.append(.sensorThread(group, message)) }
        guard group == .accelerometer else { return }
        let samples = measurements.takeMotion()
        if !samples.isEmpty { queue.append(.samples(samples)) }
    }
}

extension SensorGroup {
    /// The maximum number of events taken in one iteration of the loop.
    fileprivate var batch: Int {
        switch self {
        // Each is published before the next: the readers of a recording miss none.
        case .accelerometer: 1
        // Opening and reading three sensors posts six, a scan one.
        case .ambient: 8
        }
    }
}
