// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Recordings
internal import Posix

/// A capture from a device's buffer: delivers each scan with its own timestamp. Several are read at a time at rest, or
/// if the chip is faster than needed.
///
/// Releasing the capture disables the buffer and restores the changed settings.
final class Capture {
    /// Seconds until a buffer that has delivered nothing counts as dead: its trigger never fires.
    static let probeTime = 0.5
    /// Seconds without a scan after which the attributes are read, to find out whether the device lies still: ten scans at the
    /// frequencies in use.
    static let longestSilence = 1.5
    /// Seconds of scans after which a buffer works.
    static let provingTime = 10.0

    /// The result of one attempt to read the buffer.
    enum Outcome {
        case step(AccelerometerStep)
        /// The buffer no longer delivers scans. `isSilent`: no program and no error has stopped it, so that a retry may succeed.
        case stopped(reason: String, isSilent: Bool = false)
    }

    private let device: AccelerometerDevice
    private let timestamp: IIOChannel?
    private var buffer: EnabledBuffer?
    private var settings: DeviceSettings?
    private var clock: ScanClock
    private var pace: ScanPace
    // Times on CLOCK_MONOTONIC, in seconds: a suspend is no silence.
    private let started: Double
    private var lastScan: Double?
    /// The time of the last scan, or of the last reading that showed why there is none.
    private var lastSign: Double?
    private var lastVector: Acceleration?
    /// The raw values of the last sample.
    private(set) var lastRaw: RecordedSample.Raw?

    /// Enables the buffer of a device whose plan is to capture; `motionRate`: the rate for motion subscribers, in
    /// hertz.
    init(
        _ device: AccelerometerDevice, motionRate: Double?, record: RestoreRecord, warnings: inout [String]
    ) throws(CaptureError) {
        self.device = device
        let settings = try DeviceSettings(
            device.device, for: .capture, rate: Self.rate(motionRate: motionRate, hasTimestamps: true), record: record,
            warnings: &warnings)
        self.settings = settings
        clock = ScanClock(hasBootTime: settings.hasBootTime)
        pace = ScanPace(motionRate: motionRate)
        if !clock.usesTimestamps {
            _ = settings.setRate(Self.rate(motionRate: motionRate, hasTimestamps: false))
        }
        timestamp = device.device.channel("timestamp").flatMap { $0.hasValidFormat ? $0 : nil }
        for axis in device.axes { axis.channel.enable() }
        timestamp?.enable()
        started = MonotonicClock.now()
        do throws(BufferError) {
            buffer = EnabledBuffer(try device.device.makeBuffer())
        } catch {
            throw .notEnabled(error.code)
        }
    }

    deinit {
        // In this order: the kernel rejects changes of the clock and the trigger while the buffer is enabled.
        buffer = nil
        settings = nil
    }

    /// Changes the rate for motion subscribers; returns false if the buffer has to be stopped for that.
    func setMotionRate(_ motionRate: Double?) -> Bool {
        pace.motionRate = motionRate
        return settings?.setRate(Self.rate(motionRate: motionRate, hasTimestamps: clock.usesTimestamps)) ?? true
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
        guard let buffer else { return .stopped(reason: "the buffer is closed") }
        while true {
            let count = buffer.buffer.refill()
            guard count > 0 else {
                if count == -Int(EAGAIN) || count == 0 { break }
                return try failed(Int32(-count))
            }
            if let sample = sample(from: buffer.buffer, at: now) {
                if pace.readsBatches { return .step(.sample(sample)) }
                // Waiting for the descriptor shows whether there is another scan.
                let wait = SourceWait.input(descriptor: buffer.buffer.descriptor, seconds: Self.longestSilence)
                return .step(.sample(sample, then: wait))
            }
        }
        let awake = MonotonicClock.now()
        let timeout = (lastSign.map { $0 + Self.longestSilence } ?? started + Self.probeTime) - awake
        guard timeout > 0 else { return silent(at: now, awake) }
        if let lastScan, let pause = pace.pause(after: awake - lastScan) { return .step(.pause(seconds: pause)) }
        return .step(.awaitInput(descriptor: buffer.buffer.descriptor, seconds: timeout))
    }

