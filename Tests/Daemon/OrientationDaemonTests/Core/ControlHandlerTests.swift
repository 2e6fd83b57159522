// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Systemd
import Testing
import Varlink

@testable import OrientationDaemon
@testable import VarlinkServer

@Suite struct ControlHandlerTests {
    private let bench: StateBench

    init() throws { bench = try StateBench() }

    private func stored(_ effects: [Effect]) -> [RotationLock] {
        effects.compactMap { if case .storeLock(let lock) = $0 { lock } else { nil } }
    }

    private let lockOn: JSONObject = ["locked": true, "edge": "landscapeLeft"]

    @Test func `a lock is sent to subscribers, written, and confirmed when it is written`() throws {
        let (subscriber, caller) = (bench.client(), bench.client(isTrusted: true))
        bench.call("Orientation.Monitor", mode: .more, from: subscriber)
        let set = bench.call("Control.SetRotationLock", lockOn, from: caller)
        #expect(set.messages(to: subscriber).first?.contains(#""lockedTo":"landscapeLeft""#) == true)
        #expect(stored(set) == [.on(.right)])
        #expect(set.logs == ["the rotation lock is now on (right edge up)"])
        #expect(set.messages(to: caller).isEmpty)
        let written = bench.send(.lockStored(.on(.right), failure: nil))
        #expect(written.messages(to: caller) == [#"{"parameters":{}}"#])
    }

    @Test func `without an edge the sensor is started and the lock takes the edge that is up`() throws {
        let caller = bench.client(isTrusted: true)
        let set = bench.call("Control.SetRotationLock", ["locked": true], from: caller)
        #expect(set.sensor == ["start 1"] && stored(set).isEmpty)
        #expect(stored(bench.startSensor(.landscapeRight)) == [.on(.left)])
    }

    @Test func `without an edge and without a reading in time the lock has no edge`() throws {
        bench.call("Control.SetRotationLock", ["locked": true], from: bench.client(isTrusted: true))
        bench.now += PendingCalls.timeout
        #expect(stored(bench.send(.timer(.pendingCalls))) == [.on(nil)])
    }

