// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackgroundCallTests {
    @Test func `the loop runs while a call blocks, and receives its result`() throws {
        let loop = try EventLoop()
        let gate = DispatchSemaphore(value: 0)
        var events: [String] = []
        let call = try BackgroundCall(on: loop) {
            gate.wait()
            return 7
        } done: {
            events.append("result \($0)")
            loop.exit(status: Int32($0))
        }
        let timer = try loop.timer {
            events.append("timer")
            gate.signal()
        }
        timer.fire(after: 0)
        #expect(try loop.run() == 7)
        #expect(events == ["timer", "result 7"])
        withExtendedLifetime(call) {}
    }

    @Test func `a caller that waits gets the result or a timeout, and the loop delivers no result then`() throws {
        let loop = try EventLoop()
        let gate = DispatchSemaphore(value: 0)
        let call = try BackgroundCall(on: loop) {
            gate.wait()
            return 7
        } done: { _ in
            Issue.record("delivered twice")
        }
        #expect(call.result(within: 0) == nil)
        gate.signal()
        #expect(call.result(within: 60) == 7)
        let end = try loop.timer { loop.exit(status: 0) }
        end.fire(after: 0)
        #expect(try loop.run() == 0)
    }

    @Test func `a released call delivers nothing, and may return later`() throws {
        let loop = try EventLoop()
        let gate = DispatchSemaphore(value: 0)
        var call: BackgroundCall<Int>? = try BackgroundCall(on: loop) {
            gate.wait()
            return 7
        } done: { _ in
            Issue.record("delivered")
        }
        #expect(call != nil)
        call = nil
        gate.signal()
        let timer = try loop.timer { loop.exit(status: 1) }
        timer.fire(after: 0.01)
        #expect(try loop.run() == 1)
    }
}
