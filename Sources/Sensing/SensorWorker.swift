// SPDX-License-Identifier: Apache-2.0

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
            if let command = mailbox.nextCommand(orEndIfIdle: current == nil) {
                if mailbox.supervised({ execute(command) }) { wasHung = true }
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
            mailbox.post(.idle)
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
            mailbox.post(
                .scanned(
                    request: request, sensors, isCurrentOutdated: current.map { $0.isOutdated(by: facts) } ?? false))
        }
    }

    private mutating func open(_ request: SensorRequest, run number: Int) {
        var request = request
        request.facts = mailbox.completing(request.facts)
        let paused = mailbox.takePaused()
        if request.mayResume, var paused {
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
            mailbox.post(.failed(run: number, error))
        }
    }

    private mutating func begin(_ run: SensorRun, warnings: [String] = []) {
        current = run
        current?.warnings = warnings
        run.source.setMotionRate(motionRate)
        run.source.setScaleSettled(run.scale.correction.isSettled)
        describe()
        // A paused recording already has an answer.
        if run.classifier.orientation != .unknown { publish(at: BootClock.now()) }
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
        mailbox.post(.opened(run: run.number, info, supportsBackpressure: run.source.supportsBackpressure))
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
        mailbox.post(event(number))
    }

    /// Runs one step of the open source.
    private mutating func step() {
        guard let source = current?.source else { return }
        if source.supportsBackpressure, !mailbox.hasRoom { return mailbox.wait() }
        let now = BootClock.now()
        var answer: Result<AccelerometerStep, SensorFailure> = .success(.redescribed)
        let isHung = mailbox.supervised {
            answer = Result { () throws(SensorFailure) in try source.next(at: now) }
        }
        if isHung { wasHung = true }
        do throws(SensorFailure) {
            switch try answer.get() {
            case .sample(let sample): try check(sample, at: now)
            case .pause(let seconds): try wait(seconds: seconds, at: now)
            case .awaitInput(let descriptor, let seconds): try wait(for: descriptor, seconds: seconds, at: now)
            case .redescribed: describe()
            case .end(let reason): close { .ended(run: $0, reason: reason) }
            }
        } catch {
            close { .failed(run: $0, error) }
        }
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
            mailbox.post(.measuring(run: run, reason: reason))
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
            publish(at: now)
        } else {
            mailbox.setNewest(Attitude(run, timestamp: Int64(now * 1_000_000)))
        }
    }

    /// Delivers a sample to motion subscribers.
    private func deliver(_ sample: Sample, at now: Double) {
        guard motionRate != nil else { return }
        mailbox.post(
            MotionSample(
                timestamp: Int64(now * 1_000_000), acceleration: sample.acceleration,
                raw: current?.source.lastRaw.map { [$0.x, $0.y, $0.z] }))
    }

    private func publish(at now: Double) {
        guard let run = current else { return }
        let attitude = Attitude(run, timestamp: Int64(now * 1_000_000))
        mailbox.setNewest(attitude)
        mailbox.post(.decided(run: run.number, attitude))
    }

    /// Waits as the source requests; for a live source no longer than its timeout.
    private func wait(
        for descriptor: Int32? = nil, seconds: Double? = nil, at now: Double
    ) throws(SensorFailure) {
        guard let run = current else { return }
        if run.source.supportsBackpressure { return mailbox.wait(or: descriptor, seconds: seconds) }
        let timeout = run.lastSample + Self.longestSilence - now
        guard timeout > 0 else {
            throw .failed("\(run.source.info.name): no reading for \(Int(Self.longestSilence)) seconds")
        }
        mailbox.wait(or: descriptor, seconds: min(seconds ?? timeout, timeout))
    }
}
