// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Recordings

/// A capture from a device's buffer: delivers each scan with its own timestamp. Several are read at a time at rest, or
/// if the chip is faster than needed.
///
/// Releasing the capture disables the buffer and restores the changed settings.
final class Capture {
    /// Seconds until a buffer that has delivered nothing is rejected, because its trigger never fires, or, of a hub, between
    /// two readings of the attributes.
    static let probeTime = 0.5
    /// Seconds without a scan after which the attributes are read, to find out whether the device lies still: ten scans at the
    /// frequencies in use.
    static let longestSilence = 1.5
    /// Seconds of scans after which a buffer works.
    static let provingTime = 10.0

    /// The result of one attempt to read the buffer.
    enum Outcome {
        case step(AccelerometerStep)
        /// The buffer no longer delivers scans. `mayResume`: no other program has stopped it: a retry may succeed.
        case stopped(reason: String, mayResume: Bool = false)
    }

    private let device: AccelerometerDevice
    private let timestamp: IIOChannel?
    private let buffer: ScanBuffer
    private var clock: ScanClock
    private var pace: ScanPace
    // Times on CLOCK_MONOTONIC, in seconds: a suspend is no silence.
    private let started: Double
    private var lastScan: Double?
    /// The time of the last scan, or of the last reading that showed why there is none.
    private var lastSign: Double?
    private var silence: BufferSilence
    private var failures = ReadingFailures()
    /// The raw values of the last sample.
    private(set) var lastRaw: RecordedSample.Raw?

    /// Enables the buffer of a device whose plan is to capture; `motionRate`: the rate for motion subscribers, in
    /// hertz. `mayBeSilent`: the buffer of a hub may have no scans at rest, not even a first one.
    init(
        _ device: AccelerometerDevice, motionRate: Double?, mayBeSilent: Bool, record: RestoreRecord,
        warnings: inout [String]
    ) throws(CaptureError) {
        self.device = device
        let isHub = mayBeSilent && device.isHub
        silence = BufferSilence(isHub: isHub, first: isHub ? Self.reading(of: device, at: BootClock.now()) : nil)
        let timestamp = device.device.channel("timestamp").flatMap { $0.hasValidFormat ? $0 : nil }
        self.timestamp = timestamp
        buffer = try ScanBuffer(
            device.device, device.axes.map(\.channel) + [timestamp].compactMap(\.self),
            settingsChannel: DeviceSettings.usualChannel, record: record, warnings: &warnings
        ) { Self.rate(motionRate: motionRate, hasTimestamps: $0) }
        clock = ScanClock(hasBootTime: buffer.hasBootTime)
        pace = ScanPace(motionRate: motionRate)
        started = MonotonicClock.now()
    }

    /// Changes the rate for motion subscribers; returns false if the buffer has to be stopped for that.
    func setMotionRate(_ motionRate: Double?) -> Bool {
        pace.motionRate = motionRate
        return buffer.setRate(Self.rate(motionRate: motionRate, hasTimestamps: clock.usesTimestamps))
    }

    /// The frequency that the chip needs, in hertz. Scans without timestamps are read as they arrive, also at rest.
    private static func rate(motionRate: Double?, hasTimestamps: Bool) -> Double {
        max(hasTimestamps ? SamplingFrequency.moving : SamplingFrequency.sufficient, motionRate ?? 0)
    }

    /// Whether scans have arrived for ``provingTime``.
    var isProven: Bool { lastScan.map { $0 - started >= Self.provingTime } ?? false }

    /// Whether the timestamps of the scans became unusable.
    var hasLostTimestamps: Bool { clock.hasFailed }

