// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
internal import Support

/// The simulated device of this process. It plays a scenario until a move controls it, and outlives the source that
/// reads it, as a real device does.
///
/// Unchecked: all mutable state is behind the lock. The event loop moves the device, the threads of the sensors read it.
package final class SimulatedDevice: @unchecked Sendable {
    /// A move of the device.
    package enum Move: Hashable, Sendable {
        /// Sets the orientation at once.
        case hold(DeviceOrientation)
        /// Turns the device by the shortest rotation, in this many seconds.
        case turn(to: DeviceOrientation, duration: Double)
        /// Shakes the device in its attitude, for this many seconds.
        case shake(duration: Double)
        /// Sets the reading of the accelerometer, in m/s².
        case read(Acceleration)
        /// Makes the sensors fail for this many seconds.
        case fail(Failure, duration: Double)
    }

    /// A kind of failure.
    package enum Failure: String, Sendable {
        case failed
        case gone
        case silent
    }

    private let lock = Lock()
    private lazy var scenario = Scenario.demonstration
    private var repeats = true
    private var start: Double?
    private var failure: (kind: Failure, until: Double)?

    package init() {}
}

extension SimulatedDevice {
    /// Plays a scenario in a loop, from the first call; ignored after a move.
    func play(_ scenario: Scenario, at now: Double) {
        lock.withLock {
            guard start == nil else { return }
            self.scenario = scenario
            start = now
        }
    }

    /// Whether the sensors of the device deliver readings. Throws the failure that was requested.
    package func isResponding(at now: Double) throws(SensorFailure) -> Bool {
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
        let answer: Result<Acceleration?, SensorFailure> = lock.withLock {
            switch scenario.reading(at: time(at: now)) {
            case .acceleration(let acceleration): return .success(acceleration)
            case .lost: return .success(nil)
            case .failure(let reason): return .failure(.failed(reason))
            }
        }
        return try answer.get()
    }

    /// Returns the failure while the sensors are absent, as after a removal; nil while they are present.
    package func absence(at now: Double) -> SensorFailure? {
        lock.withLock {
            guard let failure, failure.kind == .gone, now < failure.until else { return nil }
            return .noDevice(Self.goneReason)
        }
    }

    private static let goneReason = "simulated removal, as requested"

    /// Performs a move.
    package func move(_ move: Move, at now: Double) {
        lock.withLock {
            if case .fail(let kind, let duration) = move {
                failure = (kind, now + duration)
                return
            }
            let direction = scenario.direction(at: time(at: now))
            scenario = Scenario(name: "controlled", Self.steps(move, from: direction))
            repeats = false
            start = now
        }
    }

    private func time(at now: Double) -> Double {
        let time = max(now - (start ?? now), 0)
        return repeats ? time.truncatingRemainder(dividingBy: scenario.duration) : time
    }

    private static func steps(_ move: Move, from direction: Acceleration) -> [Scenario.Step] {
        let still = Scenario.Step(direction: direction, hold: 0)
        switch move {
        case .hold(let pose): return [.pose(pose, hold: 0)]
        case .turn(let pose, let duration):
            let target = pose.direction ?? direction
            let angle = acos(min(max(direction.dot(target), -1), 1)) * 180 / .pi
            guard angle > 0, duration > 0 else { return [.pose(pose, hold: 0)] }
            return [still, .pose(pose, speed: angle / duration, hold: 0)]
        case .shake(let duration):
            return [still, Scenario.Step(direction: direction, hold: duration, shaking: .table), still]
        case .read(let vector):
            let length = vector.magnitude
            return [
                Scenario.Step(
                    direction: length > 0 ? vector.normalized : direction, hold: 0,
                    support: length / Acceleration.standardGravity)
            ]
        case .fail: return [still]
        }
    }
}
