// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import Posix

/// The state machine of one kind of ambient sensor: starts, stops, failures and retries. Events in, actions out.
///
/// The sensor runs while it is claimed, and stops with the last claim: it starts within milliseconds. After a failure it is
/// started again with exponential backoff. Without a sensor it waits for a change of the devices.
struct AmbientSupervisor {
    enum Action: Equatable {
        case start(run: Int)
        case stop
        /// ``retryTime`` has changed: call ``timerFired(at:)`` then.
        case setTimer
        /// No sensor delivers readings, for this reason.
        case report(String)
    }

    /// The time that a sensor must work before the backoff is reset, in seconds.
    static let provingTime = 10.0

    private enum Phase: Equatable {
        case off
        case running
        /// Failed; started when the timer fires, or the devices change.
        case pausing
    }

    private var phase = Phase.off
    private var run = 0
    /// The open sensor, as it is read; nil until it is open.
    private(set) var sensor: AmbientDescription?
    private var openedAt: Double?
    private var backoff = ExponentialBackoff.sensorRetry
    /// The time of the next attempt; nil if none is due.
    private(set) var retryTime: Double?

    var isRunning: Bool { phase == .running }

    /// Whether events with this number are of the running sensor.
    func isCurrent(_ number: Int) -> Bool { phase == .running && number == run }

    mutating func demandChanged(isNeeded: Bool) -> [Action] {
        switch (phase, isNeeded) {
        case (.off, true): return start()
        case (.running, false):
            phase = .off
            backoff.reset()
            return [.stop]
        case (.pausing, false):
            phase = .off
            backoff.reset()
            return clearTimer()
        default: return []
        }
    }

    mutating func timerFired(at now: Double) -> [Action] {
        guard phase == .pausing, let retryTime, retryTime <= now else { return retryTime == nil ? [] : [.setTimer] }
        return clearTimer() + start()
    }

    /// A device was added, removed or changed.
    mutating func devicesChanged() -> [Action] {
        guard phase == .pausing else { return [] }
        backoff.reset()
        return clearTimer() + start()
    }

    /// Opens the sensor again, if it is needed.
    mutating func reopen() -> [Action] {
        phase == .running ? start() : devicesChanged()
    }

    /// The devices were listed; `id` is that of the chosen sensor. Without one, the running sensor was disconnected.
    /// `isOutdated`: the facts about the running sensor have changed.
    mutating func chose(_ id: String?, isOutdated: Bool) -> [Action] {
        // The sensor appeared after the last attempt had looked for one, and before it reported that there is none.
        if phase == .pausing, retryTime == nil, id != nil { return start() }
        guard phase == .running, let sensor, id != sensor.id || isOutdated else { return [] }
        return start()
    }

    /// The sensor is open; returns whether it is the running one.
    mutating func opened(_ sensor: AmbientDescription, run number: Int, at now: Double) -> Bool {
        guard isCurrent(number) else { return false }
        self.sensor = sensor
        openedAt = openedAt ?? now
        return true
    }

    /// The running sensor failed.
    mutating func failed(_ failure: SensorFailure, at now: Double) -> [Action] {
        phase = .pausing
        if let openedAt, now - openedAt >= Self.provingTime { backoff.reset() }
        // A sensor that appears is reported by udev.
        if case .noDevice = failure { return [.report(failure.description)] }
        retryTime = now + backoff.next()
        return [.report(failure.description), .setTimer]
    }

    private mutating func clearTimer() -> [Action] {
        guard retryTime != nil else { return [] }
        retryTime = nil
        return [.setTimer]
    }

    private mutating func start() -> [Action] {
        run += 1
        phase = .running
        (sensor, openedAt) = (nil, nil)
        return [.start(run: run)]
    }
}
