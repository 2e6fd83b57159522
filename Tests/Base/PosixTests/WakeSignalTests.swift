// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Testing

/// Eventfds and timerfds.
@Suite struct WakeSignalTests {
    @Test func `a wait ends when the flag is set, and at its time`() throws {
        let signal = try WakeSignal()
        var waits = [signal.wait(seconds: 0)]
        signal.set()
        signal.set()
        waits.append(signal.wait(seconds: nil))
        let wasSet = [signal.clear(), signal.clear()]
        waits.append(signal.wait(seconds: 0.001))
        #expect(waits == [false, true, false])
        #expect(wasSet == [true, false])
    }

    @Test func `a wait ends when another descriptor is readable`() throws {
        let signal = try WakeSignal()
        let other = try WakeSignal()
        other.set()
        let isReadable = signal.wait(or: [other.descriptor], seconds: nil)
        let wasSet = signal.clear()
        #expect(isReadable && !wasSet)
    }

    @Test(arguments: [0.000_1, 0, -1])
    func `a timer fires once, also one whose time has passed`(seconds: Double) throws {
        let signal = try WakeSignal()
        let timer = try TimerDescriptor()
        timer.set(after: seconds)
        let hasFired = signal.wait(or: [timer.descriptor], seconds: nil)
        let isRunning = timer.isRunning
        timer.clear()
        let firesAgain = signal.wait(or: [timer.descriptor], seconds: 0)
        #expect(hasFired && !isRunning && !firesAgain)
    }

    @Test func `a stopped timer does not fire`() throws {
        let signal = try WakeSignal()
        let timer = try TimerDescriptor()
        var states = [timer.isRunning]
        timer.set(after: 3_600)
        states.append(timer.isRunning)
        timer.set(after: 0)
        timer.set(after: nil)
        states += [timer.isRunning, signal.wait(or: [timer.descriptor], seconds: 0)]
        #expect(states == [false, true, false, false])
    }
}
