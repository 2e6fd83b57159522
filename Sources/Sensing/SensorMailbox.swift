// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Support

/// The state shared by the event loop and the sensor thread, besides the commands and events of ``ThreadExchange``.
///
/// Unchecked: every mutable property is accessed inside ``locked(_:)`` only, unless stated otherwise.
final class SensorMailbox: @unchecked Sendable {
    /// The capacity of the motion queue: one second of a 1 kHz sensor.
    static let motionCapacity = 1_024
    /// The shortest interval between wake-ups for samples, in microseconds.
    static let motionSpan: Int64 = 40_000

    /// Commands and events.
    let exchange: ThreadExchange<SensorCommand, SensorEvent>
    private let lock = Lock()

    /// The number of sensors whose last vector is kept: a machine has a few sensors, and the oldest entries are of
    /// removed ones.
    static let rememberedSensors = 16

    private let newestReading = NewestValue(Reading())
    /// The number of samples, and their rate; used by the sensor thread only.
    private var samples: Int64 = 0
    private var meter = RateMeter()
    private var droppedMotion: Int64 = 0
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
        self.store = store
        self.completing = completing
        exchange = try ThreadExchange(name: "sensor", longestCall: longestCall)
    }

    /// The newest sample, and what is known of the earlier ones.
    private struct Reading {
        /// Nil before the first sample of a run.
        var classification: Classification?
        /// The number of samples of all runs.
        var count: Int64 = 0
        /// As ``RateMeter/rate``.
        var rate: Double?
    }

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// Methods for the event loop.
extension SensorMailbox {
    var newest: Attitude? { newestReading.read().classification.map { Attitude($0) } }

    var sampleCount: Int64 { newestReading.read().count }

    /// Dropped decisions and samples.
    var droppedCount: Int64 { exchange.droppedCount + locked { droppedMotion } }

    var sampleRate: Double? { newestReading.read().rate }
}

/// Motion, for both threads.
extension SensorMailbox {
    /// Posts a sample for motion subscribers; the oldest are dropped when the queue is full.
    func post(_ sample: MotionSample) {
        locked {
            if motion.count >= Self.motionCapacity {
                motion.removeFirst(Self.motionCapacity / 4)
                droppedMotion += Int64(Self.motionCapacity / 4)
            }
            motion.append(sample)
            // Also after a step back: the source may use another clock now.
            guard (sample.timestamp - lastMotionWakeUp).magnitude >= Self.motionSpan else { return }
            lastMotionWakeUp = sample.timestamp
            exchange.wakeLoop()
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
    /// Stores the classification of the newest sample; nil clears it.
    @inline(__always) func setNewest(_ newest: Classification?) {
        if let newest {
            samples += 1
            meter.count(at: newest.timestamp)
        } else {
            meter = RateMeter()
        }
        newestReading.write(Reading(classification: newest, count: samples, rate: meter.rate))
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
}
