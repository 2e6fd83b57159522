// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings
internal import Posix

/// The code of the sensor thread: opens, reads, classifies, waits and closes.
final class SensorWorker {
    private let mailbox: SensorMailbox
    private var current: SensorRun?
    private var motionRate: Double?
    /// Whether a call that timed out has returned: the event loop needs the current state.
    private var wasHung = false

    /// The timeout for a live source without a sample, in seconds.
    static let longestSilence = 5.0

    init(mailbox: SensorMailbox) {
        self.mailbox = mailbox
        // The rate is kept across threads.
        motionRate = mailbox.motionRate
    }

    /// Runs until no command is pending and no source is open.
    func work() {
        while true {
            while let command = mailbox.exchange.nextCommand(orEndIfIdle: current == nil) {
                if mailbox.exchange.supervised({ execute(command) }) { wasHung = true }
            }
            if current == nil { return }
            if let ending = runSource() { end(ending) }
        }
    }

    private func execute(_ command: SensorCommand) {
        switch command {
        case .start(let number, let request):
            pauseOrClose()
            open(request, run: number)
        case .stop:
            pauseOrClose()
        case .close:
            pauseOrClose()
            mailbox.exchange.post(.idle)
        case .setMotionRate(let rate):
            motionRate = rate
            mailbox.motionRate = rate
            current?.source.setMotionRate(rate)
            describe()
        case .scan(let request, let uri, let facts):
            if let current { mailbox.remember(current) }
            let facts = mailbox.completing(facts)
            let sensors = uri.scan(facts: facts).map { sensor in
                var sensor = sensor
                sensor.lastVector = mailbox.lastVector(of: sensor.id)
                if let warning = mailbox.scaleWarning(of: sensor.id) { sensor.warnings.append(warning) }
                return sensor
            }
            mailbox.exchange.post(
                .scanned(
                    request: request, sensors, isCurrentOutdated: current.map { $0.isOutdated(by: facts) } ?? false))
        }
    }

    private func open(_ request: SensorRequest, run number: Int) {
        var request = request
        request.facts = mailbox.completing(request.facts)
        request.facts.isReload = !request.mayResume
        let paused = mailbox.takePaused()
        if request.mayResume, let paused {
            paused.number = number
            paused.facts = request.facts
            return begin(paused)
        }
        do throws(SensorFailure) {
            let source = try request.uri.open(facts: request.facts)
            let tuning = ClassifierTuning(request, device: source.info.id)
            begin(
                SensorRun(
                    number: number, source: source, classifier: OrientationClassifier(settings: tuning.settings),
                    facts: request.facts, reportsTilt: request.reportsTilt,
                    scaleWarning: mailbox.scaleWarning(of: source.info.id), openedAt: MonotonicClock.now()),
                warnings: tuning.warnings)
        } catch {
            mailbox.exchange.post(.failed(run: number, error))
        }
    }

    private func begin(_ run: SensorRun, warnings: [String] = []) {
        current = run
        current?.warnings = warnings
        run.source.setMotionRate(motionRate)
        describe()
        // A paused recording already has an answer.
        guard run.classifier.orientation != .unknown else { return }
        let attitude = run.attitude(timestamp: Int64(BootClock.now() * 1_000_000))
        mailbox.setNewest(attitude)
        mailbox.exchange.post(.decided(run: run.number, attitude))
    }

    private func describe() {
        guard let run = current else { return }
        var info = run.source.info
        info.warnings += run.warnings
        if let warning = run.scaleWarning { info.warnings.append(warning) }
        updateArithmetic(of: run)
        mailbox.exchange.post(.opened(run: run.number, info, supportsBackpressure: run.source.supportsBackpressure))
    }

    private func updateArithmetic(of run: SensorRun) {
        var arithmetic = run.source.arithmetic
        arithmetic.scale = arithmetic.scale?.map { $0 * run.scale.gain }
        arithmetic.classifier = run.classifier.settings
        mailbox.currentArithmetic = arithmetic
    }

    /// Pauses a recording, or closes another source.
    private func pauseOrClose() {
        if let run = current, run.source.supportsBackpressure { mailbox.setPaused(run) }
        close { .stopped(run: $0) }
    }

    /// Releases the source, which closes it unless it was paused, and posts the event.
    private func close(_ event: (Int) -> SensorEvent) {
        guard let number = current?.number else { return }
        if let current { mailbox.remember(current) }
        // Release first: the receiver of the event may exit the process.
        current = nil
        mailbox.setNewest(nil)
        mailbox.exchange.post(event(number))
    }

