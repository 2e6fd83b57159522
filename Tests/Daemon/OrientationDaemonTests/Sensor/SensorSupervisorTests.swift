// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing

@testable import OrientationDaemon

/// When a sensor runs: the contract of every kind, and what only the accelerometer does.
@Suite struct SensorSupervisorTests {
    private var supervisor = SensorSupervisor(.accelerometer)
    private var kind = SensorKind.accelerometer

    private mutating func use(_ kind: SensorKind) {
        self.kind = kind
        supervisor = SensorSupervisor(kind)
    }

    /// The report of the first reading of a sensor.
    private var report: SensorState {
        switch RunEvent.firstReading(of: kind) {
        case .decided(let attitude): .decided(attitude, sensor: "iio:device1")
        case .read(let reading): .read(reading)
        default: .off
        }
    }

    private mutating func handle(_ event: RunEvent, run: Int) -> [SensorSupervisor.Action] {
        supervisor.handle(event, run: run)
    }

    private mutating func open(run: Int) -> [SensorSupervisor.Action] {
        handle(.opened(.chosen(kind)), run: run)
    }

    private mutating func read(run: Int) -> [SensorSupervisor.Action] { handle(.firstReading(of: kind), run: run) }

    private mutating func fail(
        run: Int, _ failure: SensorFailure = .failed("broken"), wasUseful: Bool = false
    ) -> [SensorSupervisor.Action] {
        handle(.failed(sensor: "iio:device1", failure, wasUseful: wasUseful), run: run)
    }

    /// Starts the supervisor of a kind with a sensor that has delivered a reading.
    private mutating func run(_ kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        _ = open(run: 1)
        _ = read(run: 1)
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `the sensor starts with the first requester and stops after the linger time of the last`(
        kind: SensorKind
    ) {
        use(kind)
        #expect(supervisor.demandChanged(isNeeded: true) == [.report(.starting), .start(run: 1, fresh: false)])
        #expect(supervisor.demandChanged(isNeeded: true) == [])
        var ending = supervisor.demandChanged(isNeeded: false)
        if let lingerTime = kind.lingerTime {
            #expect(lingerTime < 1 && ending == [.wake(after: lingerTime)])
            ending = supervisor.timerFired()
        }
        #expect(ending == [.stop, .report(.off)])
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 2, fresh: false))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a sensor is reported with its first reading, not when it is opened`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(open(run: 1) == [])
        #expect(read(run: 1) == [.report(report)])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a failing sensor is retried with exponential backoff up to the maximum`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        var pauses: [Double] = []
        for run in 1...12 {
            let actions = fail(run: run)
            guard case .wake(let pause)? = actions.last else { break }
            #expect(actions.first == .report(.unavailable(reason: "broken")))
            pauses.append(pause)
            #expect(supervisor.timerFired() == [.start(run: run + 1, fresh: false)])
        }
        #expect(pauses.first == 0.1)
        #expect(pauses.last == 30)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 == min($0 * 2, 30) })
    }

    /// Runs a sensor that fails five times and works in its sixth run.
    private mutating func recover(_ kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...5 {
            _ = fail(run: run, .gone("gone"))
            _ = supervisor.timerFired()
        }
        _ = open(run: 6)
        _ = read(run: 6)
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `the backoff is reset once the sensor was useful`(kind: SensorKind) {
        recover(kind)
        #expect(fail(run: 6, wasUseful: true).last == .wake(after: 0.1))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `the backoff continues if the sensor fails again before it was useful`(kind: SensorKind) {
        recover(kind)
        #expect(fail(run: 6).last == .wake(after: 3.2))
        #expect(supervisor.timerFired() == [.start(run: 7, fresh: false)])
        _ = open(run: 7)
        _ = read(run: 7)
        #expect(fail(run: 7).last == .wake(after: 6.4))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `the backoff is reset when the sensor is no longer needed`(kind: SensorKind) {
        recover(kind)
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 7, fresh: false))
        #expect(fail(run: 7).last == .wake(after: 0.1))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a new device ends the delay of a retry`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        let absent = handle(.failed(sensor: nil, .noDevice("none")), run: 1)
        let retry: [SensorSupervisor.Action] = kind == .accelerometer ? [.wake(after: 0.1)] : []
        #expect(absent == [.report(.unavailable(reason: "none"))] + retry)
        #expect(supervisor.devicesChanged() == [.cancelWake, .start(run: 2, fresh: false)])
        #expect(supervisor.devicesChanged() == [.scan])
    }

    @Test(arguments: SensorKind.allCases, [true, false])
    mutating func `a sensor that appears while an attempt finds none is started soon`(
        kind: SensorKind, isListed: Bool
    ) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(supervisor.devicesChanged() == [.scan])
        let failed = handle(.failed(sensor: nil, .noDevice("none")), run: 1)
        let listed = supervisor.scanned(isListed ? "iio:device1" : nil, isOutdated: false)
        if kind == .accelerometer {
            #expect(failed.last == .wake(after: 0.1) && listed == [])
        } else {
            #expect(listed == (isListed ? [.cancelWake, .start(run: 2, fresh: false)] : []))
        }
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a device that appears during a failed start resets the backoff`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...8 {
            _ = fail(run: run)
            _ = supervisor.timerFired()
        }
        #expect(supervisor.devicesChanged() == [.scan])
        #expect(fail(run: 9).last == .wake(after: 0.1))
        _ = supervisor.timerFired()
        #expect(fail(run: 10).last == .wake(after: 0.2))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `without a requester a device change causes no scan`(kind: SensorKind) {
        use(kind)
        #expect(supervisor.devicesChanged() == [])
        _ = supervisor.demandChanged(isNeeded: true)
        _ = fail(run: 1)
        #expect(supervisor.demandChanged(isNeeded: false) == [.cancelWake, .report(.off)])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.timerFired() == [])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `messages of an earlier run, and those after the stop, are dropped`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.reload()
        #expect(read(run: 1) == [] && fail(run: 1) == [] && handle(.ended(reason: "over"), run: 1) == [])
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(read(run: 2) == [] && fail(run: 2) == [])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `an unusable sensor is not retried until a reload`(kind: SensorKind) {
        use(kind)
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(fail(run: 1, .unusable("nonsense")) == [.report(.unavailable(reason: "nonsense"))])
        #expect(supervisor.devicesChanged() == [])
        #expect(supervisor.reload().last == .start(run: 2, fresh: true))
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a new device while a sensor runs causes a scan, and a better sensor is opened`(kind: SensorKind) {
        run(kind)
        #expect(supervisor.devicesChanged() == [.scan])
        #expect(supervisor.scanned("iio:device1", isOutdated: false) == [])
        #expect(supervisor.scanned("iio:device2", isOutdated: false) == [.start(run: 2, fresh: false)])
    }

    @Test(arguments: SensorKind.allCases, [nil, "iio:device1"])
    mutating func `a sensor that is missing in a scan, or whose facts have changed, is replaced without a report`(
        kind: SensorKind, listed: String?
    ) {
        run(kind)
        #expect(supervisor.scanned(listed, isOutdated: listed != nil) == [.start(run: 2, fresh: false)])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a recent failure is kept until the sensor works or devices change`(kind: SensorKind) {
        run(kind)
        _ = fail(run: 1, .failed("it is silent"))
        #expect(supervisor.recentFailures == ["iio:device1": "it is silent"])
        _ = supervisor.timerFired()
        _ = open(run: 2)
        _ = read(run: 2)
        #expect(supervisor.recentFailures == [:])
        _ = fail(run: 2)
        _ = supervisor.devicesChanged()
        #expect(supervisor.recentFailures == [:])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a suspend reopens the sensor and ends the delay of a retry`(kind: SensorKind) {
        use(kind)
        #expect(supervisor.woke() == [])
        run(kind)
        #expect(supervisor.woke() == [.start(run: 2, fresh: false)])
        _ = fail(run: 2)
        #expect(supervisor.woke() == [.cancelWake, .start(run: 3, fresh: false)])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `starts are fresh after a reload until one has opened the sensor`(kind: SensorKind) {
        run(kind)
        _ = supervisor.reload()
        #expect(supervisor.woke() == [.start(run: 3, fresh: true)])
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 4, fresh: true))
        _ = open(run: 4)
        #expect(supervisor.woke() == [.start(run: 5, fresh: false)])
    }

    @Test(arguments: SensorKind.allCases)
    mutating func `a hung call makes the state unknown, and the sensor can recover`(kind: SensorKind) {
        use(kind)
        #expect(supervisor.hung("timed out") == [])
        run(kind)
        #expect(supervisor.hung("timed out") == [.report(.unavailable(reason: "timed out"))])
        #expect(read(run: 1) == [.report(report)])
    }
}