    /// Returns the next step; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> Outcome {
        do throws(ScanBuffer.Failure) {
            while try buffer.next() {
                guard let sample = scannedSample(at: now) else { continue }
                if pace.readsBatches { return .step(.sample(sample)) }
                // Waiting for the descriptor shows whether there is another scan.
                let wait = SourceWait.input(descriptor: buffer.descriptor, seconds: Self.longestSilence)
                return .step(.sample(sample, then: wait))
            }
        } catch {
            if error.isGone { throw .gone("the sensor was disconnected (buffer: \(error.reason))") }
            if let pause = failures.pause(after: error.reason, at: now) { return .step(.pause(seconds: pause)) }
            return .stopped(reason: "cannot read the buffer: \(error.reason)", mayResume: true)
        }
        let awake = MonotonicClock.now()
        let limit = lastScan == nil ? Self.probeTime : Self.longestSilence
        let timeout = (lastSign ?? started) + limit - awake
        guard timeout > 0 else { return silent(at: now, awake) }
        if let lastScan, let pause = pace.pause(after: awake - lastScan) { return .step(.pause(seconds: pause)) }
        return .step(.awaitInput(descriptor: buffer.descriptor, seconds: timeout))
    }

    /// Handles a silence: the vector with which the device lies still is the sample.
    private func silent(at now: Double, _ awake: Double) -> Outcome {
        // No event reports that another program disabled the buffer.
        if device.device.captureConflict == nil { return .stopped(reason: "another program stopped the buffer") }
        guard case .still(let vector) = silence.verdict(on: Self.reading(of: device, at: now)) else {
            return .stopped(reason: timeoutReason, mayResume: true)
        }
        let time = clock.time(afterSilence: awake - (lastSign ?? awake), arrival: now)
        lastSign = awake
        let limit = lastScan == nil ? Self.probeTime : Self.longestSilence
        return .step(
            .sample(
                Sample(time: time, acceleration: vector),
                then: .input(descriptor: buffer.descriptor, seconds: limit)))
    }

    /// Reads the attributes once. A failure counts as a refusal: the buffer is stopped, and started again later.
    private static func reading(of device: AccelerometerDevice, at now: Double) -> BufferSilence.Reading {
        guard device.canBePolled, let polling = try? Polling(device, readsAllAxes: true),
            let step = try? polling.next(at: now)
        else { return .refused }
        return if case .sample(let sample, _) = step { .vector(sample.acceleration) } else { .invalid }
    }

    private var timeoutReason: String {
        lastScan == nil
            ? "timed out waiting for the first sample from the buffer (\(Self.probeTime) s)"
            : "timed out waiting for a sample from the buffer"
    }

    /// Converts the current scan to a sample; nil if it is not a reading.
    private func scannedSample(at now: Double) -> Sample? {
        let values = device.axes.compactMap { buffer.value(of: $0.channel).map(Double.init) }
        guard values.count == 3, let acceleration = device.conversion(values[0], values[1], values[2]) else {
            return nil
        }
        lastScan = MonotonicClock.now()
        failures.succeeded(at: now)
        lastSign = lastScan
        silence.scanned(acceleration)
        lastRaw = RecordedSample.Raw(x: values[0], y: values[1], z: values[2])
        let hadTimestamps = clock.usesTimestamps
        let time = clock.time(stamp: timestamp.flatMap { buffer.value(of: $0) }, arrival: now)
        // A driver may reject that while the buffer is enabled.
        if hadTimestamps, !clock.usesTimestamps { _ = setMotionRate(pace.motionRate) }
        pace.scanned(acceleration, at: time, hasTimestamp: clock.usesTimestamps)
        return Sample(time: time, acceleration: acceleration)
    }
}

/// Determines the time of each scan on CLOCK_BOOTTIME: the kernel's timestamp if it is on that clock, otherwise the
/// time of arrival. The first scan decides; timestamps that stall or leave the clock later are no longer used.
struct ScanClock {
    /// The largest difference between the first timestamp and its arrival, in seconds. Some hubs use their own clock.
    private static let tolerance = 1.0
    /// The largest difference of a later one, in seconds: scans wait in the kernel's buffer.
    private static let laterTolerance = 10.0
    /// The number of consecutive timestamps that do not advance, after which they are no longer used: a decision of the
    /// classifier would never end.
    private static let stalledLimit = 10

    private enum Source {
        case undecided
        case timestamps
        case arrivals
    }

    private var source: Source
    private var last = -Double.infinity
    private var stalled = 0
    /// Whether the timestamps became unusable.
    private(set) var hasFailed = false

    /// Whether the times are the kernel's timestamps; true before the first scan if they may be.
    var usesTimestamps: Bool { source != .arrivals }

    /// Creates a clock; `hasBootTime` says whether the kernel was set to CLOCK_BOOTTIME.
    init(hasBootTime: Bool) {
        source = hasBootTime ? .undecided : .arrivals
    }

    /// Returns the time of a sample that is no scan, `elapsed` seconds after the last one; later scans are not earlier.
    /// Timestamps may lag behind the arrival.
    mutating func time(afterSilence elapsed: Double, arrival: Double) -> Double {
        guard source == .timestamps else { return arrival }
        last += elapsed
        return last
    }

    /// Returns the time of a scan in seconds; `stamp` is the kernel's timestamp in nanoseconds. Timestamps that
    /// decrease count as the last one.
    mutating func time(stamp: Int64?, arrival: Double) -> Double {
        let stamped = stamp.map { Double($0) / 1e9 }
        if source == .undecided {
            let isBootTime = stamped.map { ($0 - arrival).magnitude <= Self.tolerance } == true
            source = isBootTime ? .timestamps : .arrivals
        }
        guard source == .timestamps, let stamped else { return arrival }
        stalled = stamped > last ? 0 : stalled + 1
        guard stalled < Self.stalledLimit, (stamped - arrival).magnitude <= Self.laterTolerance else {
            (source, hasFailed) = (.arrivals, true)
            return arrival
        }
        last = max(last, stamped)
        return last
    }
}
