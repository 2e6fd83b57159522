// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensors
internal import Systemd

/// The loop's link to the sensor thread: forwards commands, and appends the messages of the thread to the event queue.
///
/// Nothing here waits for the sensor.
final class SensorLink {
    private let uri: SensorURI
    /// The URI of the local sensors, regardless of the source in use.
    private let localURI: SensorURI
    private let settings: ClassifierSettings
    private let reportsTilt: Bool
    private let queue: EventQueue
    private let thread: SensorThread
    private var messages: EventSource?
    private var hangs: EventSource?

    /// Watches on `loop`. With `reportsTilt` changes of the tilt band are sent as well. A call to the sensor is
    /// reported as hung after `longestCall` seconds.
    init(
        uri: SensorURI, localURI: SensorURI, settings: ClassifierSettings, reportsTilt: Bool, loop: EventLoop,
        queue: EventQueue, log: Logger, longestCall: Double = SensorThread.longestCall
    ) throws {
        self.uri = uri
        self.localURI = localURI
        self.settings = settings
        self.reportsTilt = reportsTilt
        self.queue = queue
        thread = try SensorThread(longestCall: longestCall) { Self.complete($0, log: log) }
        messages = try loop.watch(thread.descriptor, for: .read) { [unowned self] _ in takeMessages() }
        hangs = try loop.watch(thread.hangDescriptor, for: .read) { [unowned self] _ in
            if thread.acknowledgeHang() { queue.append(.sensorHung(seconds: longestCall)) }
        }
    }

    /// The measurements of the thread.
    var readings: any SensorReadings { thread }

    func start(run: Int, fresh: Bool, recentFailures: [String: String]) {
        let facts = Self.facts(recentFailures)
        thread.start(
            SensorRequest(
                uri: uri, facts: facts, settings: settings, reportsTilt: reportsTilt, mayResume: !fresh), run: run)
    }

    func stop() { thread.stop() }

    func close() { thread.close() }

    func setMotionRate(_ rate: Double?) { thread.setMotionRate(rate) }

    /// Reads no messages until resumed.
    func setPaused(_ isPaused: Bool) {
        isPaused ? messages?.pause() : messages?.resume()
    }

    /// Lists the sensors; the result has the number of the request.
    func scan(_ request: Int, _ purpose: ScanPurpose, recentFailures: [String: String]) {
        thread.scan(
            purpose == .restore ? localURI : uri, facts: Self.facts(recentFailures), request: request)
    }

    private func takeMessages() {
        // One per iteration of the loop: each is published before the next, so that the readers of a recording miss none.
        for message in thread.takeEvents(limit: 1) { queue.append(.sensorThread(message)) }
        let samples = thread.takeMotion()
        if !samples.isEmpty { queue.append(.samples(samples)) }
    }

    /// The facts known to the loop; the sensor thread adds the others with ``complete(_:log:)``.
    private static func facts(_ recentFailures: [String: String]) -> HardwareFacts {
        var facts = HardwareFacts()
        facts.recentFailures = recentFailures
        return facts
    }

    /// Adds the facts that need blocking calls; runs on the sensor thread.
    private static func complete(_ known: HardwareFacts, log: Logger) -> HardwareFacts {
        var facts = HardwareFacts.readingUdev(log: log)
        facts.recentFailures = known.recentFailures
        facts.isProxyRunning = UnitWatch.isRunning(DeviceWatch.sensorProxyUnit)
        return facts
    }
}

extension HardwareFacts {
    /// Reads the properties of the local sensors from udev's database, none if it cannot be read; blocks.
    static func readingUdev(log: Logger) -> HardwareFacts {
        do {
            return try fromUdev()
        } catch {
            log.warning("\(error); properties in udev's database are ignored")
            return HardwareFacts()
        }
    }

    private static func fromUdev() throws(SystemError) -> HardwareFacts {
        var facts = HardwareFacts()
        // Without a udev daemon no device is ever marked as processed: none is pending.
        let isUdevRunning = access("/run/udev/control", F_OK) == 0
        for entry in try DeviceDatabase.devices(subsystem: "iio", properties: SensorProperty.allCases.map(\.rawValue)) {
            if isUdevRunning, !entry.isInitialized { facts.pending.insert(entry.name) }
            for property in SensorProperty.allCases {
                facts.properties[entry.name, default: [:]][property] = entry.properties[property.rawValue]
            }
        }
        try facts.addInputDevices()
        return facts
    }

    /// Adds the event nodes that udev lists as accelerometers or as switches.
    private mutating func addInputDevices() throws(SystemError) {
        let names = SensorProperty.allCases.map(\.rawValue) + [DeviceWatch.inputProperty, DeviceWatch.switchProperty]
        let nodes = try DeviceDatabase.devices(subsystem: "input", properties: names)
            .filter { $0.name.hasPrefix("event") }.sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
        inputSwitches = nodes.filter { $0.properties[DeviceWatch.switchProperty] == "1" }.map(\.name)
        let entries = nodes.filter { $0.properties[DeviceWatch.inputProperty] == "1" }
        for entry in entries {
            for property in SensorProperty.allCases {
                properties[entry.name, default: [:]][property] = entry.properties[property.rawValue]
            }
        }
        inputAccelerometers = entries.map(\.name)
    }
}
