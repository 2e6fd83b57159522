// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// What the sensor thread has read so far.
package struct SensorReadings: Sendable {
    /// The classification of the newest sample of the current run; nil before the first one.
    package var newest: ClassifiedSample?
    /// The conversion of the open source.
    package var conversion = Conversion()
    /// The number of samples that were classified in all runs.
    package var sampleCount: Int64 = 0
    /// The number of samples and events that were dropped because the event loop was late.
    package var droppedCount: Int64 = 0
    /// The recent sampling rate in hertz; nil without samples.
    package var sampleRate: Double?

    package init() {}
}

/// The measurements of the accelerometer, which the sensor thread writes and the event loop reads.
///
/// Unchecked: every mutable property is accessed while holding the lock only.
package final class AccelerometerMeasurements: @unchecked Sendable {
    /// The capacity of the motion queue: one second of a 1 kHz sensor.
    static let motionCapacity = 1_024
    /// The shortest interval between wake-ups for samples, in microseconds.
    static let motionSpan: Int64 = 40_000
    /// The highest rate for motion subscribers, in hertz: hand motion stays below 20 Hz, and a polled sensor takes up
    /// to three wake-ups per sample.
    static let highestRate = 200.0

    private let lock = Lock()
    private var current = SensorReadings()
    private var newestSample: (sensor: String, sample: Sample)?
    /// The vector at rest of a sensor whose motion is awaited.
    private var awaitedRest: Acceleration?
    /// Without an eventfd the lid angle is read at intervals.
    private let motionSignal = try? WakeSignal()
    private var meter = RateMeter()
    private var motion: [MotionSample] = []
    private var lastMotionWakeUp: Int64 = 0
    private var storedMotionRate: Double?

    package init() {}

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

    package var readings: SensorReadings { locked { current } }

    func setConversion(_ conversion: Conversion) { locked { current.conversion = conversion } }

    /// The rate for motion subscribers in hertz, at most ``highestRate``; nil without subscribers. After a change the
    /// thread must be notified with ``SensorCommand/update``.
    package var motionRate: Double? {
        get { locked { storedMotionRate } }
        set { locked { storedMotionRate = newValue.map { min($0, Self.highestRate) } } }
    }

    /// Returns the newest sample of a sensor, in m/s² or the unit of its driver; nil if the last one is of another sensor or
    /// earlier than `start`, CLOCK_BOOTTIME in seconds.
    func sample(of sensor: String, since start: Double) -> Sample? {
        locked { newestSample.flatMap { $0.sensor == sensor && $0.sample.time >= start ? $0.sample : nil } }
    }

    func setSample(_ sample: Sample, of sensor: String) {
        locked {
            newestSample = (sensor, sample)
            guard let rest = awaitedRest, !RestDetector.isStill(sample.acceleration, from: rest) else { return }
            awaitedRest = nil
            motionSignal?.set()
        }
    }

    /// Returns a descriptor that is readable once a sensor has moved; nil if it has no sample since `start`.
    func awaitMotion(of sensor: String, since start: Double) -> Int32? {
        guard let sample = sample(of: sensor, since: start) else { return nil }
        return locked {
            switch motionSignal {
            case .none: return nil
            case .some(let signal):
                signal.clear()
                awaitedRest = sample.acceleration
                return signal.descriptor
            }
        }
    }

    /// Returns and removes the samples for motion subscribers.
    package func takeMotion() -> [MotionSample] {
        locked {
            defer { motion.removeAll(keepingCapacity: true) }
            return motion
        }
    }

    /// Adds a sample for motion subscribers; the oldest are dropped when the queue is full. Returns whether to wake the
    /// event loop.
    func add(_ sample: MotionSample) -> Bool {
        locked {
            if motion.count >= Self.motionCapacity {
                motion.removeFirst(Self.motionCapacity / 4)
                current.droppedCount += Int64(Self.motionCapacity / 4)
            }
            motion.append(sample)
            // Also after a step back: the source may use another clock now.
            guard (sample.timestamp - lastMotionWakeUp).magnitude >= Self.motionSpan else { return false }
            lastMotionWakeUp = sample.timestamp
            return true
        }
    }

    /// Stores the attitude of the newest sample; nil clears it.
    func setNewest(_ newest: ClassifiedSample?) {
        locked {
            current.newest = newest
            if let newest {
                current.sampleCount += 1
                meter.count(at: newest.timestamp)
            } else {
                meter = RateMeter()
            }
            current.sampleRate = meter.rate
        }
    }
}

/// The rate of events, counted over consecutive spans, without a timer.
struct RateMeter {
    /// The shortest span, in microseconds: samples arrive in batches.
    static let span: Int64 = 1_000_000

    /// The rate in the last complete span, in hertz; nil before.
    private(set) var rate: Double?
    private var start: Int64?
    private var number = 0

    /// Counts an event at a time in microseconds.
    mutating func count(at now: Int64) {
        guard let start else { return start = now }
        number += 1
        guard now - start >= Self.span else { return }
        rate = Double(number) * 1_000_000 / Double(now - start)
        self.start = now
        number = 0
    }
}
