// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// The one state that all clients see, and the rule for what counts as a change of it.
nonisolated struct StateKeeper {
    private(set) var state: OrientationState
    /// The timestamp of the sample that decided the orientation in ``state``, in microseconds; ``state`` has that of the
    /// newest sample that decided anything.
    private(set) var decided: Int64 = 0

    /// Reasons that are said in more than one place.
    enum Reason {
        static let off = "the sensor is off: nobody is listening"
        static let starting = "starting"
    }

    /// The first state of a run of the daemon, which `instance` names.
    init(instance: String) {
        state = OrientationState(sequence: 1, instance: instance, reason: Reason.off)
    }

    /// Takes in what there is to say about the sensor; whether clients are to be told.
    mutating func apply(_ report: SensorReport) -> Bool {
        let isNews = change { state in
            switch report {
            case .off: state.forgetReading(reason: Reason.off)
            case .starting: state.forgetReading(reason: Reason.starting)
            case .measuring(let reason): if state.orientation == .unknown { state.reason = reason }
            case .unavailable(let reason): state.forgetReading(reason: reason)
            case .ended(let reason): state.reason = reason
            case .decided(let attitude, let sensor):
                state.take(attitude)
                state.sensor = sensor
            }
        }
        if isNews, case .decided(let attitude, _) = report { decided = attitude.timestamp }
        return isNews
    }

    /// Takes in the user's lock; whether clients are to be told.
    mutating func apply(_ lock: RotationLock) -> Bool {
        change { state in
            switch lock {
            case .open:
                state.isLocked = false
                state.lockedTo = nil
            case .closed(let edge):
                state.isLocked = true
                state.lockedTo = edge
            }
        }
    }

    /// Takes in what the hinge's switch says; whether clients are to be told.
    mutating func apply(tabletMode: Bool?) -> Bool {
        change { $0.tabletMode = tabletMode }
    }

    /// The state with what has been measured since its last change, which by itself is no reason to tell anybody.
    func state(measuring newest: Attitude?) -> OrientationState {
        var current = state
        if let newest, newest.orientation == state.orientation { current.measure(newest) }
        return current
    }

    private mutating func change(_ body: (inout OrientationState) -> Void) -> Bool {
        var new = state
        body(&new)
        let isNews = new.news != state.news
        if isNews { new.sequence += 1 }
        state = new
        return isNews
    }
}

extension OrientationState {
    /// What clients are told of when it changes: all but tilt, disturbance and timestamp, which always do.
    fileprivate nonisolated var news: OrientationState {
        var news = self
        news.tilt = nil
        news.disturbance = nil
        news.timestamp = 0
        return news
    }

    fileprivate nonisolated mutating func take(_ attitude: Attitude) {
        orientation = attitude.orientation
        // A classifier that has just started may not know yet; the edge that was up last is still that.
        lastEdge = attitude.lastEdge ?? lastEdge
        reason = nil
        measure(attitude)
    }

    fileprivate nonisolated mutating func measure(_ attitude: Attitude) {
        tilt = attitude.tilt
        disturbance = attitude.disturbance
        timestamp = attitude.timestamp
    }

    fileprivate nonisolated mutating func forgetReading(reason: String) {
        orientation = .unknown
        tilt = nil
        disturbance = nil
        sensor = nil
        self.reason = reason
    }
}
