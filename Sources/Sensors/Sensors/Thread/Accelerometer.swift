// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import Recordings
package import Posix

/// An open source of samples: a chip, a recording or a simulation.
///
/// Created, used and released on the sensor thread only; releasing it closes the source. ``next(at:)`` reads but does
/// not wait: it returns what to wait for, and the thread waits, so that a source can be stopped at any time and tested
/// without a clock.
package protocol Accelerometer: AnyObject {
    /// The description of the sensor.
    var info: SensorDescription { get }

    /// Whether the source supports backpressure: it is read no further while the event queue is full, and no sample is
    /// dropped. True for recordings, false for chips.
    var supportsBackpressure: Bool { get }

    /// Whether the source states the scale or the unit of its readings.
    var statesScale: Bool { get }

    /// Returns the next step; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep

    /// The raw reading of the last sample; nil without a chip.
    var lastRaw: RecordedSample.Raw? { get }

    /// The conversion from raw readings to samples.
    var arithmetic: SensorArithmetic { get }

    /// Sets the rate at which motion subscribers need samples, in hertz: 0 for any rate, nil without subscribers. With
    /// subscribers a source must not slow down while the device is at rest; a source that cannot reach the rate
    /// delivers what it can.
    func setMotionRate(_ rate: Double?)
}

extension Accelerometer {
    /// Whether a chip delivers the samples: readings that cannot be gravity are then a fault.
    package var isHardware: Bool { info.isHardware }
    package var lastRaw: RecordedSample.Raw? { nil }
    package var arithmetic: SensorArithmetic { SensorArithmetic() }
    package var statesScale: Bool { true }
    package func setMotionRate(_ rate: Double?) {}
}

/// The next step of a source.
package enum AccelerometerStep: Hashable, Sendable {
    /// A sample, and what to wait for afterwards.
    case sample(Sample, then: SourceWait = .none)
    /// No sample yet.
    case wait(SourceWait)
    /// ``Accelerometer/info`` has changed: read it, and call again at once.
    case redescribed
    /// The end of the source, with the reason as a message without a full stop.
    case end(reason: String)
}

extension AccelerometerStep {
    /// No sample yet: call again after this many seconds, more than 0.
    package static func pause(seconds: Double) -> Self { .wait(.pause(seconds: seconds)) }

    /// No sample yet: call again when the descriptor is readable, or after this many seconds at the latest; nil waits
    /// without limit.
    package static func awaitInput(descriptor: Int32, seconds: Double? = nil) -> Self {
        .wait(.input(descriptor: descriptor, seconds: seconds))
    }
}

/// What to wait for before the next call of ``Accelerometer/next(at:)``.
package enum SourceWait: Hashable, Sendable {
    /// Call again at once.
    case none
    /// Call again after this many seconds; at once if they are not more than 0.
    case pause(seconds: Double)
    /// Call again when the descriptor is readable, or after this many seconds at the latest; nil waits without limit.
    case input(descriptor: Int32, seconds: Double? = nil)
}

extension ExponentialBackoff {
    /// Delays between attempts to open a sensor that failed: 0.1 s to 30 s.
    package static let sensorRetry = ExponentialBackoff(initial: 0.1, maximum: 30)
}

/// The reason why a source delivers no samples, by what the caller does next. Each carries a message without a full
/// stop: what failed, where, and what to do.
package enum SensorFailure: Error, Hashable, CustomStringConvertible {
    /// Not found yet: wait for a device, and scan again.
    case noDevice(String)
    /// Removed: publish unknown, and scan again.
    case gone(String)
    /// Failed: try the next sensor, and retry with exponential backoff.
    case failed(String)
    /// Implausible readings: try the next sensor, and retry soon, since the next reading may be valid.
    case implausible(String)
    /// Invalid request (a damaged recording, an invalid URI): do not retry until the configuration changes.
    case unusable(String)

    package var description: String {
        switch self {
        case .noDevice(let reason), .gone(let reason), .failed(let reason), .implausible(let reason),
            .unusable(let reason):
            reason
        }
    }

    /// Whether a retry can succeed.
    package var isWorthRetrying: Bool {
        if case .unusable = self { false } else { true }
    }
}
