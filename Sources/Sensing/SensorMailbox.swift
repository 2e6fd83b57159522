// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Support

/// The state shared by the event loop and the sensor thread: commands in one direction, events in the other, behind one
/// lock.
///
/// Unchecked: every mutable property is accessed inside ``locked(_:)`` only.
final class SensorMailbox: @unchecked Sendable {
    /// The capacity of the event queue. A turn causes a few events: a loop that is further behind needs only the
    /// newest.
    static let capacity = 64

    /// The capacity of the motion queue: one second of a 1 kHz sensor.
    static let motionCapacity = 1_024
    /// The shortest interval between wake-ups for samples, in microseconds.
    static let motionSpan: Int64 = 40_000

    private let lock = Lock()
    private let forLoop: WakeSignal
    private let forWorker: WakeSignal
    private let hangTimer: HangTimer
    private let longestCall: Double
    /// The start of the pending call; nil between calls.
    private var callStart: Double?
    /// The time of the hang timer; used by the sensor thread only.
    private var alarm = -Double.infinity

    /// The number of sensors whose last vector is kept: a machine has a few sensors, and the oldest entries are of
    /// removed ones.
    static let rememberedSensors = 16

    private var commands: [SensorCommand] = []
    private var events: [SensorEvent] = []
    private var isWorking = false
    private var isWorkerWoken = false
    private var attitude: Attitude?
    private var samples: Int64 = 0
    private var dropped: Int64 = 0
    private var meter = RateMeter()
    private var paused: SensorRun?
    private var motion: [MotionSample] = []
    private var lastMotionWakeUp: Int64 = 0
    private var storedMotionRate: Double?
    private var arithmetic = SensorArithmetic()
    private var lastVectors: [String: Acceleration] = [:]
    private var scales: [SensorIdentity: KnownScale] = [:]

    /// The gains of earlier processes; used by the sensor thread only.
    private let store: ScaleStore
    /// Adds the facts that need blocking calls.
    let completing: @Sendable (HardwareFacts) -> HardwareFacts

    init(
        longestCall: Double, store: ScaleStore, completing: @escaping @Sendable (HardwareFacts) -> HardwareFacts
    ) throws(SensorFailure) {
        self.longestCall = longestCall
        self.store = store
        self.completing = completing
        forLoop = try WakeSignal()
        forWorker = try WakeSignal()
        hangTimer = try HangTimer()
    }

    /// Wakes the sensor thread. Requires the lock.
    private func wakeWorker() {
        isWorkerWoken = true
        forWorker.set()
    }

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// Methods for the event loop.
extension SensorMailbox {
    var descriptor: Int32 { forLoop.descriptor }

    /// Readable when a call to a source may have timed out.
    var hangDescriptor: Int32 { hangTimer.descriptor }

    /// Clears the descriptor; returns whether a call has timed out.
    func acknowledgeHang() -> Bool {
        hangTimer.acknowledge()
        let now = BootClock.now()
        return locked { callStart.map { now - $0 >= longestCall } ?? false }
    }

    var newest: Attitude? { locked { attitude } }

    var sampleCount: Int64 { locked { samples } }

    var droppedCount: Int64 { locked { dropped } }

    var sampleRate: Double? { locked { meter.rate } }

    /// Posts a command; returns whether a thread must be started for it.
    func post(_ command: SensorCommand) -> Bool {
        locked {
            // A newer command replaces redundant ones, so that they do not accumulate while the thread hangs.
            commands.removeAll { $0.isReplaced(by: command) }
            commands.append(command)
            wakeWorker()
            defer { isWorking = true }
            return !isWorking
        }
    }

    /// Replies to every command with a failure, after the thread could not be started.
    func refuse(because reason: String) {
        locked {
            for command in commands {
                switch command {
                case .start(let run, _): events.append(.failed(run: run, .failed(reason)))
                case .scan(let request, _, _):
                    events.append(.scanned(request: request, [], isCurrentOutdated: false))
                case .close: events.append(.idle)
                case .stop, .setMotionRate: break
                }
            }
            commands.removeAll()
            isWorking = false
            forLoop.set()
        }
    }

    func takeEvents(limit: Int) -> [SensorEvent] {
        locked {
            let taken = Array(events.prefix(limit))
            let wasFull = events.count >= Self.capacity
            events.removeFirst(taken.count)
            if events.isEmpty { forLoop.clear() }
            if wasFull { wakeWorker() }
            return taken
        }
    }
}

/// Motion, for both threads.
extension SensorMailbox {
    /// Posts a sample for motion subscribers; the oldest are dropped when the queue is full.
    func post(_ sample: MotionSample) {
        locked {
            if motion.count >= Self.motionCapacity {
                motion.removeFirst(Self.motionCapacity / 4)
                dropped += Int64(Self.motionCapacity / 4)
            }
            motion.append(sample)
            guard sample.timestamp - lastMotionWakeUp >= Self.motionSpan else { return }
            lastMotionWakeUp = sample.timestamp
            forLoop.set()
        }
    }

    func takeMotion() -> [MotionSample] {
        locked {
            defer { motion.removeAll(keepingCapacity: true) }
            return motion
        }
    }

    /// The rate for motion subscribers in hertz, nil without subscribers; kept while no thread runs.
    var motionRate: Double? {
        get { locked { storedMotionRate } }
        set { locked { storedMotionRate = newValue } }
    }

