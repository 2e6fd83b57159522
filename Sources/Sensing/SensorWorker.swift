// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// What runs on the sensor thread: it opens, reads, classifies, waits and closes.
struct SensorWorker {
    private let mailbox: SensorMailbox
    private var current: SensorRun?
    private var followedRate: Double?
    /// Whether the loop has given up on a call that came back after all, so that it must be told what holds now.
    private var wasHung = false

    /// A live source that has said nothing for so many seconds has failed, whatever it pretends.
    static let longestSilence = 5.0

    init(mailbox: SensorMailbox) {
        self.mailbox = mailbox
        // The thread may be a new one, while the motion is still followed.
        followedRate = mailbox.followedRate
    }

    /// Works until there is no command left and no source open.
    mutating func work() {
        while true {
            if let command = mailbox.nextCommand(orEndIfIdle: current == nil) {
                if mailbox.supervised({ obey(command) }) { wasHung = true }
            } else if current == nil {
                return
            } else {
                step()
            }
        }
    }

    private mutating func obey(_ command: SensorCommand) {
        switch command {
        case .start(let number, let request):
            pauseOrClose()
            open(request, run: number)
        case .stop:
            pauseOrClose()
        case .close:
            pauseOrClose()
            mailbox.post(.idle)
        case .follow(let rate):
            followedRate = rate
            mailbox.followedRate = rate
            current?.source.setFollowed(at: rate)
            describe()
        case .survey(let request, let uri, let facts):
            if let current { mailbox.remember(current) }
            let sensors = uri.survey(facts: facts).map { sensor in
                var sensor = sensor
                sensor.lastVector = mailbox.lastVector(of: sensor.id)
                return sensor
            }
            mailbox.post(.surveyed(request: request, sensors))
        }
    }

    private mutating func open(_ request: SensorRequest, run number: Int) {
        let paused = mailbox.takePaused()
        if request.mayResume, var paused {
            paused.number = number
            return begin(paused)
        }
        do throws(SensorFailure) {
            let source = try request.uri.open(facts: request.facts)
            let tuning = ClassifierTuning(request, device: source.info.id)
            begin(
                SensorRun(
                    number: number, source: source, classifier: OrientationClassifier(settings: tuning.settings),
                    lastSample: BootClock.now()), warnings: tuning.warnings)
        } catch {
            mailbox.post(.failed(run: number, error))
        }
    }

    private mutating func begin(_ run: SensorRun, warnings: [String] = []) {
        current = run
        current?.warnings = warnings
        run.source.setFollowed(at: followedRate)
        describe()
        // One that was paused has an answer already.
        if run.classifier.orientation != .unknown { publish(at: BootClock.now()) }
    }

    private func describe() {
        guard let run = current else { return }
        var info = run.source.info
        info.warnings += run.warnings
        var arithmetic = run.source.arithmetic
        arithmetic.classifier = run.classifier.settings
        mailbox.currentArithmetic = arithmetic
        mailbox.post(.opened(run: run.number, info, keepsReadersPace: run.source.keepsReadersPace))
    }

    /// Sets a recording aside, and closes anything else.
    private mutating func pauseOrClose() {
        if let run = current, run.source.keepsReadersPace { mailbox.setPaused(run) }
        close { .stopped(run: $0) }
    }

    /// Lets go of the source, which closes it unless it was set aside, and then says so.
    private mutating func close(_ event: (Int) -> SensorEvent) {
        guard let number = current?.number else { return }
        if let current { mailbox.remember(current) }
        // First, since whoever hears of it may end the program.
        current = nil
        mailbox.setNewest(nil)
        mailbox.post(event(number))
    }

    /// One step of the source that is open.
    private mutating func step() {
        guard let source = current?.source else { return }
        if source.keepsReadersPace, !mailbox.hasRoom { return mailbox.wait() }
        let now = BootClock.now()
        var answer: Result<AccelerometerStep, SensorFailure> = .success(.redescribed)
        let isHung = mailbox.supervised {
            answer = Result { () throws(SensorFailure) in try source.next(at: now) }
        }
        if isHung { wasHung = true }
        do throws(SensorFailure) {
            switch try answer.get() {
            case .sample(let sample): take(sample, at: now)
            case .doubtful(let sample):
                current?.note(sample, at: now)
                show(sample, at: now)
            case .pause(let seconds): try wait(seconds: seconds, at: now)
            case .awaitInput(let descriptor, let seconds): try wait(for: descriptor, seconds: seconds, at: now)
            case .redescribed: describe()
            case .end(let reason): close { .ended(run: $0, reason: reason) }
            }
        } catch {
            close { .failed(run: $0, error) }
        }
    }

    private mutating func take(_ sample: Sample, at now: Double) {
        let isNews = current?.judge(sample, at: now) ?? false
        guard let run = current else { return }
        show(sample, at: now)
        if isNews || wasHung {
            wasHung = false
            publish(at: now)
        } else {
            mailbox.setNewest(Attitude(run, timestamp: Int64(now * 1_000_000)))
        }
    }

    /// Hands the sample to whoever follows the motion.
    private func show(_ sample: Sample, at now: Double) {
        guard followedRate != nil else { return }
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

    /// Waits for what the source waits for, but no longer than a live one may stay silent.
    private func wait(
        for descriptor: Int32? = nil, seconds: Double? = nil, at now: Double
    ) throws(SensorFailure) {
        guard let run = current else { return }
        if run.source.keepsReadersPace { return mailbox.wait(or: descriptor, seconds: seconds) }
        let patience = run.lastSample + Self.longestSilence - now
        guard patience > 0 else {
            throw .failed("\(run.source.info.name) has given no reading for \(Int(Self.longestSilence)) seconds")
        }
        mailbox.wait(or: descriptor, seconds: min(seconds ?? patience, patience))
    }
}
