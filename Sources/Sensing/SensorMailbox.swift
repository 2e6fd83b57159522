// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel

/// All that the loop and the sensor thread share: commands one way, events the other, behind one lock.
///
/// Unchecked: every stored property that changes is touched inside ``locked(_:)`` alone. A pthread mutex, since the
/// thread sanitizer understands it.
final class SensorMailbox: @unchecked Sendable {
    /// A turn makes a handful of events. A loop that is more than this behind is stuck, and wants the newest.
    static let capacity = 64

    /// A loop that is a second behind a sensor of 1 kHz has lost the thread of the motion anyway.
    static let motionCapacity = 1_024
    /// The loop is woken for samples at most this often, in microseconds.
    static let motionSpan: Int64 = 40_000

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let forLoop: WakeSignal
    private let forWorker: WakeSignal
    private let hangTimer: HangTimer
    private let longestCall: Double
    /// When the call began that has not come back yet; nil between calls.
    private var callStart: Double?
    /// When the hang timer goes off; the thread's alone.
    private var alarm = -Double.infinity

    /// A machine has a handful of sensors; a daemon that has met more has met most of them long ago.
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
    private var lastMotionNews: Int64 = 0
    private var followedAt: Double?
    private var arithmetic = SensorArithmetic()
    private var lastVectors: [String: Acceleration] = [:]

