// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

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

    /// The number of sensors that are remembered: a machine has a few, and the oldest entries are of removed ones.
    static let rememberedSensors = 16

    /// The newest sample; nil before the first one of a run.
    private var newestAttitude: Attitude?
    /// The number of samples of all runs, and their rate.
    private var samples: Int64 = 0
    private var meter = RateMeter()
    private var droppedMotion: Int64 = 0
    private var paused: SensorRun?
    private var motion: [MotionSample] = []
    private var lastMotionWakeUp: Int64 = 0
    private var storedMotionRate: Double?
    private var arithmetic = SensorArithmetic()
    /// The last vector and the warning about the scale of each sensor that was used, by id.
    private var remembered: [String: (vector: Acceleration, scaleWarning: String?)] = [:]

    /// Adds the facts that need blocking calls.
    let completing: @Sendable (HardwareFacts) -> HardwareFacts

    init(
        longestCall: Double, completing: @escaping @Sendable (HardwareFacts) -> HardwareFacts
    ) throws(SensorFailure) {
        self.completing = completing
        exchange = try ThreadExchange(name: "sensor", longestCall: longestCall)
    }

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// Methods for the event loop.
extension SensorMailbox {
    var newest: Attitude? { locked { newestAttitude } }

    var sampleCount: Int64 { locked { samples } }

    /// Dropped decisions and samples.
    var droppedCount: Int64 { exchange.droppedCount + locked { droppedMotion } }

    var sampleRate: Double? { locked { meter.rate } }
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
    /// Stores the attitude of the newest sample; nil clears it.
    func setNewest(_ newest: Attitude?) {
        locked {
            newestAttitude = newest
            if let newest {
                samples += 1
                meter.count(at: newest.timestamp)
            } else {
                meter = RateMeter()
            }
        }
    }

    /// Stores what remains known of a sensor when the source is closed and the thread ends.
    func remember(_ run: SensorRun) {
        guard let vector = run.lastVector else { return }
        locked {
            if remembered.count >= Self.rememberedSensors { remembered.removeAll() }
            remembered[run.source.info.id] = (vector, run.scaleWarning)
        }
    }

    /// Returns the last vector of a sensor; nil if the sensor has not been used.
    func lastVector(of sensor: String) -> Acceleration? {
        locked { remembered[sensor]?.vector }
    }

    /// Returns the warning about the scale of a sensor; nil if the sensor has not been used or its scale was not
    /// corrected.
    func scaleWarning(of sensor: String) -> String? {
        locked { remembered[sensor]?.scaleWarning }
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