    @Test func `locks set during a write wait, and the newest is written for all clients`() throws {
        let callers = (0..<3).map { _ in bench.client(isTrusted: true) }
        #expect(stored(bench.call("Control.SetRotationLock", lockOn, from: callers[0])).count == 1)
        #expect(stored(bench.call("Control.SetRotationLock", ["locked": false], from: callers[1])).isEmpty)
        #expect(
            stored(bench.call("Control.SetRotationLock", ["locked": true, "edge": "portrait"], from: callers[2]))
                .isEmpty)
        bench.send(.client(.left(callers[1].client)))
        let first = bench.send(.lockStored(.on(.right), failure: nil))
        #expect(first.messages(to: callers[0]).count == 1 && first.messages(to: callers[2]).isEmpty)
        #expect(stored(first) == [.on(.top)])
        let second = bench.send(.lockStored(.on(.top), failure: nil))
        #expect(second.messages(to: callers[2]).count == 1 && second.messages(to: callers[1]).isEmpty)
    }

    @Test func `a client that changes the lock repeatedly waits for its replies`() throws {
        let caller = bench.client(isTrusted: true)
        var locks: [RotationLock] = []
        for number in 0..<RotationLockKeeper.burst {
            let parameters: JSONObject = number % 2 == 0 ? lockOn : ["locked": false]
            let lock = try #require(stored(bench.call("Control.SetRotationLock", parameters, from: caller)).first)
            locks.append(lock)
            bench.send(.lockStored(lock, failure: nil))
        }
        #expect(locks == [.on(.right), .off, .on(.right), .off])
        let late = bench.call("Control.SetRotationLock", lockOn, from: caller)
        #expect(stored(late).isEmpty && late.messages(to: caller).isEmpty)
        #expect(late.timers[.lockChange] == RotationLockKeeper.interval)
        bench.now += RotationLockKeeper.interval
        #expect(stored(bench.send(.timer(.lockChange))) == [.on(.right)])
    }

    @Test func `many clients that change the lock once each cause a burst of changes, then the newest one`() throws {
        let subscriber = bench.subscriber()
        var changes = 0
        var callers: [Caller] = []
        for number in 0..<100 {
            callers.append(bench.client(isTrusted: true))
            let parameters: JSONObject = number % 2 == 0 ? lockOn : ["locked": false]
            let effects = bench.call("Control.SetRotationLock", parameters, from: callers[number])
            changes += effects.messages(to: subscriber).count
            for lock in stored(effects) { bench.send(.lockStored(lock, failure: nil)) }
        }
        #expect(changes == RotationLockKeeper.burst)
        bench.call("Control.SetRotationLock", lockOn, from: callers[0])
        bench.now += RotationLockKeeper.interval
        let late = bench.send(.timer(.lockChange))
        #expect(late.messages(to: subscriber).count == 1)
        #expect(stored(late) == [.on(.right)])
        let written = bench.send(.lockStored(.on(.right), failure: nil))
        #expect(callers.dropFirst(RotationLockKeeper.burst).allSatisfy { written.messages(to: $0).count == 1 })
        #expect(written.messages(to: callers[0]).count == 1)
    }

    @Test func `a change within the burst sets no timer, and one that is made early stops it`() throws {
        let caller = bench.client(isTrusted: true)
        for number in 0..<RotationLockKeeper.burst {
            let parameters: JSONObject = number % 2 == 0 ? lockOn : ["locked": false]
            #expect(!bench.call("Control.SetRotationLock", parameters, from: caller).contains(where: isLockTimer))
        }
        #expect(bench.call("Control.SetRotationLock", lockOn, from: caller).contains(where: isLockTimer))
        #expect(bench.send(.end).contains(where: isLockTimer))
    }

    private func isLockTimer(_ effect: Effect) -> Bool {
        if case .setTimer(.lockChange, _) = effect { true } else { false }
    }

    @Test func `a lock that is stored already is confirmed at once and not written again`() throws {
        let bench = try StateBench(lock: .on(.right))
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Control.SetRotationLock", lockOn, from: caller)
        #expect(stored(effects).isEmpty && effects.logs.isEmpty)
        #expect(effects.messages(to: caller) == [#"{"parameters":{}}"#])
    }

    @Test func `a failed write is answered with the reason and retried`() throws {
        let caller = bench.client(isTrusted: true)
        bench.call("Control.SetRotationLock", lockOn, from: caller)
        let failed = bench.send(.lockStored(.on(.right), failure: "disk full"))
        #expect(failed.messages(to: caller) == [#"{"parameters":{"notKept":"disk full"}}"#])
        #expect(failed.logs == ["cannot store the rotation lock: disk full"])
        #expect(stored(bench.call("Control.SetRotationLock", lockOn, from: caller)) == [.on(.right)])
    }

    @Test func `the same failure to write is a warning once, and again after a write`() throws {
        let levels = [nil, "disk full", "disk full", "read-only", nil, "disk full"].map { failure in
            bench.send(.lockStored(.off, failure: failure)).compactMap { effect in
                if case .log(let level, _) = effect { level } else { nil }
            }
        }
        #expect(levels == [[], [.warning], [.debug], [.warning], [], [.warning]])
    }

    @Test func `without a state directory the reply states it, and only changes are logged`() throws {
        let bench = try StateBench(lock: nil)
        let caller = bench.client(isTrusted: true)
        let first = bench.call("Control.SetRotationLock", lockOn, from: caller)
        #expect(first.messages(to: caller).first?.contains("--state-directory") == true)
        #expect(first.logs.count == 1 && stored(first).isEmpty)
        #expect(bench.call("Control.SetRotationLock", lockOn, from: caller).logs.isEmpty)
    }

    @Test func `at exit a due lock is written and answered before the connections close`() throws {
        let caller = bench.client(isTrusted: true)
        for _ in 0..<RotationLockKeeper.burst {
            bench.call("Control.SetRotationLock", lockOn, from: caller)
            bench.send(.lockStored(.on(.right), failure: "disk full"))
        }
        bench.call("Control.SetRotationLock", lockOn, from: caller)
        let end = bench.send(.end)
        #expect(stored(end) == [.on(.right)])
        #expect(!end.contains { if case .stopServing = $0 { true } else { false } })
        let written = bench.send(.lockStored(.on(.right), failure: nil))
        let names = written.map { effect -> String in
            switch effect {
            case .reply: "reply"
            case .stopServing: "stop serving"
            case .exit(let status): "exit \(status)"
            default: ""
            }
        }
        #expect(names == ["reply", "stop serving", "exit 0"])
    }

    @Test func `the daemon exits after a timeout if the sensor does not close`() throws {
        bench.call("Orientation.Monitor", mode: .more, from: bench.client())
        let end = bench.send(.end)
        #expect(end.sensor == ["close"] && end.timers[.exit] == DaemonState.exitTimeout)
        #expect(bench.send(.timer(.exit)).contains { if case .exit(0) = $0 { true } else { false } })
    }

    @Test func `only trusted callers and users at the seat set the lock, only trusted callers the rest`() throws {
        let caller = bench.client(user: 1000)
        for method in ["SetRotationLock", "ToggleRotationLock", "SetLogLevel", "Status"] {
            let parameters: [String: JSONObject] = ["SetRotationLock": lockOn, "SetLogLevel": ["level": "debug"]]
            let effects = bench.call("Control.\(method)", parameters[method] ?? [:], from: caller)
            #expect(effects.messages(to: caller).first?.contains("PermissionDenied") == true)
            #expect(effects.count == 1)
        }
        bench.seats = [1000]
        #expect(stored(bench.call("Control.SetRotationLock", lockOn, from: caller)).count == 1)
        bench.send(.lockStored(.on(.right), failure: nil))
        #expect(stored(bench.call("Control.ToggleRotationLock", from: caller)) == [.off])
    }

    @Test func `a toggle replies with the lock that it set, when that is written`() throws {
        bench.call("Orientation.Monitor", mode: .more, from: bench.client())
        bench.startSensor(.landscapeLeft)
        let caller = bench.client(isTrusted: true)
        let set = bench.call("Control.ToggleRotationLock", from: caller)
        #expect(stored(set) == [.on(.right)] && set.messages(to: caller).isEmpty)
        #expect(
            bench.send(.lockStored(.on(.right), failure: nil)).messages(to: caller)
                == [#"{"parameters":{"locked":true,"lockedTo":"landscapeLeft"}}"#])
        #expect(stored(bench.call("Control.ToggleRotationLock", from: caller)) == [.off])
        #expect(
            bench.send(.lockStored(.off, failure: "disk full")).messages(to: caller)
                == [#"{"parameters":{"locked":false,"notKept":"disk full"}}"#])
    }

    @Test func `two toggles that wait for the first reading leave the lock off`() throws {
        let callers = (0..<2).map { _ in bench.client(isTrusted: true) }
        for caller in callers { #expect(stored(bench.call("Control.ToggleRotationLock", from: caller)).isEmpty) }
        #expect(stored(bench.startSensor(.landscapeRight)) == [.on(.left)])
        let first = bench.send(.lockStored(.on(.left), failure: nil))
        #expect(first.messages(to: callers[0]) == [#"{"parameters":{"locked":true,"lockedTo":"landscapeRight"}}"#])
        #expect(stored(first) == [.off])
        let second = bench.send(.lockStored(.off, failure: nil))
        #expect(second.messages(to: callers[1]) == [#"{"parameters":{"locked":false}}"#])
    }

    @Test func `each toggle counts, also while a change is due, and toggles are limited as locks are`() throws {
        let bench = try StateBench(lock: nil)
        let subscriber = bench.subscriber()
        bench.startSensor()
        var changes = 0
        var last: [Caller] = []
        for number in 0..<99 {
            let caller = bench.client(isTrusted: true)
            let effects = bench.call("Control.ToggleRotationLock", from: caller)
            changes += effects.messages(to: subscriber).count
            let isImmediate = number < RotationLockKeeper.burst
            #expect(effects.messages(to: caller).count == (isImmediate ? 1 : 0))
            if !isImmediate { last.append(caller) }
        }
        #expect(changes == RotationLockKeeper.burst)
        bench.now += RotationLockKeeper.interval
        let late = bench.send(.timer(.lockChange))
        #expect(late.messages(to: subscriber).count == 1)
        for (number, caller) in last.enumerated() {
            let start = number % 2 == 0 ? #"{"parameters":{"locked":true,"# : #"{"parameters":{"locked":false,"#
            #expect(late.messages(to: caller).map { $0.hasPrefix(start) } == [true])
        }
    }

    @Test func `turning the lock off at an edge is refused`() throws {
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Control.SetRotationLock", ["locked": false, "edge": "portrait"], from: caller)
        #expect(effects.messages(to: caller).first?.contains(#""parameter":"edge""#) == true)
    }

    @Test func `Status has what was measured, the connections by user, and the failures`() throws {
        bench.connections = [
            UserCount(user: 0, connections: 1, subscribers: 0), UserCount(user: 7, connections: 2, subscribers: 2),
        ]
        bench.call("Orientation.Monitor", mode: .more, from: bench.client())
        bench.startSensor()
        bench.send(.sensor(.accelerometer, run: 1, .failed(sensor: "iio:0", .failed("unplugged"))))
        bench.now += 5
        let caller = bench.client(isTrusted: true)
        let status = bench.call("Control.Status", from: caller).messages(to: caller).first ?? ""
        let parts = [
            #""uptime":5.0"#, #""subscribers":2"#, #"{"user":7,"connections":2,"subscribers":2}"#, #""samples":5"#,
            #""reason":"unplugged""#, #""source":"auto""#,
        ]
        for part in parts { #expect(status.contains(part), "\(status)") }
    }
}