    /// Handles a silence. Hubs send no scans while the device lies still: then a reading of the attributes equals the last
    /// scan, and is the sample.
    private func silent(at now: Double, _ awake: Double) -> Outcome {
        guard let lastVector, device.device.isBufferEnabled != false, device.canBePolled,
            let polling = try? Polling(device, readsAllAxes: true),
            case .sample(var sample, _)? = try? polling.next(at: now),
            (sample.acceleration - lastVector).magnitude <= RestDetector.stillness * lastVector.magnitude
        else {
            // No event reports that another program disabled the buffer.
            return device.device.isBufferEnabled == false
                ? .stopped(reason: "another program stopped the buffer")
                : .stopped(reason: timeoutReason, isSilent: true)
        }
        sample.time = clock.time(afterSilence: awake - (lastSign ?? awake), arrival: now)
        lastSign = awake
        return .step(
            .sample(sample, then: .input(descriptor: buffer?.buffer.descriptor ?? -1, seconds: Self.longestSilence)))
    }

    private var timeoutReason: String {
        lastScan == nil
            ? "timed out waiting for the first sample from the buffer (\(Self.probeTime) s)"
            : "timed out waiting for a sample from the buffer"
    }

    private func failed(_ code: Int32) throws(SensorFailure) -> Outcome {
        let reason = String(cString: strerror(code))
        // The attributes of a disconnected device cannot be read.
        if code == ENODEV || device.device.isBufferEnabled == nil {
            throw .gone("the sensor was disconnected (buffer: \(reason))")
        }
        return .stopped(reason: "cannot read the buffer: \(reason)")
    }

    /// Converts the current scan to a sample; nil if it is not a reading.
    private func sample(from buffer: borrowing IIOBuffer, at now: Double) -> Sample? {
        let values = device.axes.compactMap { $0.channel.value(in: buffer).map(Double.init) }
        guard values.count == 3, let acceleration = device.conversion(values[0], values[1], values[2]) else {
            return nil
        }
        lastScan = MonotonicClock.now()
        lastSign = lastScan
        lastVector = acceleration
        lastRaw = RecordedSample.Raw(x: values[0], y: values[1], z: values[2])
        let hadTimestamps = clock.usesTimestamps
        let time = clock.time(stamp: timestamp?.value(in: buffer), arrival: now)
        // A driver may reject that while the buffer is enabled.
        if hadTimestamps, !clock.usesTimestamps { _ = setMotionRate(pace.motionRate) }
        pace.scanned(acceleration, at: time, hasTimestamp: clock.usesTimestamps)
        return Sample(time: time, acceleration: acceleration)
    }
}

/// Holds a buffer, so that `deinit` can disable it before the settings are restored.
final class EnabledBuffer {
    let buffer: IIOBuffer
    init(_ buffer: consuming IIOBuffer) { self.buffer = buffer }
}

/// Why a capture could not be started.
enum CaptureError: Error {
    /// The restore record could not be written.
    case notRecorded
    /// The buffer could not be enabled; an errno.
    case notEnabled(Int32)

    /// Whether a retry can succeed without a change of the device: the node was busy, inaccessible or missing.
    var isTransient: Bool {
        if case .notEnabled(let code) = self { [EBUSY, EACCES, EPERM, ENOENT].contains(code) } else { false }
    }

    /// The reason, for a message that begins with "polled: ".
    var reason: String {
        switch self {
        case .notRecorded: return "cannot write the restore record to the state directory"
        case .notEnabled(EBUSY): return "the buffer is in use by another program"
        case .notEnabled(EPERM):
            return "cannot open the buffer's device node: denied by the service's device policy; "
                + "load the module industrialio before the service starts (DeviceAllow=char-iio)"
        case .notEnabled(EACCES):
            return "cannot open the buffer's device node: permission denied; install orientationd's udev rule"
        case .notEnabled(let code): return "cannot enable the buffer: \(String(cString: strerror(code)))"
        }
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
