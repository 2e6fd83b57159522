// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct IdleExitTests {
    private let bench: StateBench

    init() throws { bench = try StateBench(idleExit: Self.delay) }

    private static let delay = 60.0
    private static let lock = RotationLock.on(PanelEdge(.portrait, natural: .portrait))

    private func isEnding(_ effects: [Effect]) -> Bool {
        effects.contains { if case .stopAccepting = $0 { true } else { false } }
    }

    private func startsTimer(_ effects: [Effect]) -> Bool { effects.timers[.idleExit] == Self.delay }

    @Test func `the time without clients begins when the daemon is ready, and with each client that leaves`() throws {
        #expect(startsTimer(bench.send(.ready)))
        #expect(startsTimer(bench.send(.client(.left(bench.client().client)))))
    }

    @Test func `without the option the daemon never exits by itself`() throws {
        let bench = try StateBench()
        #expect(!startsTimer(bench.send(.ready)))
        #expect(!isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `the daemon stops accepting before it exits`() throws {
        bench.send(.ready)
        let effects = bench.send(.timer(.idleExit))
        let names = effects.compactMap { effect -> String? in
            switch effect {
            case .stopAccepting: "stopAccepting"
            case .stopServing: "stopServing"
            case .exit(0): "exit"
            default: nil
            }
        }
        #expect(names == ["stopAccepting", "stopServing", "exit"])
    }

    @Test func `a client that is connected keeps the daemon running`() throws {
        bench.hasClients = true
        #expect(!isEnding(bench.send(.timer(.idleExit))))
        bench.hasClients = false
        #expect(startsTimer(bench.send(.client(.left(bench.client().client)))))
        #expect(isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `a lock that is being written, or could not be written, keeps the daemon running`() throws {
        let caller = bench.client(isTrusted: true)
        bench.call("Control.SetRotationLock", ["locked": .bool(true), "edge": .string("portrait")], from: caller)
        bench.send(.client(.left(caller.client)))
        let effects = bench.send(.timer(.idleExit))
        #expect(!isEnding(effects) && startsTimer(effects))
        bench.send(.lockStored(Self.lock, failure: "disk full"))
        #expect(!isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `the daemon exits without a further client once the lock is stored`() throws {
        let caller = bench.client(isTrusted: true)
        bench.call("Control.SetRotationLock", ["locked": .bool(true), "edge": .string("portrait")], from: caller)
        bench.send(.client(.left(caller.client)))
        #expect(startsTimer(bench.send(.timer(.idleExit))))
        bench.send(.lockStored(Self.lock, failure: nil))
        #expect(isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `without a state directory a lock keeps the daemon running until it is off`() throws {
        let bench = try StateBench(lock: nil, idleExit: Self.delay)
        let caller = bench.client(isTrusted: true)
        bench.call("Control.SetRotationLock", ["locked": .bool(true), "edge": .string("portrait")], from: caller)
        #expect(!isEnding(bench.send(.timer(.idleExit))))
        bench.call("Control.SetRotationLock", ["locked": .bool(false)], from: caller)
        #expect(isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `a log level that a client has set keeps the daemon running until it is the former one`() throws {
        let caller = bench.client(isTrusted: true)
        bench.call("Control.SetLogLevel", ["level": .string("debug")], from: caller)
        #expect(!isEnding(bench.send(.timer(.idleExit))))
        bench.call("Control.SetLogLevel", ["level": .string("info")], from: caller)
        #expect(isEnding(bench.send(.timer(.idleExit))))
    }

    @Test func `a reload of an idle daemon does not keep it running, and applies to the next start`() throws {
        func forgetsInterrupts(_ effects: [Effect]) -> Bool {
            effects.contains { if case .forgetInterrupts = $0 { true } else { false } }
        }
        let bench = try StateBench(idleExit: Self.delay)
        bench.send(.reload)
        let ending = bench.send(.timer(.idleExit))
        #expect(isEnding(ending) && forgetsInterrupts(ending))
        // A reload that has been applied is not repeated.
        let used = try StateBench(idleExit: Self.delay)
        used.send(.reload)
        used.call("Orientation.Monitor", mode: .more, from: used.client())
        used.startSensor()
        #expect(!forgetsInterrupts(used.send(.end)))
    }

    @Test func `the last edge is stored at exit, and is in the first state of the next start`() throws {
        let bench = try StateBench(natural: .landscapeLeft, idleExit: Self.delay)
        _ = bench.subscriber()
        bench.startSensor(.portrait)
        let stored = bench.send(.end).compactMap { if case .storeLastEdge(let edge) = $0 { edge } else { nil } }
        #expect(stored == [PanelEdge(.portrait, natural: .portrait)])
        let next = try StateBench(natural: .landscapeLeft, lastEdge: stored.first ?? nil)
        let reader = next.client()
        let first = next.call("Orientation.Monitor", mode: .more, from: reader).messages(to: reader)
        // The names are those of a wide panel.
        #expect(first.first?.contains(#""orientation":"unknown""#) == true)
        #expect(first.first?.contains(#""lastEdge":"landscapeLeft""#) == true)
    }
}
