// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing

@testable import OrientationDaemon

@Suite struct SensorSupervisorTests {
    private var supervisor = SensorSupervisor()
    private let portrait = Attitude(orientation: .portrait, lastEdge: .portrait, timestamp: 5)
    private let chip = SensorDescription(id: "iio:device0", name: "chip")

    @Test mutating func `the sensor is started by the first who wants it, and stopped a moment after the last`() {
        #expect(supervisor.demandChanged(isWanted: true) == [.report(.starting), .start(run: 1, fresh: false)])
        #expect(supervisor.demandChanged(isWanted: true) == [])
        #expect(supervisor.demandChanged(isWanted: false) == [.wake(after: SensorSupervisor.lingerTime)])
        #expect(supervisor.timerFired() == [.stop, .report(.off)])
        #expect(SensorSupervisor.lingerTime < 1)
    }

    @Test mutating func `one who comes back in time finds the sensor running`() {
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.demandChanged(isWanted: false)
        #expect(supervisor.demandChanged(isWanted: true) == [.cancelWake])
        #expect(supervisor.timerFired() == [])
    }

    @Test mutating func `a sensor is told of with its first decision, not when it is opened`() {
        _ = supervisor.demandChanged(isWanted: true)
        #expect(supervisor.handle(.opened(run: 1, chip, supportsBackpressure: false)) == [])
        #expect(
            supervisor.handle(.decided(run: 1, portrait)) == [.report(.decided(portrait, sensor: "iio:device0"))])
    }

    @Test mutating func `a failing sensor is tried again with growing pauses, up to the longest`() {
        _ = supervisor.demandChanged(isWanted: true)
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

    @Test mutating func `one that reads what cannot be true is looked at again soon, however often it did`() {
        _ = supervisor.demandChanged(isWanted: true)
        for run in 1...12 {
            let actions = supervisor.handle(.failed(run: run, .implausible("20 m/s²")))
            #expect(actions.last == .wake(after: min(0.1 * Double(1 << (run - 1)), SensorSupervisor.longestDoubt)))
            _ = supervisor.timerFired()
        }
        #expect(supervisor.handle(.failed(run: 13, .failed("broken"))).last == .wake(after: 30))
    }

    /// A sensor that has failed five times, and says something in its sixth run.
    private mutating func recover() -> [SensorSupervisor.Action] {
        _ = supervisor.demandChanged(isWanted: true)
        for run in 1...5 {
            _ = supervisor.handle(.failed(run: run, .gone("gone")))
            _ = supervisor.timerFired()
        }
        return supervisor.handle(.decided(run: 6, portrait))
    }

    @Test mutating func `the pauses start over once the sensor has worked for a while`() {
        #expect(recover().first == .wake(after: SensorSupervisor.provingTime))
        // Asked for once, not at each turn of the device.
        #expect(supervisor.handle(.decided(run: 6, portrait)).count == 1)
        #expect(supervisor.timerFired() == [])
        #expect(supervisor.handle(.failed(run: 6, .gone("gone"))).last == .wake(after: 0.1))
    }

    @Test mutating func `the pauses go on growing where the sensor says something and fails again`() {
        _ = recover()
        #expect(supervisor.handle(.failed(run: 6, .gone("gone"))).last == .wake(after: 3.2))
        #expect(supervisor.timerFired() == [.start(run: 7, fresh: false)])
        _ = supervisor.handle(.decided(run: 7, portrait))
        #expect(supervisor.handle(.failed(run: 7, .gone("gone"))).last == .wake(after: 6.4))
    }

    @Test mutating func `who leaves and comes back in time leaves the proof in progress`() {
        _ = recover()
        #expect(supervisor.demandChanged(isWanted: false) == [.wake(after: SensorSupervisor.lingerTime)])
        #expect(supervisor.demandChanged(isWanted: true) == [.wake(after: SensorSupervisor.provingTime)])
    }

    @Test mutating func `whoever comes later has not to wait for what failed long ago`() {
        _ = recover()
        _ = supervisor.demandChanged(isWanted: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isWanted: true).last == .start(run: 7, fresh: false))
        #expect(supervisor.handle(.failed(run: 7, .gone("gone"))).last == .wake(after: 0.1))
    }

    @Test mutating func `a device that appears ends the pause`() {
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.handle(.failed(run: 1, .noDevice("none")))
        #expect(supervisor.devicesChanged() == [.cancelWake, .start(run: 2, fresh: false)])
        #expect(supervisor.devicesChanged() == [.look])
    }

    @Test mutating func `a device that appears while a try is under way, and too late for it, is not waited for`() {
        _ = supervisor.demandChanged(isWanted: true)
        for run in 1...8 {
            _ = supervisor.handle(.failed(run: run, .noDevice("none")))
            _ = supervisor.timerFired()
        }
        #expect(supervisor.devicesChanged() == [.look])
        #expect(supervisor.handle(.failed(run: 9, .noDevice("none"))).last == .wake(after: 0.1))
        _ = supervisor.timerFired()
        #expect(supervisor.handle(.failed(run: 10, .noDevice("none"))).last == .wake(after: 0.2))
    }

    @Test mutating func `nobody looks for a sensor that nobody wants`() {
        #expect(supervisor.devicesChanged() == [])
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.handle(.failed(run: 1, .noDevice("none")))
        #expect(supervisor.demandChanged(isWanted: false) == [.cancelWake, .report(.off)])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.timerFired() == [])
    }

    @Test mutating func `what an earlier run still says is dropped`() {
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.reload()
        #expect(supervisor.handle(.decided(run: 1, portrait)) == [])
        #expect(supervisor.handle(.failed(run: 1, .gone("gone"))) == [])
        #expect(supervisor.handle(.ended(run: 1, reason: "over")) == [])
    }

    @Test mutating func `nothing is decided once the sensor was stopped`() {
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.demandChanged(isWanted: false)
        _ = supervisor.timerFired()
        #expect(supervisor.handle(.decided(run: 1, portrait)) == [])
    }

    @Test mutating func `a recording that has ended stays ended, until it is asked for anew`() {
        _ = supervisor.demandChanged(isWanted: true)
        #expect(supervisor.handle(.ended(run: 1, reason: "over")) == [.report(.ended(reason: "over"))])
        #expect(supervisor.demandChanged(isWanted: false) == [])
        #expect(supervisor.demandChanged(isWanted: true) == [])
        #expect(
            supervisor.reload() == [.cancelWake, .report(.starting), .start(run: 2, fresh: true)])
    }

    @Test mutating func `what can never work is not tried again, until somebody has changed something`() {
        _ = supervisor.demandChanged(isWanted: true)
        #expect(
            supervisor.handle(.failed(run: 1, .unusable("nonsense")))
                == [.report(.unavailable(reason: "nonsense"))])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.reload().last == .start(run: 2, fresh: true))
    }

    @Test mutating func `a reload while nobody listens starts nothing, and the next start is a fresh one`() {
        #expect(supervisor.reload() == [.report(.off)])
        #expect(supervisor.demandChanged(isWanted: true) == [.report(.starting), .start(run: 1, fresh: true)])
        _ = supervisor.demandChanged(isWanted: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isWanted: true).last == .start(run: 2, fresh: false))
        _ = supervisor.demandChanged(isWanted: false)
        _ = supervisor.timerFired()
        _ = supervisor.demandChanged(isWanted: true)
        _ = supervisor.demandChanged(isWanted: false)
        #expect(supervisor.reload() == [.cancelWake, .stop, .report(.off)])
    }

    @Test mutating func `a device that appears while a sensor runs makes it look, and take the better one`() {
        #expect(runChip() == [])
        #expect(supervisor.devicesChanged() == [.look])
        var other = SensorDescription(id: "iio:device1", name: "better")
        #expect(supervisor.looked(at: [chosen(chip), other], isCurrentOutdated: false) == [])
        other.isChosen = true
        #expect(supervisor.looked(at: [chip, other], isCurrentOutdated: false) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `a sensor that is not there any more is let go of`() {
        _ = runChip()
        #expect(supervisor.looked(at: [], isCurrentOutdated: false) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `facts that have changed open the same sensor anew, and nobody hears of unknown`() {
        _ = runChip()
        #expect(
            supervisor.looked(at: [chosen(chip)], isCurrentOutdated: true) == [.start(run: 2, fresh: false)])
    }

    @Test mutating func `a sensor that failed is remembered until it works or devices change`() {
        _ = runChip()
        _ = supervisor.handle(.failed(run: 1, .failed("it is silent")))
        #expect(supervisor.troubled == ["iio:device0": "it is silent"])
        _ = supervisor.timerFired()
        _ = supervisor.handle(.opened(run: 2, chip, supportsBackpressure: false))
        _ = supervisor.handle(.decided(run: 2, portrait))
        #expect(supervisor.troubled == [:])
        _ = supervisor.handle(.failed(run: 2, .failed("again")))
        _ = supervisor.devicesChanged()
        #expect(supervisor.troubled == [:])
    }

    @Test mutating func `after a sleep of the machine the sensor is opened anew, and a pause ends`() {
        #expect(supervisor.resumed() == [])
        _ = runChip()
        #expect(supervisor.resumed() == [.start(run: 2, fresh: false)])
        _ = supervisor.handle(.failed(run: 2, .failed("broken")))
        #expect(supervisor.resumed() == [.cancelWake, .start(run: 3, fresh: false)])
    }

    @Test mutating func `a call that does not come back makes the state unknown, and the sensor may still recover`() {
        #expect(supervisor.hung(for: 5) == [])
        _ = runChip()
        #expect(
            supervisor.hung(for: 5)
                == [.report(.unavailable(reason: "iio:device0 has not answered for 5 seconds"))])
        #expect(
            supervisor.handle(.decided(run: 1, portrait)) == [.report(.decided(portrait, sensor: "iio:device0"))])
    }

    /// Starts the supervisor with a sensor that has decided; what it wants done besides.
    private mutating func runChip() -> [SensorSupervisor.Action] {
        _ = supervisor.demandChanged(isWanted: true)
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
