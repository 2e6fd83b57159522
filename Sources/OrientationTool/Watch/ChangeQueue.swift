// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// When the command of `--exec` is run, and for which state: one at a time, the newest wins, and none for a state that
/// was over before it could be acted upon.
struct ChangeQueue {
    enum Action: Equatable {
        case nothing
        /// Begin to wait anew for the state to last.
        case wait
        case run(OrientationState, previous: OrientationState?)
    }

    /// What has not been acted upon.
    private var pending: OrientationState?
    private var hasLasted = false
    private var isRunning = false
    /// What the command was last run for.
    private var done: OrientationState?

    /// Whether there is nothing left to act upon.
    var isIdle: Bool { pending == nil && !isRunning }

    mutating func changed(to state: OrientationState) -> Action {
        pending = state
        hasLasted = false
        return .wait
    }

    /// The state has lasted as long as it had to.
    mutating func lasted() -> Action {
        hasLasted = true
        return next()
    }

    /// The command has ended.
    mutating func ended() -> Action {
        isRunning = false
        return next()
    }

    private mutating func next() -> Action {
        guard !isRunning, hasLasted, let state = pending else { return .nothing }
        pending = nil
        if let done, done.tellsTheSame(as: state) { return .nothing }
        defer { done = state }
        isRunning = true
        return .run(state, previous: done)
    }
}

extension OrientationState {
    /// Whether a command could tell no difference: readings and counters aside.
    fileprivate func tellsTheSame(as other: OrientationState) -> Bool {
        var (one, two) = (self, other)
        one.forgetReadings()
        two.forgetReadings()
        return one == two
    }

    private mutating func forgetReadings() {
        (tilt, disturbance, timestamp) = (nil, nil, 0)
        (sequence, instance) = (0, "")
    }
}
