// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Systemd
import SystemdTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RepeatedCallTests {
    private let bench: LoopBench

    init() throws { bench = try LoopBench() }

    /// The calls of a test: each waits until it is allowed to return its number.
    private nonisolated final class Calls: @unchecked Sendable {
        private let lock = NSLock()
        private let gate = DispatchSemaphore(value: 0)
        private var count = 0

        var started: Int { lock.withLock { count } }

        func make() -> Int {
            let number = lock.withLock {
                count += 1
                return count
            }
            gate.wait()
            return number
        }

        func allow(_ number: Int) {
            for _ in 0..<number { gate.signal() }
        }
    }

    /// A repeated call that makes `calls`, and passes their numbers.
    private func repeated(
        _ calls: Calls, on bench: LoopBench, done: @escaping @MainActor (Int) -> Void
    ) -> RepeatedCall<Int> {
        RepeatedCall(on: bench.loop) {
            .success(calls.make())
        } done: {
            if case .success(let number) = $0 { done(number) }
        }
    }

    @Test func `requests during a call cause one further call`() throws {
        let calls = Calls()
        var results: [Int] = []
        let call = repeated(calls, on: bench) { results.append($0) }
        for _ in 0..<5 { call.start() }
        calls.allow(1)
        try bench.run { results == [1] }
        calls.allow(9)
        #expect(call.wait(seconds: 600))
        try bench.run { results == [1, 2] }
        try bench.runReady()
        #expect(call.wait(seconds: 0) && calls.started == 2)
    }

    @Test func `a call requested after the last result is made at once`() throws {
        let calls = Calls()
        calls.allow(9)
        var results: [Int] = []
        let call = repeated(calls, on: bench) { results.append($0) }
        for number in 1...3 {
            call.start()
            try bench.run { results.last == number }
        }
        #expect(results == [1, 2, 3])
    }

    @Test func `a request made while the result is delivered starts one call`() throws {
        var results: [Int] = []
        let calls = Calls()
        calls.allow(9)
        var call: RepeatedCall<Int>?
        call = repeated(calls, on: bench) {
            results.append($0)
            if results.count == 1 { call?.start() }
        }
        call?.start()
        call?.start()
        try bench.run { results.count == 2 }
        #expect(call?.wait(seconds: 0) == true)
        #expect(results == [1, 2] && calls.started == 2)
        call = nil
    }

    @Test func `a failure of the call is delivered, and the next call is made`() throws {
        var codes: [Int32] = []
        let call = RepeatedCall<Int>(on: bench.loop) {
            .failure(SystemError(operation: "read", code: EIO))
        } done: {
            if case .failure(let error) = $0 { codes.append(error.code) }
        }
        call.start()
        call.start()
        try bench.run { codes.count == 2 }
        #expect(codes == [EIO, EIO])
    }

    @Test func `a wait delivers the result or ends with the timeout, and at once without a call`() throws {
        let calls = Calls()
        var results: [Int] = []
        let call = repeated(calls, on: bench) { results.append($0) }
        #expect(call.wait(seconds: 600))
        call.start()
        #expect(!call.wait(seconds: 0.01))
        calls.allow(1)
        #expect(call.wait(seconds: 600))
        #expect(results == [1])
        try bench.runReady()
        #expect(results == [1])
    }
}
