// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel

/// The one simulated device of this process: it plays a scenario until somebody takes it in hand, and outlives the
/// source that reads it, as a real device would.
///
/// Unchecked: what changes is behind the lock. The loop moves it, the sensor thread reads it.
package final class SimulatedDevice: @unchecked Sendable {
    /// What somebody does with it.
    package enum Move: Hashable, Sendable {
        /// Holds it so, at once.
        case hold(DeviceOrientation)
        /// Turns it on the shortest way, in so many seconds.
        case turn(to: DeviceOrientation, duration: Double)
        /// Shakes it where it is.
        case shake(duration: Double)
        /// Lets the sensor read this, in m/s².
        case read(Acceleration)
        /// Lets the sensor fail.
        case fail(Failure, duration: Double)
    }

    /// How a sensor can fail.
    package enum Failure: String, Sendable {
        case failed
        case gone
        case silent
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var scenario = Scenario.demonstration
    private var repeats = true
    private var start: Double?
    private var failure: (kind: Failure, until: Double)?

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}

extension SimulatedDevice {
    /// Plays a scenario over and over, from the first time that it is read; one that was taken in hand stays in hand.
    func play(_ scenario: Scenario, at now: Double) {
        locked {
            guard start == nil else { return }
            self.scenario = scenario
            start = now
        }
    }

    /// What its sensor says now; nil while it says nothing.
    func reading(at now: Double) throws(SensorFailure) -> Acceleration? {
        let answer: Result<Acceleration?, SensorFailure> = locked {
            if let failure, now < failure.until {
                switch failure.kind {
                case .failed: return .failure(.failed("the simulated sensor fails, as it was asked to"))
                case .gone: return .failure(.gone("the simulated sensor is gone, as it was asked to be"))
                case .silent: return .success(nil)
                }
            }
            switch scenario.reading(at: time(at: now)) {
            case .acceleration(let acceleration): return .success(acceleration)
            case .lost: return .success(nil)
            case .failure(let reason): return .failure(.failed(reason))
            }
        }
        return try answer.get()
    }

    /// Takes the device in hand.
    package func move(_ move: Move, at now: Double) {
        locked {
            if case .fail(let kind, let duration) = move {
                failure = (kind, now + duration)
                return
            }
            let direction = scenario.direction(at: time(at: now))
            scenario = Scenario(name: "in hand", Self.steps(move, from: direction))
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
