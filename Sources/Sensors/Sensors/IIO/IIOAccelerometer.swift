// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Recordings

/// An IIO accelerometer: captured from its buffer if possible, otherwise polled.
final class IIOAccelerometer: Accelerometer {
    var info: SensorDescription { retry?.described ?? current }
    let supportsBackpressure = false
    var statesScale: Bool { device.statesScale }

    private enum Mode {
        case capture(Capture)
        case poll(Polling, DeviceSettings?)
        /// The device is at rest, and its motion event is armed.
        case rest(RestingChip)
        /// The rest has ended: the device is opened as planned before the next reading.
        case woken(RestingChip)
        /// The device is closed, with the reason.
        case closed(SensorFailure)
    }

    private var mode = Mode.closed(.failed("the sensor is not open"))
    private var device: AccelerometerDevice
    /// The description of the device as it is open.
    private var current: SensorDescription
    private let record: RestoreRecord
    private let interrupts: KnownInterrupts
    private var motion: MotionEventState
    /// Why the last attempt to enable the motion event failed, if another one may succeed.
    private var eventUnavailable: String?
    /// How the samples are read, for a message.
    private var method = ""
    private var motionRate: Double?
    /// The next attempt to capture after a failure that may pass: no event reports that the buffer is available again.
    private var retry: Retry?

    private struct Retry {
        private var backoff: ExponentialBackoff
        private(set) var due = 0.0
        /// The former description while the capture that was retried has delivered nothing yet: it is described with its first
        /// sample, because a trigger that never fires would be described as captured, and then as polled, at each retry.
        var described: SensorDescription?

        init(_ backoff: ExponentialBackoff = .sensorRetry, at now: Double) {
            self.backoff = backoff
            postpone(at: now)
        }

        mutating func postpone(at now: Double) { due = now + backoff.next() }
    }

    /// Opens a device according to its plan.
    ///
    /// A failure is thrown by the first ``next(at:)``, like later failures: the sensor then has a name, and the next
    /// start tries another sensor first.
    init(
        device: AccelerometerDevice, record: RestoreRecord, interrupts: KnownInterrupts = KnownInterrupts()
    ) {
        self.interrupts = interrupts
        motion = MotionEventState(isProven: interrupts.works(device.interrupt))
        self.device = device
        self.record = record
        current = device.info
        conversion = device.statedConversion
        open()
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        switch mode {
        case .woken, .closed(.failed): open()
        case .closed, .poll, .capture, .rest: break
        }
        if case .poll = mode, let due = retry?.due, now >= due {
            retry?.postpone(at: now)
            if device.device.isBufferAvailable {
                let former = current
                open()
                guard case .capture = mode else { return .wait(.none) }
                retry?.described = former
            }
        }
        switch try attempt(at: now) {
        case .step(.sample(let sample, let next)):
            // The wait belongs to the mode that was read.
            var isCaptured = false
            if case .capture(let capture) = mode {
                isCaptured = true
                retry?.described = nil
                if capture.isProven { retry = nil }
            }
            let changesMode = follow(sample, isLast: !isCaptured, at: now)
            // Before the event is armed, the scans that the buffer still has are read: one may show a turn.
            let readsOn = isCaptured && mayRest && motion.allRead() == .arm
            return .sample(sample, then: changesMode || readsOn ? .none : next)
        case .step(let step):
            guard motion.allRead() == .arm, let event = device.motionEvent, mayRest else { return step }
            arm(event, at: now)
            return .wait(.none)
        case .stopped(let reason, let mayResume):
            poll(reason: reason)
            retry?.described = nil
            retry = mayResume ? retry ?? Retry(Self.bufferRetry, at: now) : nil
            return .wait(.none)
        }
    }

    /// A separate function: no local variable may keep a capture that ``poll(reason:)`` then releases.
    private func attempt(at now: Double) throws(SensorFailure) -> Capture.Outcome {
        switch mode {
        case .closed(let reason): throw reason
        case .poll(let polling, _): .step(try polling.next(at: now))
        case .rest(let chip), .woken(let chip): .step(try chip.next(at: now))
        case .capture(let capture): try next(of: capture, at: now)
        }
    }

    private func next(of capture: Capture, at now: Double) throws(SensorFailure) -> Capture.Outcome {
        let outcome = try capture.next(at: now)
        if capture.hasLostTimestamps, !current.warnings.contains(Self.lostTimestamps) {
            current.warnings.append(Self.lostTimestamps)
        }
        return outcome
    }

    /// The delays after which a silent buffer is enabled again, in seconds. Long, because an attempt interrupts the polling
    /// for ``Capture/probeTime``, and the trigger of most silent buffers never works.
    private static let bufferRetry = ExponentialBackoff(initial: 5, maximum: 300)

    private static let lostTimestamps =
        "the timestamps of the buffer do not follow CLOCK_BOOTTIME any more: using the time of arrival"

    var lastRaw: RecordedSample.Raw? {
        switch mode {
        case .closed: nil
        case .poll(let polling, _): polling.lastRaw
        case .rest(let chip), .woken(let chip): chip.lastRaw
        case .capture(let capture): capture.lastRaw
        }
    }