    var currentArithmetic: SensorArithmetic {
        get { locked { arithmetic } }
        set { locked { arithmetic = newValue } }
    }
}

/// Methods for the sensor thread.
extension SensorMailbox {
    /// Returns the next command. Without a command and with nothing else to do the thread ends, and the next command
    /// starts another.
    func nextCommand(orEndIfIdle isIdle: Bool) -> SensorCommand? {
        locked {
            // A flag, not a system call: this runs for every sample.
            if isWorkerWoken { forWorker.clear() }
            isWorkerWoken = false
            if commands.isEmpty {
                if isIdle { markEnded() }
                return nil
            }
            return commands.removeFirst()
        }
    }

    /// Marks the thread as ended and stops the hang timer. Requires the lock.
    private func markEnded() {
        isWorking = false
        alarm = -.infinity
        hangTimer.set(seconds: 0)
    }

    /// Runs a call that may hang; the hang timer notifies the event loop. Returns whether the call timed out.
    func supervised(_ body: () -> Void) -> Bool {
        let start = BootClock.now()
        // Setting the timer costs as much as a reading: one setting covers many calls that return in time.
        if alarm < start + longestCall {
            alarm = start + longestCall * Self.alarmReach
            hangTimer.set(seconds: longestCall * Self.alarmReach)
        }
        locked { callStart = start }
        body()
        locked { callStart = nil }
        return BootClock.now() - start >= longestCall
    }

    /// The timer is set to this multiple of the longest call: it never expires while calls return, and a hang is
    /// reported at most a fifth later.
    private static let alarmReach = 1.2

    /// Whether the event queue has room for a source that supports backpressure.
    var hasRoom: Bool { locked { events.count < Self.capacity } }

    /// Stores the classification of the newest sample; nil clears it.
    func setNewest(_ newest: Attitude?) {
        locked {
            attitude = newest
            guard let newest else { return meter = RateMeter() }
            samples += 1
            meter.count(at: newest.timestamp)
        }
    }

    /// Stores the last vector and the scale of a sensor; both remain when the source is closed and the thread ends.
    func remember(_ run: SensorRun) {
        if run.source.isHardware {
            locked {
                if scales.count >= Self.rememberedSensors { scales.removeAll() }
                scales[SensorIdentity(run.source)] = run.scale
            }
        }
        guard let vector = run.lastVector else { return }
        locked {
            if lastVectors.count >= Self.rememberedSensors { lastVectors.removeAll() }
            lastVectors[run.source.info.id] = vector
        }
    }

    /// Returns the last vector of a sensor; nil if the sensor has not been used.
    func lastVector(of sensor: String) -> Acceleration? {
        locked { lastVectors[sensor] }
    }

    /// Returns the scale measured by an earlier run of this sensor; nil without one.
    func scale(of source: any Accelerometer) -> KnownScale? {
        guard source.isHardware else { return nil }
        let identity = SensorIdentity(source)
        if let known = locked({ scales[identity] }) { return known }
        return store.gain(of: identity).map { stored in
            KnownScale(
                correction: ScaleCorrection(source, stored: stored), isMatrixWrong: stored.isMatrixWrong)
        }
    }

    /// Stores the established gain of a sensor for the next process, or removes one that no longer fits.
    func storeGain(of run: SensorRun) {
        guard run.source.isHardware else { return }
        store.set(
            run.scale.establishedGain, isMatrixWrong: run.scale.isMatrixWrong, of: SensorIdentity(run.source))
    }

    /// Removes what is known of the scale of a sensor, so that it is measured again.
    func forgetScale(of source: any Accelerometer) {
        let identity = SensorIdentity(source)
        locked { scales[identity] = nil }
        if source.isHardware { store.set(nil, of: identity) }
    }

    /// Returns the warning about the scale of a sensor from an earlier run.
    func scaleWarning(of sensor: SensorDescription) -> String? {
        let known = locked { scales.first { $0.key.id == sensor.id && $0.key.key.name == sensor.name }?.value }
        if let known { return known.warning }
        return store.gain(of: sensor).flatMap { stored in
            KnownScale(
                correction: ScaleCorrection(storedGain: stored.gain), isMatrixWrong: stored.isMatrixWrong
            ).warning
        }
    }

    /// Stores a paused recording for the next thread: without subscribers the thread ends.
    func setPaused(_ run: SensorRun) {
        locked { paused = run }
    }

    /// Returns and removes the paused recording.
    func takePaused() -> SensorRun? {
        locked {
            defer { paused = nil }
            return paused
        }
    }

    /// Posts an event. If the queue is full, the oldest decision is dropped: only the newest counts.
    func post(_ event: SensorEvent) {
        locked {
            if events.count >= Self.capacity, let oldest = events.firstIndex(where: \.isDecision) {
                events.remove(at: oldest)
                dropped += 1
            }
            events.append(event)
            forLoop.set()
        }
    }

    /// Waits until a command arrives or the event queue has room, `descriptor` is readable, or the time in seconds has passed.
    func wait(or descriptor: Int32? = nil, seconds: Double? = nil) {
        forWorker.wait(or: descriptor, seconds: seconds)
    }
}

extension SensorEvent {
    fileprivate var isDecision: Bool {
        if case .decided = self { true } else { false }
    }
}
