// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Sensing
internal import Systemd

/// The sensor as the loop sees it: it carries out what the supervisor decides, and hands on what the thread says.
///
/// Nothing here waits for the sensor.
final class SensorControl {
    private let uri: SensorURI
    private let settings: ClassifierSettings
    private let log: Logger
    private let report: @MainActor (SensorReport) -> Void
    private let motion: @MainActor ([MotionSample]) -> Void
    private let thread: SensorThread
    private var supervisor = SensorSupervisor()

    private var events: EventSource?
    private var timer: EventSource?
    private var devices: DeviceMonitor?
    private var demanders: Set<Demander> = []
    private var followedRate: Double?
    private var hangs: EventSource?
    private var sleep: SleepWatch?
    private let loop: EventLoop
    private var proxy: UnitWatch?
    private var factsInUse = HardwareFacts()
    private var surveys = SensorSurveys()
    private var lastSensor: SensorDescription?
    private(set) var failures = FailureLog()
    /// The sensor thread waits for a call that does not come back.
    private var hang: SensorFailure?
    private var isOpen = false
    /// Whether what runs is a recording that waits for those who read it.
    private(set) var isPacedByReaders = false
    private var isHeldBack = false
    /// A sensor has been opened, or at least tried.
    private var hasStarted = false
    /// Hears when nothing is open any more; from the moment it is set, nothing is opened.
    private var whenClosed: (@MainActor () -> Void)?
    /// Hears when a sensor may have come or gone.
    var whenDevicesChange: @MainActor () -> Void = {}

    /// How many events are taken in one turn of the loop, so that clients are served in between.
    private static let eventsPerTurn = 16

    /// Watches on `loop`; `report` hears all there is to say about the sensor, `motion` the samples
    /// while somebody follows them.
    init(
        uri: SensorURI, settings: ClassifierSettings, loop: EventLoop, log: Logger,
        longestCall: Double = SensorThread.longestCall,
        report: @escaping @MainActor (SensorReport) -> Void,
        motion: @escaping @MainActor ([MotionSample]) -> Void
    ) throws {
        self.uri = uri
        self.settings = settings
        self.log = log
        self.report = report
        self.motion = motion
        self.loop = loop
        thread = try SensorThread(longestCall: longestCall)
        events = try loop.watch(thread.descriptor, for: .read) { [weak self] _ in self?.takeEvents() }
        timer = try loop.timer { [weak self] in self?.perform { $0.timerFired() } }
        hangs = try loop.watch(thread.hangDescriptor, for: .read) { [weak self] _ in
            self?.hung(for: longestCall)
        }
        do {
            devices = try DeviceMonitor(subsystem: "iio", on: loop) { [weak self] in
                self?.perform { $0.devicesChanged() }
                self?.whenDevicesChange()
            }
        } catch {
            log.warning("\(error): a sensor that appears later is found by looking again")
        }
        do {
            sleep = try SleepWatch(on: loop) { [weak self] in self?.perform { $0.resumed() } }
        } catch {
            log.warning("\(error): after a sleep of the machine the sensor is opened anew only once it has failed")
        }
    }

    /// For whom the sensor runs.
    enum Demander {
        case orientation
        case motion
        case desktop
    }

    /// Somebody wants the sensor, or nobody of this kind does any more.
    func setWanted(_ isWanted: Bool, by demander: Demander) {
        let isNew = isWanted ? demanders.insert(demander).inserted : demanders.remove(demander) != nil
        guard isNew else { return }
        perform { $0.demandChanged(isWanted: !demanders.isEmpty) }
    }

    /// Somebody follows the motion itself and needs so many samples in a second, 0 where any number will do; nil: nobody
    /// does any more.
    func setFollowed(at rate: Double?) {
        if rate != followedRate {
            followedRate = rate
            thread.setFollowed(at: rate)
        }
        setWanted(rate != nil, by: .motion)
    }

    /// The sensor in use, and how its raw numbers become samples; nil while there is none.
    var origin: MotionOrigin? {
        isOpen ? lastSensor.map { MotionOrigin(sensor: $0, arithmetic: thread.arithmetic) } : nil
    }

    /// Opens the sensor anew.
    func reload() {
        perform { $0.reload() }
    }

    /// What the newest sample was taken for; nil while there is none.
    var newest: Attitude? { thread.newest }

    /// How many samples have been read since the start.
    var sampleCount: Int64 { thread.sampleCount }

    /// How many samples and answers came while the loop was too far behind for them, since the start.
    var droppedCount: Int64 { thread.droppedCount }

    /// How many samples came in a second lately; nil while there are none.
    var sampleRate: Double? { thread.sampleRate }

    /// What was asked for.
    var source: String { uri.text }

    /// Lists the sensors; the answer comes when the sensor thread has time. While that hangs there is none.
    func survey(_ answer: @escaping @MainActor (SensorSurveys.Outcome) -> Void) {
        if let hang { return answer(.failure(hang)) }
        thread.survey(uri, facts: facts(), request: surveys.add(answer))
    }

    /// Gives back what an earlier run of the daemon, which was killed, held of this machine's sensors, whichever is asked
    /// for now: looking at those that `local` means does that.
    func giveBack(_ local: SensorURI) {
        thread.survey(local, facts: facts(), request: surveys.add { _ in })
    }