// MARK: The accelerometer

extension SensorSupervisorTests {
    @Test mutating func `a requester that returns within the linger time finds the sensor running`() {
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.demandChanged(isNeeded: false)
        #expect(supervisor.demandChanged(isNeeded: true) == [.cancelWake])
        #expect(supervisor.timerFired() == [])
    }

    @Test mutating func `a sensor with implausible readings is retried soon after any number of failures`() {
        _ = supervisor.demandChanged(isNeeded: true)
        for run in 1...12 {
            let actions = fail(run: run, .implausible("20 m/s²"), wasUseful: true)
            #expect(actions.last == .wake(after: min(0.1 * Double(1 << (run - 1)), SensorSupervisor.implausibleRetry)))
            _ = supervisor.timerFired()
        }
        #expect(fail(run: 13).last == .wake(after: 30))
    }

    @Test mutating func `a recording that has ended stays ended until a reload`() {
        _ = supervisor.demandChanged(isNeeded: true)
        #expect(handle(.ended(reason: "over"), run: 1) == [.report(.ended(reason: "over"))])
        #expect(supervisor.demandChanged(isNeeded: false) == [])
        #expect(supervisor.demandChanged(isNeeded: true) == [])
        #expect(supervisor.reload() == [.cancelWake, .report(.starting), .start(run: 2, fresh: true)])
    }

    @Test mutating func `a reload without a requester makes the next start fresh`() {
        #expect(supervisor.reload() == [.report(.off)])
        #expect(supervisor.demandChanged(isNeeded: true) == [.report(.starting), .start(run: 1, fresh: true)])
        _ = open(run: 1)
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        #expect(supervisor.demandChanged(isNeeded: true).last == .start(run: 2, fresh: false))
        _ = supervisor.demandChanged(isNeeded: false)
        _ = supervisor.timerFired()
        _ = supervisor.demandChanged(isNeeded: true)
        _ = supervisor.demandChanged(isNeeded: false)
        #expect(supervisor.reload() == [.cancelWake, .stop, .report(.off)])
    }
}