    /// Why the source has to be closed.
    private enum Ending {
        case ended(reason: String)
        case failed(SensorFailure)
    }

    /// Closes the source outside of a command: disabling a buffer may hang.
    private func end(_ ending: Ending) {
        let isHung = mailbox.exchange.supervised {
            close { run in
                switch ending {
                case .ended(let reason): .ended(run: run, reason: reason)
                case .failed(let failure): .failed(run: run, failure)
                }
            }
        }
        if isHung { wasHung = true }
    }

    /// Runs steps of the open source until the event loop wakes the thread; returns why the source has to be closed, if
    /// it has. No caller keeps a reference to the source: closing releases it.
    private func runSource() -> Ending? {
        guard let run = current else { return nil }
        let source = run.source
        do throws(SensorFailure) {
            while !mailbox.exchange.isWoken {
                if let reason = try step(run, source) { return .ended(reason: reason) }
            }
            return nil
        } catch {
            return .failed(error)
        }
    }

    /// Runs one step of the open source; returns the reason at its end.
    private func step(_ run: SensorRun, _ source: any Accelerometer) throws(SensorFailure) -> String? {
        if run.source.supportsBackpressure, !mailbox.exchange.hasRoom {
            mailbox.exchange.wait()
            return nil
        }
        // From before the reading: the time of a reading that hangs is no silence.
        let (now, start) = (BootClock.now(), MonotonicClock.now())
        switch try read(source, at: now) {
        case .sample(let sample, let next):
            run.lastSample = start
            try process(sample, of: run, at: now)
            try wait(next, for: run, at: start)
        case .wait(let next): try wait(next, for: run, at: start)
        case .redescribed: describe()
        case .end(let reason): return reason
        }
        return nil
    }

    private func read(_ source: any Accelerometer, at now: Double) throws(SensorFailure)
        -> AccelerometerStep
    {
        let start = mailbox.exchange.beginCall()
        defer { if mailbox.exchange.endCall(begunAt: start) { wasHung = true } }
        return try source.next(at: now)
    }

    private func process(_ sample: Sample, of run: SensorRun, at now: Double) throws(SensorFailure) {
        let (gain, warning) = (run.scale.gain, run.scaleWarning)
        let corrected = try run.correct(sample)
        if run.scale.gain != gain { updateArithmetic(of: run) }
        if run.scaleWarning != warning { describe() }
        // Readings that cannot be gravity are delivered too, for the diagnosis of the fault.
        deliver(corrected ?? sample, of: run, at: now)
        guard let corrected else {
            if let reason = run.takeReasonWithoutGravity() {
                mailbox.exchange.post(.withoutGravity(run: run.number, reason: reason))
            }
            return
        }
        let isChange = run.classify(corrected)
        let attitude = run.attitude(timestamp: microseconds(sample, of: run, at: now))
        mailbox.setNewest(attitude)
        guard isChange || wasHung else { return }
        wasHung = false
        mailbox.exchange.post(.decided(run: run.number, attitude))
    }

    /// The time of a sample on CLOCK_BOOTTIME, in microseconds. Recordings and simulations have times of their own: then
    /// it is that of the delivery.
    private func microseconds(_ sample: Sample, of run: SensorRun, at now: Double) -> Int64 {
        Int64((run.source.isHardware ? sample.time : now) * 1_000_000)
    }

    /// Delivers a sample to the list of sensors and to motion subscribers.
    private func deliver(_ sample: Sample, of run: SensorRun, at now: Double) {
        guard sample.acceleration.isFinite else { return }
        run.lastVector = sample.acceleration
        guard motionRate != nil else { return }
        mailbox.post(
            MotionSample(
                timestamp: microseconds(sample, of: run, at: now), acceleration: sample.acceleration,
                raw: run.source.lastRaw.map { [$0.x, $0.y, $0.z] }))
    }

    /// Waits as the source requests; for a live source no longer than its timeout.
    private func wait(_ next: SourceWait, for run: SensorRun, at now: Double) throws(SensorFailure) {
        var descriptor: Int32?
        var seconds: Double?
        switch next {
        case .none: return
        case .pause(let pause): seconds = pause
        case .input(let input, let timeout): (descriptor, seconds) = (input, timeout)
        }
        if !run.source.supportsBackpressure {
            let timeout = run.lastSample + Self.longestSilence - now
            guard timeout > 0 else {
                throw .failed("\(run.source.info.name): no reading for \(Int(Self.longestSilence)) seconds")
            }
            seconds = min(seconds ?? timeout, timeout)
        }
        mailbox.exchange.wait(or: descriptor.map { [$0] } ?? [], seconds: seconds)
    }
}
