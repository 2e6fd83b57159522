// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings
internal import Sensing
internal import Support

/// An IIO accelerometer: its buffer where that works, else single readings.
final class IIOAccelerometer: Accelerometer {
    private(set) var info: SensorDescription
    let supportsBackpressure = false
    let isHardware = true

    private enum Mode {
        case capture(Capture)
        case poll(Polling, DeviceSettings?)
        /// Nothing is open, for this reason.
        case closed(SensorFailure)
    }

    // Devices point into the context, which therefore is let go last: see deinit.
    private var mode = Mode.closed(.failed("the sensor is not open"))
    private let device: AccelerometerDevice
    private let triggers: [IIODevice]
    private let context: IIOContext
    private let note: ArmedNote
    /// How samples are come by, for people.
    private var manner = ""
    private var followedRate: Double?
    /// When a buffer that was refused is tried again, since nobody tells when it can be had; nil where none was.
    private var retry: Retry?

    private struct Retry {
        private var backoff = ExponentialBackoff.sensorRetry
        private(set) var due = 0.0

        init(at now: Double) { postpone(at: now) }

        mutating func postpone(at now: Double) { due = now + backoff.next() }
    }

    /// Takes over an open context, and opens the device in it as it was planned.
    ///
    /// A device that cannot be opened is told of by the first ``next(at:)``, as one that fails later is: it has a name by
    /// then, so that another one is tried first the next time.
    init(context: consuming IIOContext, device: AccelerometerDevice, note: ArmedNote) {
        triggers = context.devices.filter(\.isTrigger)
        self.context = context
        self.device = device
        self.note = note
        info = device.info
        open()
    }

    deinit {
        close()
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if let due = retry?.due, now >= due {
            retry?.postpone(at: now)
            if device.device.isBufferFree {
                open()
                return .redescribed
            }
        }
        switch try ask(at: now) {
        case .step(let step): return step
        case .lost(let reason):
            poll(because: reason)
            return .redescribed
        }
    }

    /// By itself, so that nothing holds on to a capture that is given up.
    private func ask(at now: Double) throws(SensorFailure) -> Capture.Outcome {
        switch mode {
        case .closed(let reason): throw reason
        case .poll(let polling, _): .step(try polling.next(at: now))
        case .capture(let capture): try capture.next(at: now)
        }
    }

    var lastRaw: RecordedSample.Raw? {
        switch mode {
        case .closed: nil
        case .poll(let polling, _): polling.lastRaw
        case .capture(let capture): capture.lastRaw
        }
    }

    var arithmetic: SensorArithmetic { device.arithmetic }

    func setFollowed(at rate: Double?) {
        guard rate != followedRate else { return }
        followedRate = rate
        if !adapt() { open() }
        describe()
    }

    /// How often the chip has to measure, in hertz.
    private var rate: Double { max(SamplingFrequency.needed, followedRate ?? 0) }

    /// Makes what is open keep the rate; false where it has to be opened anew for that.
    private func adapt() -> Bool {
        switch mode {
        case .closed: break
        case .capture(let capture): return capture.adapt(to: rate)
        case .poll(let polling, let settings):
            polling.followedRate = followedRate
            if mayTune { _ = settings?.adapt(to: rate) }
        }
        return true
    }

    private func close() {
        mode = .closed(.failed("\(info.name) is closed"))
    }

    /// Opens the device as it was planned.
    private func open() {
        close()
        info = device.info
        switch device.plan {
        case .poll(let reason): poll(because: reason)
        case .capture(let trigger): capture(trigger)
        }
    }

    private func capture(_ trigger: String?) {
        do throws(CaptureError) {
            mode = .capture(
                try Capture(device, rate: rate, triggers: triggers, note: note, warnings: &info.warnings))
            manner = AccelerometerDevice.reading(captured: trigger)
            describe()
            retry = nil
        } catch {
            poll(because: error.reason)
            // Somebody has something to mend.
            if case .refused = error { info.warnings.append("not captured: \(error.reason)") }
            retry = error.mayPass ? retry ?? Retry(at: BootClock.now()) : nil
        }
    }

    private func poll(because reason: String) {
        close()
        do throws(SensorFailure) {
            guard device.canBePolled else { throw .failed("\(info.name) gives no single readings, and \(reason)") }
            let polling = try Polling(device)
            polling.followedRate = followedRate
            mode = .poll(polling, tune())
        } catch {
            mode = .closed(error)
        }
        manner = "polled: \(reason)"
        describe()
    }

    /// Says how often the chip measures now.
    private func describe() {
        info.reading = "\(manner); \(device.particulars)"
    }

    /// Who else captures from the chip has a say in how fast it measures. Asked while nothing of ours captures.
    private var mayTune: Bool { device.device.isBufferEnabled != true }

    private func tune() -> DeviceSettings? {
        guard mayTune else { return nil }
        return try? DeviceSettings(
            device.device, for: .polling, rate: rate, note: device.isLocal ? note : nil, warnings: &info.warnings)
    }
}
