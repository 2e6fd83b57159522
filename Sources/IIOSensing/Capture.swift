// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Recordings
internal import Sensing

/// A device's buffer while it is ours: every scan, when it comes, with its own time.
///
/// Letting go of it stops the buffer and sets back what was changed.
final class Capture {
    /// A buffer that gives nothing for so many seconds after it was started is dead: a trigger that never fires.
    static let probeTime = 0.5
    /// One that has given scans is taken to have stopped after so many seconds: at the frequencies in use it would
    /// have had to miss ten.
    static let longestSilence = 1.5

    /// What came of looking at the buffer.
    enum Outcome {
        case step(AccelerometerStep)
        /// It gives nothing any more, for this reason.
        case lost(because: String)
    }

    private let device: AccelerometerDevice
    private let timestamp: IIOChannel?
    private var running: Running?
    private var settings: DeviceSettings?
    private var clock: ScanClock
    private let started: Double
    private var lastScan: Double?
    private var mayHaveScan = true
    /// The driver's numbers behind the last sample.
    private(set) var lastRaw: RecordedSample.Raw?

    /// Holds the buffer, which has to go before what it was made from is set back.
    private final class Running {
        let buffer: IIOBuffer
        init(_ buffer: consuming IIOBuffer) { self.buffer = buffer }
    }

    /// Starts the buffer of a device for which that is planned, for so many scans in a second; `warnings` is told what is
    /// odd about it.
    init(
        _ device: AccelerometerDevice, rate: Double, triggers: [IIODevice], note: ArmedNote, warnings: inout [String]
    ) throws(CaptureError) {
        self.device = device
        let settings = try DeviceSettings(
            device.device, for: .capture, rate: rate, triggers: triggers, note: note, warnings: &warnings)
        self.settings = settings
        clock = ScanClock(hasBootTime: settings.hasBootTime)
        timestamp = device.device.channel("timestamp").flatMap { $0.hasSoundFormat ? $0 : nil }
        for axis in device.axes { axis.channel.setEnabled(true) }
        timestamp?.setEnabled(true)
        started = BootClock.now()
        do throws(BufferError) {
            running = Running(try device.device.makeBuffer())
        } catch {
            throw .refused(error.code)
        }
    }

    deinit {
        running = nil
        settings = nil
    }

    /// From now on so many scans in a second are needed; false where that takes a stop.
    func adapt(to rate: Double) -> Bool {
        settings?.adapt(to: rate) ?? true
    }

    /// The next thing to do; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> Outcome {
        guard let running else { return .lost(because: "its buffer is closed") }
        while mayHaveScan {
            let count = running.buffer.refill()
            guard count > 0 else {
                mayHaveScan = false
                if count == -Int(EAGAIN) || count == 0 { break }
                return try stopped(Int32(-count))
            }
            if let sample = sample(from: running.buffer, at: now) {
                // Whether there is another is asked by waiting for it.
                mayHaveScan = false
                return .step(.sample(sample))
            }
        }
        mayHaveScan = true
        let patience = (lastScan.map { $0 + Self.longestSilence } ?? started + Self.probeTime) - now
        if patience > 0 {
            return .step(.awaitInput(descriptor: running.buffer.descriptor, seconds: patience))
        }
        return .lost(because: silence)
    }

    private var silence: String {
        // Nobody else says that a buffer was taken.
        if device.device.isBufferEnabled == false { return "another program stopped its buffer" }
        return lastScan == nil
            ? "its buffer gave no sample within \(Self.probeTime) seconds" : "its buffer fell silent"
    }

    private func stopped(_ code: Int32) throws(SensorFailure) -> Outcome {
        let reason = String(cString: strerror(code))
        // A device that has gone answers nothing at all.
        if code == ENODEV || device.device.isBufferEnabled == nil {
            throw .gone("the sensor has gone (its buffer: \(reason))")
        }
        return .lost(because: "its buffer cannot be read: \(reason)")
    }

    /// The sample of the scan that was taken; nil for one that is no reading.
    private func sample(from buffer: borrowing IIOBuffer, at now: Double) -> Sample? {
        guard let x = device.axes[0].channel.value(in: buffer), let y = device.axes[1].channel.value(in: buffer),
            let z = device.axes[2].channel.value(in: buffer),
            let acceleration = device.acceleration(Double(x), Double(y), Double(z))
        else { return nil }
        // Also one that is not believed: the buffer at least is alive.
        lastScan = now
        lastRaw = RecordedSample.Raw(x: Double(x), y: Double(y), z: Double(z))
        let time = clock.time(stamp: timestamp?.value(in: buffer), arrival: now)
        return Sample(time: time, acceleration: acceleration)
    }
}

/// Why a buffer could not be started.
enum CaptureError: Error {
    /// It could not be noted as ours.
    case unnoted
    /// The kernel's errno.
    case refused(Int32)

    /// Whether it can pass without anything being changed on the device: the node was held, or closed, or not there.
    var mayPass: Bool {
        if case .refused(let code) = self { [EBUSY, EACCES, EPERM, ENOENT].contains(code) } else { false }
    }

    /// For people, going on after "polled: ".
    var reason: String {
        switch self {
        case .unnoted: return "its buffer cannot be noted as ours in the state directory"
        case .refused(EBUSY): return "another program holds its buffer"
        case .refused(EPERM):
            return "its buffer's device node is forbidden to this service; was the module industrialio loaded when the "
                + "service started (DeviceAllow=char-iio)?"
        case .refused(EACCES):
            return "its buffer is closed to this user; is orientationd's udev rule installed?"
        case .refused(let code): return "its buffer cannot be started: \(String(cString: strerror(code)))"
        }
    }
}
