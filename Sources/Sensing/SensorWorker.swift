// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import OrientationModel
internal import Recordings
internal import Support

/// The code of the sensor thread: opens, reads, classifies, waits and closes.
struct SensorWorker {
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
    mutating func work() {
        while true {
            if let command = mailbox.exchange.nextCommand(orEndIfIdle: current == nil) {
                if mailbox.exchange.supervised({ execute(command) }) { wasHung = true }
                // Opening a sensor uses ten times the stack of a reading.
                cposix_release_stack_pages()
            } else if current == nil {
                return
            } else {
                step()
            }
        }
    }

    private mutating func execute(_ command: SensorCommand) {
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
                if let warning = mailbox.scaleWarning(of: sensor) { sensor.warnings.append(warning) }
                return sensor
            }
            mailbox.exchange.post(
                .scanned(
                    request: request, sensors, isCurrentOutdated: current.map { $0.isOutdated(by: facts) } ?? false))
        }
    }

    private mutating func open(_ request: SensorRequest, run number: Int) {
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
            // A reload measures the scale again.
            if !request.mayResume { mailbox.forgetScale(of: source) }
            let tuning = ClassifierTuning(request, device: source.info.id)
            begin(
                SensorRun(
                    number: number, source: source, classifier: OrientationClassifier(settings: tuning.settings),
                    facts: request.facts, reportsTilt: request.reportsTilt,
                    scale: mailbox.scale(of: source), openedAt: BootClock.now()),
                warnings: tuning.warnings)
        } catch {
            mailbox.exchange.post(.failed(run: number, error))
        }
    }

    private mutating func begin(_ run: SensorRun, warnings: [String] = []) {
        current = run
        current?.warnings = warnings
        run.source.setMotionRate(motionRate)
        run.source.setScaleSettled(run.scale.correction.isSettled)
        describe()
        // A paused recording already has an answer.
        if run.classifier.orientation != .unknown { publish(timestamp: Int64(BootClock.now() * 1_000_000)) }
    }

    private func describe() {
        guard let run = current else { return }
        var info = run.source.info
        info.warnings += run.warnings
        if let warning = run.scaleWarning { info.warnings.append(warning) }
        var arithmetic = run.source.arithmetic
        if let gain = run.scale.driverScaleGain { arithmetic.scale = arithmetic.scale?.map { $0 * gain } }
        arithmetic.classifier = run.classifier.settings
        mailbox.currentArithmetic = arithmetic
        mailbox.exchange.post(.opened(run: run.number, info, supportsBackpressure: run.source.supportsBackpressure))
    }

    /// Pauses a recording, or closes another source.
    private mutating func pauseOrClose() {
        if let run = current, run.source.supportsBackpressure { mailbox.setPaused(run) }
        close { .stopped(run: $0) }
    }

    /// Releases the source, which closes it unless it was paused, and posts the event.
    private mutating func close(_ event: (Int) -> SensorEvent) {
        guard let number = current?.number else { return }
        if let current { mailbox.remember(current) }
        // Release first: the receiver of the event may exit the process.
        current = nil
        mailbox.setNewest(nil)
        mailbox.exchange.post(event(number))
    }

    /// Closes the source outside of a command: disabling a buffer may hang.
    private mutating func end(_ event: (Int) -> SensorEvent) {
        if mailbox.exchange.supervised({ close(event) }) { wasHung = true }
    }

    /// Runs one step of the open source.
    private mutating func step() {
        if current?.source.supportsBackpressure == true, !mailbox.exchange.hasRoom { return mailbox.exchange.wait() }
        let now = BootClock.now()
        do throws(SensorFailure) {
            switch try readSource(at: now).get() {
            case .sample(let sample): try check(sample, at: now)
            case .pause(let seconds): try wait(seconds: seconds, at: now)
            case .awaitInput(let descriptor, let seconds): try wait(for: descriptor, seconds: seconds, at: now)
            case .redescribed: describe()
            case .end(let reason): end { .ended(run: $0, reason: reason) }
            }
        } catch {
            end { .failed(run: $0, error) }
        }
    }

    /// Reads the open source. No caller keeps a reference to it: closing releases it.
    private mutating func readSource(at now: Double) -> Result<AccelerometerStep, SensorFailure> {
        guard let source = current?.source else { return .success(.redescribed) }
        var answer: Result<AccelerometerStep, SensorFailure> = .success(.redescribed)
        let isHung = mailbox.exchange.supervised {
            answer = Result { () throws(SensorFailure) in try source.next(at: now) }
        }
        if isHung { wasHung = true }
        return answer
    }

    private mutating func check(_ sample: Sample, at now: Double) throws(SensorFailure) {
        let former = current?.scale
        guard let (verdict, isRescaled) = try current?.checked(sample, at: now) else { return }
        if isRescaled { describe() }
        if let run = current, let former { apply(run.scale, of: run, replacing: former) }
        switch verdict {
        case .usable(let sample): process(sample, at: now)
        case .unverified(let sample):
            current?.note(sample, at: now)
            deliver(sample, at: now)
        case .outOfRange, .withheld: break
        }
        if let reason = current?.takeMeasurement(), let run = current?.number {
            mailbox.exchange.post(.measuring(run: run, reason: reason))
        }
    }

    /// Notifies the source and the store of a change of the measured scale.
    private func apply(_ scale: KnownScale, of run: SensorRun, replacing former: KnownScale) {
        if scale.establishedGain != former.establishedGain { mailbox.storeGain(of: run) }
        let isSettled = scale.correction.isSettled
        if isSettled != former.correction.isSettled { run.source.setScaleSettled(isSettled) }
    }

    private mutating func process(_ sample: Sample, at now: Double) {
        let isChange = current?.classify(sample, at: now) ?? false
        guard let run = current else { return }
        deliver(sample, at: now)
        if isChange || wasHung {
            wasHung = false
            publish(timestamp: microseconds(sample, at: now))
        } else {
            mailbox.setNewest(Attitude(run, timestamp: microseconds(sample, at: now)))
        }
    }

    /// The time of a sample on CLOCK_BOOTTIME, in microseconds. Recordings and simulations have times of their own: then
    /// it is that of the delivery.
    private func microseconds(_ sample: Sample, at now: Double) -> Int64 {
        Int64((current?.source.isHardware == true ? sample.time : now) * 1_000_000)
    }

    /// Delivers a sample to motion subscribers.
    private func deliver(_ sample: Sample, at now: Double) {
        guard motionRate != nil else { return }
        mailbox.post(
            MotionSample(
                timestamp: microseconds(sample, at: now), acceleration: sample.acceleration,
                raw: current?.source.lastRaw.map { [$0.x, $0.y, $0.z] }))
    }

    private func publish(timestamp: Int64) {
        guard let run = current else { return }
        let attitude = Attitude(run, timestamp: timestamp)
        mailbox.setNewest(attitude)
        mailbox.exchange.post(.decided(run: run.number, attitude))
    }

    /// Waits as the source requests; for a live source no longer than its timeout.
    private func wait(
        for descriptor: Int32? = nil, seconds: Double? = nil, at now: Double
    ) throws(SensorFailure) {
        guard let run = current else { return }
        let descriptors = descriptor.map { [$0] } ?? []
        if run.source.supportsBackpressure { return mailbox.exchange.wait(or: descriptors, seconds: seconds) }
        let timeout = run.lastSample + Self.longestSilence - now
        guard timeout > 0 else {
            throw .failed("\(run.source.info.name): no reading for \(Int(Self.longestSilence)) seconds")
        }
        mailbox.exchange.wait(or: descriptors, seconds: min(seconds ?? timeout, timeout))
    }
}