    init(longestCall: Double) throws(SensorFailure) {
        self.longestCall = longestCall
        forLoop = try WakeSignal()
        forWorker = try WakeSignal()
        hangTimer = try HangTimer()
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Only with the lock held.
    private func wakeWorker() {
        isWorkerWoken = true
        forWorker.raise()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}

/// The loop's side.
extension SensorMailbox {
    var descriptor: Int32 { forLoop.descriptor }

    /// Readable when a call to a source may have taken too long.
    var hangDescriptor: Int32 { hangTimer.descriptor }

    /// Whether it really has.
    func acknowledgeHang() -> Bool {
        hangTimer.acknowledge()
        let now = BootClock.now()
        return locked { callStart.map { now - $0 >= longestCall } ?? false }
    }

    var newest: Attitude? { locked { attitude } }

    var sampleCount: Int64 { locked { samples } }

    var droppedCount: Int64 { locked { dropped } }

    var sampleRate: Double? { locked { meter.rate } }

    /// Leaves a command; whether a thread must be started to see to it.
    func post(_ command: SensorCommand) -> Bool {
        locked {
            // A newer wish replaces an older one of its kind, so that a thread that hangs does not gather them.
            commands.removeAll { $0.isReplaced(by: command) }
            commands.append(command)
            wakeWorker()
            defer { isWorking = true }
            return !isWorking
        }
    }

    /// Answers every command in the place of a thread that could not be started.
    func refuse(because reason: String) {
        locked {
            for command in commands {
                switch command {
                case .start(let run, _): events.append(.failed(run: run, .failed(reason)))
                case .survey(let request, _, _): events.append(.surveyed(request: request, []))
                case .close: events.append(.idle)
                case .stop, .follow: break
                }
            }
            commands.removeAll()
            isWorking = false
            forLoop.raise()
        }
    }

    func takeEvents(limit: Int) -> [SensorEvent] {
        locked {
            let taken = Array(events.prefix(limit))
            let wasFull = events.count >= Self.capacity
            events.removeFirst(taken.count)
            if events.isEmpty { forLoop.lower() }
            if wasFull { wakeWorker() }
            return taken
        }
    }
}

/// Motion, both sides.
extension SensorMailbox {
    /// Leaves a sample for whoever follows the motion; the oldest make room.
    func post(_ sample: MotionSample) {
        locked {
            if motion.count >= Self.motionCapacity {
                motion.removeFirst(Self.motionCapacity / 4)
                dropped += Int64(Self.motionCapacity / 4)
            }
            motion.append(sample)
            guard sample.timestamp - lastMotionNews >= Self.motionSpan else { return }
            lastMotionNews = sample.timestamp
            forLoop.raise()
        }
    }

    func takeMotion() -> [MotionSample] {
        locked {
            defer { motion.removeAll(keepingCapacity: true) }
            return motion
        }
    }

    /// How fast the motion is followed, nil where nobody does: it outlives the thread.
    var followedRate: Double? {
        get { locked { followedAt } }
        set { locked { followedAt = newValue } }
    }

    var currentArithmetic: SensorArithmetic {
        get { locked { arithmetic } }
        set { locked { arithmetic = newValue } }
    }
}

/// The thread's side.
extension SensorMailbox {
    /// The next command; with none and nothing to do besides, the thread is over, and the next command starts another.
    func nextCommand(orEndIfIdle isIdle: Bool) -> SensorCommand? {
        locked {
            // Asked of ourselves, not of the kernel: this is called for every sample.
            if isWorkerWoken { forWorker.lower() }
            isWorkerWoken = false
            if commands.isEmpty {
                if isIdle { rest() }
                return nil
            }
            return commands.removeFirst()
        }
    }

    /// The thread is over, and nobody is to be woken for it. Only with the lock held.
    private func rest() {
        isWorking = false
        alarm = -.infinity
        hangTimer.set(seconds: 0)
    }

    /// Makes a call that may not come back, and lets the loop know if it does not; whether it took too long.
    func supervised(_ body: () -> Void) -> Bool {
        let start = BootClock.now()
        // Setting it costs as much as a reading: one alarm does for the calls of a while, none of them hung before it.
        if alarm < start + longestCall {
            alarm = start + longestCall * Self.alarmReach
            hangTimer.set(seconds: longestCall * Self.alarmReach)
        }
        locked { callStart = start }
        body()
        locked { callStart = nil }
        return BootClock.now() - start >= longestCall
    }

    /// For how many times the longest call the hang timer is set: while calls are made it does not go off, and a hang is
    /// told a fifth later at the most.
    private static let alarmReach = 1.2

    /// Whether the loop has taken enough for a source at the reader's pace to go on.
    var hasRoom: Bool { locked { events.count < Self.capacity } }

    /// Remembers what the newest sample was taken for, and forgets it with nil.
    func setNewest(_ newest: Attitude?) {
        locked {
            attitude = newest
            guard let newest else { return meter = RateMeter() }
            samples += 1
            meter.count(at: newest.timestamp)
        }
    }

    /// Remembers what a sensor felt last, beyond its being closed and the thread's end.
    func remember(_ run: SensorRun) {
        guard let vector = run.lastVector else { return }
        locked {
            if lastVectors.count >= Self.rememberedSensors { lastVectors.removeAll() }
            lastVectors[run.source.info.id] = vector
        }
    }

    /// What a sensor felt last; nil where it has not been used.
    func lastVector(of sensor: String) -> Acceleration? {
        locked { lastVectors[sensor] }
    }

    /// Keeps a recording for the next thread: it pauses while nobody listens, and the thread ends.
    func setPaused(_ run: SensorRun) {
        locked { paused = run }
    }

    /// The recording that was set aside, which is then no longer.
    func takePaused() -> SensorRun? {
        locked {
            defer { paused = nil }
            return paused
        }
    }

    /// Tells the loop. Where it is far behind, the oldest decision makes room: only the newest counts.
    func post(_ event: SensorEvent) {
        locked {
            if events.count >= Self.capacity, let oldest = events.firstIndex(where: \.isDecision) {
                events.remove(at: oldest)
                dropped += 1
            }
            events.append(event)
            forLoop.raise()
        }
    }

    /// Sleeps until a command or room came, `descriptor` can be read, or so many seconds have passed.
    func wait(or descriptor: Int32? = nil, seconds: Double? = nil) {
        forWorker.wait(or: descriptor, seconds: seconds)
    }
}

extension SensorEvent {
    fileprivate var isDecision: Bool {
        if case .decided = self { true } else { false }
    }
}