    /// A recording waits while somebody who reads it is behind; a live sensor does not.
    func holdBack(_ isBehind: Bool) {
        let shouldWait = isBehind && isPacedByReaders
        guard shouldWait != isHeldBack else { return }
        isHeldBack = shouldWait
        shouldWait ? events?.pause() : events?.resume()
    }

    /// Closes the sensor for good, and says when that is done. One that is just being opened is waited for as well: its
    /// buffer would go on without us.
    func close(_ done: @escaping @MainActor () -> Void) {
        holdBack(false)
        guard hasStarted else { return done() }
        whenClosed = done
        thread.close()
    }

    private func takeEvents() {
        defer {
            let samples = thread.takeMotion()
            if !samples.isEmpty { motion(samples) }
        }
        // One at a time from a recording: each is published before the next, so that who reads it misses none.
        for event in thread.takeEvents(limit: isPacedByReaders ? 1 : Self.eventsPerTurn) {
            note(event)
            perform { $0.handle(event) }
        }
    }

    private func hung(for seconds: Double) {
        guard thread.acknowledgeHang() else { return }
        perform { $0.hung(for: Int(seconds)) }
        let failure = SensorFailure.failed("\(supervisor.name) has not answered for \(Int(seconds)) seconds")
        hang = failure
        remember(failure)
        for answer in surveys.takeAll() { answer(.failure(failure)) }
    }

    private func note(_ event: SensorEvent) {
        // Whatever the thread says, it says because it does not hang.
        hang = nil
        switch event {
        case .opened(_, let sensor, let keepsReadersPace):
            isOpen = true
            isPacedByReaders = keepsReadersPace
            guard sensor != lastSensor else { return }
            lastSensor = sensor
            let reading = sensor.reading.map { ", \($0)" } ?? ""
            log.info("using \(sensor.id) (\(sensor.name)), mount matrix from \(sensor.matrixSource)\(reading)")
            for warning in sensor.warnings { log.warning("\(sensor.id): \(warning)") }
        case .failed(_, let failure):
            remember(failure)
            closed()
        case .ended(_, let reason):
            closed()
            log.info("\(uri.text): \(reason)")
        case .stopped: closed()
        case .idle: whenClosed?()
        case .decided(_, let attitude):
            failures.recovered()
            log.debug("\(attitude.orientation)")
        case .surveyed(let request, let sensors):
            surveys.take(request)?(.success(sensors.map(explained)))
        }
    }

    /// For the log and for whoever asks what went wrong last.
    private func remember(_ failure: SensorFailure) {
        let sensor = isOpen ? lastSensor?.id : nil
        if failures.note(failure, of: sensor, at: BootClock.now()) { log.warning("no sensor: \(failure)") }
    }

    /// The verdict together with how the sensor is read, or would be: of the one in use it is known better.
    private func explained(_ listing: SensorDescription) -> SensorDescription {
        var listing = listing
        let inUse = isOpen && lastSensor?.id == listing.id ? lastSensor : nil
        if let inUse { listing.warnings = inUse.warnings }
        listing.lastError = failures.last(of: listing.id)
        if let reading = inUse?.reading ?? listing.reading { listing.why += "; \(reading)" }
        return listing
    }

    private func closed() {
        isOpen = false
        isPacedByReaders = false
    }

    private func perform(_ step: (inout SensorSupervisor) -> [SensorSupervisor.Action]) {
        for action in step(&supervisor) {
            switch action {
            case .start(let run, let fresh):
                guard whenClosed == nil else { continue }
                hasStarted = true
                watchProxy()
                factsInUse = facts()
                thread.start(
                    SensorRequest(uri: uri, facts: factsInUse, settings: settings, mayResume: !fresh), run: run)
            case .stop:
                proxy = nil
                thread.stop()
            case .look: look()
            case .wake(let seconds): timer?.fire(after: seconds)
            case .cancelWake: timer?.pause()
            case .report(let news): report(news)
            }
        }
    }

    private func look() {
        let now = facts()
        survey { [weak self] outcome in
            guard case .success(let sensors) = outcome else { return }
            self?.perform { supervisor in
                let isOutdated =
                    self?.factsInUse.concerns(supervisor.sensor) != now.concerns(supervisor.sensor)
                return supervisor.looked(at: sensors, isCurrentOutdated: isOutdated)
            }
        }
    }

    /// Watches for the program with which no buffer can be shared, while the sensor is wanted and no longer: systemd
    /// makes a link there for every unit that starts.
    private func watchProxy() {
        guard proxy == nil else { return }
        // Without systemd there is nothing to watch.
        proxy = try? UnitWatch("iio-sensor-proxy.service", on: loop) { [weak self] in
            self?.perform { $0.devicesChanged() }
        }
    }

    private func facts() -> HardwareFacts {
        var facts: HardwareFacts
        do {
            facts = try HardwareFacts.fromUdev()
        } catch {
            log.warning("udev's database cannot be read, so that no mount matrix is taken from it: \(error)")
            facts = HardwareFacts()
        }
        facts.troubled = supervisor.troubled
        facts.isProxyRunning = UnitWatch.isRunning("iio-sensor-proxy.service")
        return facts
    }
}

extension HardwareFacts {
    /// What of this a sensor was opened with.
    fileprivate nonisolated func concerns(_ sensor: String) -> HardwareFacts {
        var facts = HardwareFacts(properties: [sensor: properties[sensor] ?? [:]])
        facts.isProxyRunning = isProxyRunning
        return facts
    }
}
