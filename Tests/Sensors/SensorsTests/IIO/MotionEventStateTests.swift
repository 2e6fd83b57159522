// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Testing

@testable import Sensors

@Suite struct MotionEventStateTests {
    private var state = MotionEventState()
    private var now = 0.0

    private func vector(_ degrees: Double) -> Acceleration {
        Acceleration(x: 9.8 * sin(degrees * .pi / 180), y: 9.8 * cos(degrees * .pi / 180), z: 0)
    }

    /// Reads at 5 Hz until an action is returned, at most for a time in seconds.
    private mutating func hold(_ degrees: Double, seconds: Double) -> (action: MotionEventState.Action, after: Double) {
        let start = now
        while now - start <= seconds {
            let action = state.read(vector(degrees), at: now)
            if action != .none { return (action, now - start) }
            now += 0.2
        }
        return (.none, seconds)
    }

    /// Holds the device until the event is armed.
    private mutating func arm(_ degrees: Double = 0) {
        #expect(hold(degrees, seconds: 100).action == .arm)
        state.armed(at: now)
    }

    @Test mutating func `the event is armed after 2 s at rest`() {
        let (action, after) = hold(0, seconds: 10)
        #expect(action == .arm)
        #expect(abs(after - 2) < 0.3)
    }

    @Test mutating func `it is armed after the last of several readings, unless one of them shows a turn`() {
        #expect(state.read(vector(0), at: 0, isLast: false) == .none)
        #expect(state.allRead() == .none)
        // The readings of one wake-up have the same time.
        for _ in 0..<3 { #expect(state.read(vector(0), at: 2, isLast: false) == .none) }
        #expect(state.read(vector(90), at: 2, isLast: false) == .none)
        #expect(state.allRead() == .none)
        for _ in 0..<3 { #expect(state.read(vector(90), at: 4, isLast: false) == .none) }
        #expect(state.allRead() == .arm)
        state.armed(at: 4)
        #expect(state.allRead() == .none)
    }

    @Test mutating func `a refusal or a motion subscriber ends a rest that was long enough`() {
        let ends: [(inout MotionEventState) -> Void] = [
            { $0.refused(isPermanent: false, at: 2) }, { $0.disarmed(at: 2) },
        ]
        for end in ends {
            var state = MotionEventState()
            _ = state.read(vector(0), at: 0)
            _ = state.read(vector(0), at: 2, isLast: false)
            end(&state)
            #expect(state.allRead() == .none)
        }
    }

    @Test mutating func `it is not armed while the device moves`() {
        for step in 0..<100 {
            #expect(state.read(vector(Double(step) * 6), at: now) == .none)
            now += 0.2
        }
    }

    @Test mutating func `an event ends the rest, and the event is armed again`() {
        arm()
        now += 1
        #expect(state.read(vector(40), at: now, hasFired: true) == .disarm)
        #expect(!state.isArmed)
        arm(90)
        #expect(state.isUsable)
    }

    @Test mutating func `a turn without an event shows a silent interrupt`() {
        arm()
        now += MotionEventState.readingInterval
        #expect(state.read(vector(90), at: now) == .abandon)
        #expect(!state.isUsable)
        #expect(hold(90, seconds: 100).action == .none)
    }

    @Test mutating func `a slow turn without an event ends the rest, and the event remains in use`() {
        arm()
        now += MotionEventState.readingInterval
        // 1° per second is below the threshold of stillness after one reading, not after two.
        #expect(state.read(vector(4.5), at: now) == .none)
        now += MotionEventState.readingInterval
        #expect(state.read(vector(9), at: now) == .disarm)
        #expect(state.isUsable)
    }

    @Test mutating func `an interrupt that worked once is not abandoned after a turn that it missed`() {
        arm()
        #expect(state.read(vector(40), at: now, hasFired: true) == .disarm)
        arm(90)
        now += MotionEventState.readingInterval
        #expect(state.read(vector(0), at: now) == .disarm)
        #expect(state.isUsable)
    }

    @Test mutating func `a chip that reports events at rest is armed later each time, until the device moves`() {
        arm()
        var rests: [Double] = []
        for _ in 0..<8 {
            now += 0.1
            #expect(state.read(vector(0), at: now, hasFired: true) == .disarm)
            now += 0.2
            rests.append(hold(0, seconds: 100).after)
            state.armed(at: now)
        }
        #expect(rests.first.map { $0 < 3 } == true)
        #expect(zip(rests, rests.dropFirst()).allSatisfy { $0 <= $1 + 0.3 })
        #expect(rests.last.map { abs($0 - MotionEventState.longestRest) < 1 } == true)
        #expect(state.read(vector(40), at: now, hasFired: true) == .disarm)
        now += 0.2
        #expect(hold(90, seconds: 100).after < 3)
    }

    @Test mutating func `a busy device is tried again later, a refusing one never`() {
        #expect(hold(0, seconds: 10).action == .arm)
        state.refused(isPermanent: false, at: now)
        let (action, after) = hold(0, seconds: 100)
        #expect(action == .arm)
        #expect(after > 3)
        state.refused(isPermanent: true, at: now)
        #expect(hold(0, seconds: 200).action == .none)
    }
}
