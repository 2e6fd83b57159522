// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Decides when the command of `--exec` runs, and for which state: one at a time, for the newest state that has lasted.
struct ChangeQueue {
    enum Action: Equatable {
        case nothing
        case run(OrientationState, previous: OrientationState?)
    }

    /// The newest state, if the command has not run for it.
    private var pending: OrientationState?
    private var hasLasted = false
    private var isRunning = false
    private var done: OrientationState?

    /// Whether the command has run for the newest state.
    var isIdle: Bool { pending == nil && !isRunning }

    mutating func changed(to state: OrientationState) {
        pending = state
        hasLasted = false
    }

    /// The newest state has lasted.
    mutating func lasted() -> Action {
        hasLasted = true
        return next()
    }

    mutating func ended() -> Action {
        isRunning = false
        return next()
    }

    private mutating func next() -> Action {
        guard !isRunning, hasLasted, let state = pending else { return .nothing }
        pending = nil
        if let done, done.isEquivalent(as: state) { return .nothing }
        defer { done = state }
        isRunning = true
        return .run(state, previous: done)
    }
}

extension OrientationState {
    /// Whether the states are equal except for readings and counters.
    fileprivate func isEquivalent(as other: OrientationState) -> Bool {
        var (one, two) = (self, other)
        one.clearReadings()
        two.clearReadings()
        return one == two
    }

    private mutating func clearReadings() {
        (tilt, disturbance, lidAngle, timestamp) = (nil, nil, nil, 0)
        (sequence, instance) = (0, "")
    }
}
