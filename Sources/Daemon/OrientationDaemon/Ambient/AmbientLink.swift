// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import Systemd

/// The loop's link to the ambient thread: forwards commands, and appends the messages of the thread to the event queue.
///
/// Nothing here waits for a sensor.
final class AmbientLink {
    private let queue: EventQueue
    private let thread: AmbientThread
    private var messages: EventSource?
    private var hangs: EventSource?

    /// The maximum number of events taken in one iteration of the loop: opening and reading three sensors posts six, a
    /// scan one.
    private static let batch = 8

    /// Watches on `loop`. `sources` are the rows of the sensors, the best one first. Before they are listed, the settings in
    /// `records` are restored. A call to a sensor is reported as hung after `longestCall` seconds.
    init(
        _ sources: [AmbientSource], records: [AmbientKind: RestoreRecord], loop: EventLoop, queue: EventQueue,
        log: Logger, longestCall: Double = SensorThread.longestCall
    ) throws {
        self.queue = queue
        thread = try AmbientThread(sources, longestCall: longestCall) {
            // Settings are restored even if only simulated sensors are in use now.
            for record in records.values { record.restoreLocalSettings() }
            var facts = HardwareFacts.readingUdev(log: log)
            facts.isProxyRunning = UnitWatch.isRunning(DeviceWatch.sensorProxyUnit)
            return facts
        }
        messages = try loop.watch(thread.descriptor, for: .read) { [unowned self] _ in
            for message in thread.takeEvents(limit: Self.batch) { queue.append(.ambientThread(message)) }
        }
        hangs = try loop.watch(thread.hangDescriptor, for: .read) { [unowned self] _ in
            if thread.acknowledgeHang() { queue.append(.ambientHung(seconds: longestCall)) }
        }
    }

    func start(_ kind: AmbientKind, run: Int, recentFailures: [AmbientSensorID: String]) {
        thread.start(kind, run: run, recentFailures: recentFailures)
    }

    func stop(_ kind: AmbientKind) { thread.stop(kind) }

    func close() { thread.close() }

    /// Lists the sensors; the result has the number of the request.
    func scan(_ request: Int, recentFailures: [AmbientSensorID: String]) {
        thread.scan(request: request, recentFailures: recentFailures)
    }
}

extension SensorURI {
    /// Returns the rows of the ambient sensors that belong to this value of `--sensor`: those of this machine, and those
    /// of the simulated device. A simulated device has only simulated sensors, unless another source is given as well.
    /// Changed settings are written to `records`.
    func ambientSources(
        _ simulated: SimulatedAmbientSensors, records: [AmbientKind: RestoreRecord]
    ) throws(SensorFailure) -> [AmbientSource] {
        let local = [IIOAttributeSensors.source(records), ProximitySwitch.source, PlatformLight.source]
        guard let address = address(ofScheme: FakeSource.scheme) else { return local }
        let kinds = Set(try FakeSource.sensors(of: address).compactMap(AmbientKind.init(rawValue:)))
        return (isOnly(scheme: FakeSource.scheme) ? [] : local) + [simulated.source(kinds)]
    }
}
