// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
internal import Posix

/// The simulated device of this process: upright until the first move. It outlives the source that reads it, as a real
/// device does.
///
/// Unchecked: all mutable state is behind the lock. The event loop moves the device, the threads of the sensors read it.
package final class SimulatedDevice: @unchecked Sendable {
    package enum Move: Hashable, Sendable {
        /// Sets the orientation at once.
        case hold(DeviceOrientation)
        /// Turns the device by the shortest rotation, in this many seconds.
        case turn(to: DeviceOrientation, duration: Double)
        /// Shakes the device in its attitude, for this many seconds.
        case shake(duration: Double)
        /// Sets the reading of the accelerometer, in m/s².
        case read(Acceleration)
        /// Sets the value of an ambient sensor, which its next reading returns.
        case set(AmbientReading)
        /// Folds the device to a lid angle in degrees: from now on it has a hinge sensor.
        case fold(to: Double)
        /// Makes the sensors fail for this many seconds; 0 ends a failure.
        case fail(Failure, duration: Double)
    }

    package enum Failure: String, CaseIterable, Sendable {
        case failed
        case gone
        case silent
    }

    private let lock = Lock()
    private var turn = DeviceTurn(to: Acceleration(x: 0, y: 1, z: 0))
    /// The start of the last move.
    private var start = 0.0
    private var shakingEnd = 0.0
    /// The length of the reading at rest, in m/s².
    private var length = Acceleration.standardGravity
    private var failure: (kind: Failure, until: Double)?
    private var ambient = AmbientValues()

    package init() {}
}

extension SimulatedDevice {
    /// Whether the sensors of the device deliver readings. Throws the failure that was requested.
    func isResponding(at now: Double) throws(SensorFailure) -> Bool {
        let kind = lock.withLock { failure.flatMap { now < $0.until ? $0.kind : nil } }
        switch kind {
        case .failed: throw .failed("simulated failure, as requested")
        case .gone: throw .gone(Self.goneReason)
        case .silent: return false
        case nil: return true
        }
    }

    /// Returns the reading of the accelerometer; nil without one.
    func reading(at now: Double) throws(SensorFailure) -> Acceleration? {
        guard try isResponding(at: now) else { return nil }
        return lock.withLock {
            let time = now - start
            let steady = length * turn.direction(at: time) + turn.swing(at: time)
            return now < shakingEnd ? steady + Self.shaking(at: time) : steady
        }
    }

    /// Returns the acceleration of a device on a table that is shaken sideways, in m/s².
    private static func shaking(at time: Double) -> Acceleration {
        sin(2 * .pi * 3.7 * time) * Acceleration(x: 5, y: 2, z: 0)
            + sin(2 * .pi * 6.1 * time + 0.9) * Acceleration(x: 1, y: 3, z: 0.5)
    }

    /// Returns the failure while the sensors are absent, as after a removal; nil while they are present.
    package func absence(at now: Double) -> SensorFailure? {
        lock.withLock {
            guard let failure, failure.kind == .gone, now < failure.until else { return nil }
            return .noDevice(Self.goneReason)
        }
    }

    private static let goneReason = "simulated removal, as requested"

    func ambientReading(_ kind: SensorKind) -> AmbientReading { lock.withLock { ambient.read(kind) } }

    /// The lid angle in degrees; nil while the device has no hinge.
    func lidAngle(at now: Double) -> Double? { lock.withLock { ambient.lidAngle(at: now) } }

    package func move(_ move: Move, at now: Double) {
        lock.withLock {
            switch move {
            case .fail(let kind, let duration): failure = (kind, now + duration)
            case .set(let reading): ambient.readings[reading.kind] = reading
            case .fold(let angle): ambient.setFold(to: angle, at: now)
            case .hold, .turn, .shake, .read: place(move, at: now)
            }
        }
    }

    /// Performs a move that replaces the last one. Requires the lock.
    private func place(_ move: Move, at now: Double) {
        let direction = turn.direction(at: now - start)
        turn = DeviceTurn(to: direction)
        start = now
        length = Acceleration.standardGravity
        shakingEnd = now
        switch move {
        case .hold(let pose): turn = DeviceTurn(to: pose.direction ?? direction)
        case .turn(let pose, let duration):
            turn = DeviceTurn(from: direction, to: pose.direction ?? direction, duration: duration)
        case .shake(let duration): shakingEnd = now + duration
        case .read(let vector):
            length = vector.magnitude
            if length > 0 { turn = DeviceTurn(to: vector.normalized) }
        case .fail, .set, .fold: break
        }
    }
}

extension DeviceTurn {
    /// A turn that has ended.
    fileprivate init(to direction: Acceleration) {
        self.init(from: direction, to: direction, duration: 0)
    }
}
