// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing

@testable import OrientationDaemon

@Suite struct SensorSupervisorTests {
    private var supervisor = SensorSupervisor()
    private let portrait = Attitude(orientation: .portrait, lastEdge: .portrait, timestamp: 5)
    private let chip = SensorDescription(id: "iio:device0", name: "chip")

    @Test mutating func `the sensor starts with the first requester and stops after the linger time of the last`() {
        #expect(supervisor.demandChanged(isNeeded: true) == [.report(.starting), .start(run: 1, fresh: false)])
        #expect(supervisor.demandChanged(isNeeded: true) == [])
        #expect(supervisor.demandChanged(isNeeded: false) == [.wake(after: SensorSupervisor.lingerTime)])
        #expect(supervisor.timerFired() == [.stop, .report(.off)])
        #expect(SensorSupervisor.lingerTime < 1)
    }

    @Test mutating func `a requester that returns within the linger time finds the sensor running`() {
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.demandChanged(isNeeded: false)
        #expect(supervisor.demandChanged(isNeeded: true) == [.cancelWake])
        #expect(supervisor.timerFired() == [])
    }

    @Test mutating func `a sensor is reported with its first decision, not when it is opened`() {
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(supervisor.handle(.opened(run: 1, chip, supportsBackpressure: false)) == [])
        #expect(
            supervisor.handle(.decided(run: 1, portrait)) == [.report(.decided(portrait, sensor: "iio:device0"))])
    }

    @Test mutating func `a failing sensor is retried with exponential backoff up to the maximum`() {
        _ = supervisor.demandChanged(isNeeded: true)
        var pauses: [Double] = []
        for run in 1...12 {
            let actions = supervisor.handle(.failed(run: run, .failed("broken")))
            guard case .wake(let pause)? = actions.last else { break }
            #expect(actions.first == .report(.unavailable(reason: "broken")))
            pauses.append(pause)
            #expect(supervisor.timerFired() == [.start(run: run + 1, fresh: false)])
        }
        #expect(pauses.first == 0.1)
        #expect(pauses.last == 30)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 == min($0 * 2, 30) })
    }

    @Test mutating func `a sensor with implausible readings is retried soon after any number of failures`() {
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...12 {
            let actions = supervisor.handle(.failed(run: run, .implausible("20 m/s²")))
            #expect(actions.last == .wake(after: min(0.1 * Double(1 << (run - 1)), SensorSupervisor.implausibleRetry)))
            _ = supervisor.timerFired()
        }
        #expect(supervisor.handle(.failed(run: 13, .failed("broken"))).last == .wake(after: 30))
    }

    /// Runs a sensor that fails five times and decides in its sixth run.
    private mutating func recover() -> [SensorSupervisor.Action] {
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...5 {
            _ = supervisor.handle(.failed(run: run, .gone("gone")))
            _ = supervisor.timerFired()
        }
        return supervisor.handle(.decided(run: 6, portrait))
    }

    @Test mutating func `the backoff is reset once the sensor has worked for the proving time`() {
        #expect(recover().first == .wake(after: SensorSupervisor.provingTime))
        // Requested once, not with each decision.
        #expect(supervisor.handle(.decided(run: 6, portrait)).count == 1)
        #expect(supervisor.timerFired() == [])
        #expect(supervisor.handle(.failed(run: 6, .gone("gone"))).last == .wake(after: 0.1))
    }

    @Test mutating func `the backoff continues if the sensor fails again within the proving time`() {
        _ = recover()
        #expect(supervisor.handle(.failed(run: 6, .gone("gone"))).last == .wake(after: 3.2))
        #expect(supervisor.timerFired() == [.start(run: 7, fresh: false)])
        _ = supervisor.handle(.decided(run: 7, portrait))
        #expect(supervisor.handle(.failed(run: 7, .gone("gone"))).last == .wake(after: 6.4))
    }

    @Test mutating func `a requester that returns within the linger time restarts the proving time`() {
        _ = recover()
        #expect(supervisor.demandChanged(isNeeded: false) == [.wake(after: SensorSupervisor.lingerTime)])
        #expect(supervisor.demandChanged(isNeeded: true) == [.wake(after: SensorSupervisor.provingTime)])
    }

    @Test mutating func `the backoff is reset when the sensor is no longer needed`() {
        _ = recover()
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 7, fresh: false))
        #expect(supervisor.handle(.failed(run: 7, .gone("gone"))).last == .wake(after: 0.1))
    }

    @Test mutating func `a new device ends the delay of a retry`() {
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.handle(.failed(run: 1, .noDevice("none")))
        #expect(supervisor.devicesChanged() == [.cancelWake, .start(run: 2, fresh: false)])
        #expect(supervisor.devicesChanged() == [.scan])
    }

    @Test mutating func `a device that appears during a failed start resets the backoff`() {
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...8 {
            _ = supervisor.handle(.failed(run: run, .noDevice("none")))
            _ = supervisor.timerFired()
        }
        #expect(supervisor.devicesChanged() == [.scan])
        #expect(supervisor.handle(.failed(run: 9, .noDevice("none"))).last == .wake(after: 0.1))
        _ = supervisor.timerFired()
        #expect(supervisor.handle(.failed(run: 10, .noDevice("none"))).last == .wake(after: 0.2))
    }

    @Test mutating func `without a requester a device change causes no scan`() {
        #expect(supervisor.devicesChanged() == [])
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.handle(.failed(run: 1, .noDevice("none")))
        #expect(supervisor.demandChanged(isNeeded: false) == [.cancelWake, .report(.off)])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.timerFired() == [])
    }

    @Test mutating func `messages of an earlier run are dropped`() {
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.reload()
        #expect(supervisor.handle(.decided(run: 1, portrait)) == [])
        #expect(supervisor.handle(.failed(run: 1, .gone("gone"))) == [])
        #expect(supervisor.handle(.ended(run: 1, reason: "over")) == [])
    }

    @Test mutating func `a decision after the stop is dropped`() {
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.handle(.decided(run: 1, portrait)) == [])
    }

    @Test mutating func `a recording that has ended stays ended until a reload`() {
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(supervisor.handle(.ended(run: 1, reason: "over")) == [.report(.ended(reason: "over"))])
        #expect(supervisor.demandChanged(isNeeded: false) == [])
        #expect(supervisor.demandChanged(isNeeded: true) == [])
        #expect(
            supervisor.reload() == [.cancelWake, .report(.starting), .start(run: 2, fresh: true)])
    }

    @Test mutating func `an unusable source is not retried until a reload`() {
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(
            supervisor.handle(.failed(run: 1, .unusable("nonsense")))
                == [.report(.unavailable(reason: "nonsense"))])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.reload().last == .start(run: 2, fresh: true))
    }

    @Test mutating func `a reload without a requester makes the next start fresh`() {
        #expect(supervisor.reload() == [.report(.off)])
        #expect(supervisor.demandChanged(isNeeded: true) == [.report(.starting), .start(run: 1, fresh: true)])
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 2, fresh: false))
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.demandChanged(isNeeded: false)
        #expect(supervisor.reload() == [.cancelWake, .stop, .report(.off)])
    }

    @Test mutating func `a new device while a sensor runs causes a scan, and a better sensor is opened`() {
        #expect(runChip() == [])
        #expect(supervisor.devicesChanged() == [.scan])
        var other = SensorDescription(id: "iio:device1", name: "better")
        #expect(supervisor.scanned([chosen(chip), other], isCurrentOutdated: false) == [])
        other.isChosen = true
        #expect(supervisor.scanned([chip, other], isCurrentOutdated: false) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `a sensor that is missing in a scan is replaced`() {
        _ = runChip()
        #expect(supervisor.scanned([], isCurrentOutdated: false) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `changed facts reopen the sensor without reporting unknown`() {
        _ = runChip()
        #expect(
            supervisor.scanned([chosen(chip)], isCurrentOutdated: true) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `a recent failure is kept until the sensor works or devices change`() {
        _ = runChip()
        _ = supervisor.handle(.failed(run: 1, .failed("it is silent")))
        #expect(supervisor.recentFailures == ["iio:device0": "it is silent"])
        _ = supervisor.timerFired()
        _ = supervisor.handle(.opened(run: 2, chip, supportsBackpressure: false))
        _ = supervisor.handle(.decided(run: 2, portrait))
        #expect(supervisor.recentFailures == [:])
        _ = supervisor.handle(.failed(run: 2, .failed("again")))
        _ = supervisor.devicesChanged()
        #expect(supervisor.recentFailures == [:])
    }

    @Test mutating func `a suspend reopens the sensor and ends the delay of a retry`() {
        #expect(supervisor.woke() == [])
        _ = runChip()
        #expect(supervisor.woke() == [.start(run: 2, fresh: false)])
        _ = supervisor.handle(.failed(run: 2, .failed("broken")))
        #expect(supervisor.woke() == [.cancelWake, .start(run: 3, fresh: false)])
    }

    @Test mutating func `a hung call makes the state unknown, and the sensor can recover`() {
        #expect(supervisor.hung(for: 5) == [])
        _ = runChip()
        #expect(
            supervisor.hung(for: 5)
                == [.report(.unavailable(reason: "iio:device0: timed out: no response for 5 s"))])
        #expect(
            supervisor.handle(.decided(run: 1, portrait)) == [.report(.decided(portrait, sensor: "iio:device0"))])
    }

    /// Starts the supervisor with a sensor that has decided; returns the actions of its opening.
    private mutating func runChip() -> [SensorSupervisor.Action] {
        _ = supervisor.demandChanged(isNeeded: true)
        let actions = supervisor.handle(.opened(run: 1, chip, supportsBackpressure: false))
        _ = supervisor.handle(.decided(run: 1, portrait))
        return actions
    }

    private func chosen(_ sensor: SensorDescription) -> SensorDescription {
        var sensor = sensor
        sensor.isChosen = true
        return sensor
    }
}