    private(set) var conversion: Conversion

    func setMotionRate(_ rate: Double?) {
        guard rate != motionRate else { return }
        motionRate = rate
        if !applyRate() { open() }
        updateReading()
    }

    func rereadScale() -> Bool {
        guard device.rereadScale() else { return false }
        open()
        return true
    }

    /// The frequency that a polled chip needs, in hertz.
    private var rate: Double { max(SamplingFrequency.sufficient, motionRate ?? 0) }

    /// Applies the rate to the open device; returns false if the device has to be opened again for that.
    private func applyRate() -> Bool {
        switch mode {
        case .closed, .woken: break
        case .capture(let capture): return capture.setMotionRate(motionRate)
        case .rest: return motionRate == nil
        case .poll(let polling, let settings):
            polling.motionRate = motionRate
            if maySetFrequency { _ = settings?.setRate(rate) }
        }
        return true
    }

    private func close() {
        mode = .closed(.failed("\(info.name) is closed"))
    }

    /// Opens the device according to its plan.
    private func open() {
        if motion.isArmed { motion.disarmed(at: BootClock.now()) }
        retry?.described = nil
        close()
        current = device.info
        switch device.plan {
        case .poll(let reason): poll(reason: reason)
        case .capture(let trigger): capture(trigger)
        }
    }

    private func capture(_ trigger: String?) {
        do throws(CaptureError) {
            mode = .capture(
                try Capture(
                    device, motionRate: motionRate, mayBeSilent: retry == nil, record: record,
                    warnings: &current.warnings)
            )
            method = AccelerometerDevice.method(capturedBy: trigger)
            updateReading()
        } catch {
            poll(reason: error.reason)
            // Warn only about a failure that an administrator can fix on the device.
            if case .notEnabled = error { current.warnings.append("not captured: \(error.reason)") }
            retry = error.isTransient ? retry ?? Retry(at: BootClock.now()) : nil
        }
    }

    private func poll(reason: String) {
        close()
        do throws(SensorFailure) {
            guard device.canBePolled else { throw .failed("\(info.name) cannot be polled or captured: \(reason)") }
            let polling = try Polling(device)
            polling.motionRate = motionRate
            mode = .poll(polling, openSettings())
        } catch {
            mode = .closed(error)
        }
        method = "polled: \(reason)"
        updateReading()
    }

    /// Describes the method and the conversion with the current frequency.
    private func updateReading() {
        var parts = [method, device.details]
        if let use = device.motionEventUse(interrupts, unavailable: eventUnavailable) { parts.append(use) }
        current.method = parts.joined(separator: "; ")
        conversion = device.statedConversion
    }

    /// Whether the frequency may be changed: not while another program captures from the chip. Valid only while this
    /// object does not capture.
    private var maySetFrequency: Bool { device.device.captureConflict == nil }

    private func openSettings() -> DeviceSettings? {
        guard maySetFrequency else { return nil }
        // Only a capture requires a record.
        return try? DeviceSettings(
            device.device, for: .polling, rate: rate, record: record, warnings: &current.warnings)
    }
}

// MARK: Motion events

extension IIOAccelerometer {
    /// Arms the motion event once the device is at rest, and ends the rest after a motion; returns whether the mode changes.
    /// `isLast`: no sample of the past follows this one.
    private func follow(_ sample: Sample, isLast: Bool, at now: Double) -> Bool {
        guard let event = device.motionEvent, device.motionEventConflict == nil else { return false }
        let chip: RestingChip? = if case .rest(let chip) = mode { chip } else { nil }
        let wasProven = motion.isProven
        let action = motion.read(sample.acceleration, at: now, hasFired: chip?.hasFired == true, isLast: isLast)
        if motion.isProven, !wasProven { interrupts.set(.works, of: interrupt) }
        switch action {
        case .none: return false
        case .arm:
            guard mayRest else { return false }
            arm(event, at: now)
        case .disarm: break
        case .abandon: interrupts.set(.silent, of: interrupt)
        }
        if action != .arm, let chip { mode = .woken(chip) }
        return true
    }

    private var interrupt: String { device.interrupt }

    private var mayRest: Bool {
        if case .closed = mode { return false }
        return motionRate == nil && interrupts.failure(of: interrupt) == nil
    }

    private func arm(_ event: MotionEvent, at now: Double) {
        // The node opens exclusively: end the capture first.
        close()
        guard maySetFrequency else { return refuse(.busy("another program captures from the chip"), at: now) }
        do throws(MotionEventError) {
            mode = .rest(
                try RestingChip(device, event, record: record, at: now, warnings: &current.warnings))
            motion.armed(at: now)
            setEventUnavailable(nil)
        } catch {
            refuse(error, at: now)
        }
    }

    private func refuse(_ error: MotionEventError, at now: Double) {
        motion.refused(isPermanent: error.isPermanent, at: now)
        if error.isPermanent {
            interrupts.set(.refused(error.reason), of: interrupt)
        } else {
            setEventUnavailable(error.reason)
        }
        open()
    }

    private func setEventUnavailable(_ reason: String?) {
        guard reason != eventUnavailable else { return }
        eventUnavailable = reason
        updateReading()
    }
}
