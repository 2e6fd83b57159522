// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
package import Posix

/// An open source of samples: a chip, a recording or a simulation.
///
/// Created, used and released on a sensor thread only; releasing it closes the source. ``next(at:)`` reads but does not
/// wait: it returns what to wait for, and the thread waits, so that a source can be stopped at any time and tested
/// without a clock.
protocol SensorSource<Value>: AnyObject {
    associatedtype Value

    /// The description of the sensor, which may change with each step.
    var info: SensorDescription { get }

    /// Returns the next step; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> SensorStep<Value>
}

enum SensorStep<Value> {
    case sample(Value, then: SourceWait = .none)
    /// No sample yet.
    case wait(SourceWait)
    /// The end of the source, with the reason as a message without a full stop.
    case end(reason: String)
}

extension SensorStep: Equatable where Value: Equatable {}
extension SensorStep: Sendable where Value: Sendable {}

extension SensorStep {
    /// No sample yet: call again after this many seconds, more than 0.
    static func pause(seconds: Double) -> Self { .wait(.pause(seconds: seconds)) }

    /// No sample yet: call again when the descriptor is readable, or after this many seconds at the latest; nil waits
    /// without limit.
    static func awaitInput(descriptor: Int32, seconds: Double? = nil) -> Self {
        .wait(.input(descriptor: descriptor, seconds: seconds))
    }

    func map<Other>(_ body: (Value) throws(SensorFailure) -> Other) throws(SensorFailure) -> SensorStep<Other> {
        switch self {
        case .sample(let value, let next): .sample(try body(value), then: next)
        case .wait(let next): .wait(next)
        case .end(let reason): .end(reason: reason)
        }
    }
}

/// What to wait for before the next call of ``SensorSource/next(at:)``.
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

    package var isWorthRetrying: Bool {
        if case .unusable = self { false } else { true }
    }
}
