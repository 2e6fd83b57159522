// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors

/// The published state, and the rule that defines a change. The only place where poses get their names: the classifier's
/// are those on a tall panel, those of the state follow from its natural orientation.
struct StateKeeper {
    private(set) var state: OrientationState
    /// The timestamp of the sample that decided the orientation in ``state``, in microseconds; ``state`` has that of
    /// the newest sample that decided anything.
    private(set) var decided: Int64 = 0

    /// Reasons used in more than one place.
    enum Reason {
        static let off = "the sensor is off: no client uses it"
        static let starting = "starting"
    }

    /// Creates the first state; `instance` identifies this run of the daemon, and `lastEdge` is that of an earlier run.
    init(instance: String, natural: Edge = .portrait, lastEdge: PanelEdge? = nil) {
        state = OrientationState(natural: natural, sequence: 1, instance: instance, reason: Reason.off)
        state.lastEdge = lastEdge.map { Edge($0, natural: natural) }
    }

    /// Applies a report of the sensor; returns whether clients must be notified.
    mutating func apply(_ report: SensorReport) -> Bool {
        let isChange = change { state in
            switch report {
            case .off: state.forgetReading(reason: Reason.off)
            case .starting: state.forgetReading(reason: Reason.starting)
            // Not after a failure, whose reason is the same.
            case .withoutGravity(let reason): if state.reason == Reason.starting { state.reason = reason }
            case .unavailable(let reason): state.forgetReading(reason: reason)
            case .ended(let reason): state.reason = reason
            case .decided(let attitude, let sensor):
                state.apply(attitude)
                state.sensor = sensor
            }
        }
        if isChange, case .decided(let attitude, _) = report { decided = attitude.timestamp }
        return isChange
    }

    /// Applies the natural orientation: renames every edge of the state. Returns whether clients must be notified.
    mutating func apply(natural: Edge) -> Bool {
        change { state in
            let former = state.natural
            state.natural = natural
            state.orientation = state.orientation.renamed(from: former, to: natural)
            state.lastEdge = state.lastEdge?.renamed(from: former, to: natural)
            state.lockedTo = state.lockedTo?.renamed(from: former, to: natural)
        }
    }

    /// Applies the rotation lock; returns whether clients must be notified.
    mutating func apply(_ lock: RotationLock) -> Bool {
        change { state in
            switch lock {
            case .off:
                state.isLocked = false
                state.lockedTo = nil
            case .on(let edge):
                state.isLocked = true
                state.lockedTo = edge.map { Edge($0, natural: state.natural) }
            }
        }
    }

    /// Applies the state of the tablet switch; returns whether clients must be notified.
    mutating func apply(tabletMode: Bool?) -> Bool {
        change { $0.tabletMode = tabletMode }
    }

    /// Applies the newest measurements, which alone are not a change: before a change that is not one of the sensor.
    mutating func measure(_ newest: Attitude?) { state = state(measuring: newest) }

    /// Returns the state with the newest measurements, which alone are not a change.
    func state(measuring newest: Attitude?) -> OrientationState {
        var current = state
        if let newest, newest.orientation(natural: state.natural) == state.orientation { current.measure(newest) }
        return current
    }

    private mutating func change(_ body: (inout OrientationState) -> Void) -> Bool {
        var new = state
        body(&new)
        let isChange = new.published != state.published
        if isChange { new.sequence += 1 }
        state = new
        return isChange
    }
}

extension OrientationState {
    /// The part of the state whose change is published: all but tilt, disturbance and timestamp, which change with
    /// every sample.
    fileprivate var published: OrientationState {
        var published = self
        published.tilt = nil
        published.disturbance = nil
        published.timestamp = 0
        return published
    }

    fileprivate mutating func apply(_ attitude: Attitude) {
        orientation = attitude.orientation(natural: natural)
        // A classifier that has just started has no last edge; the previous one is still valid.
        lastEdge = attitude.panelEdge.map { Edge($0, natural: natural) } ?? lastEdge
        reason = nil
        measure(attitude)
    }

    fileprivate mutating func measure(_ attitude: Attitude) {
        tilt = attitude.tilt
        disturbance = attitude.disturbance
        timestamp = attitude.timestamp
    }

    fileprivate mutating func forgetReading(reason: String) {
        orientation = .unknown
        tilt = nil
        disturbance = nil
        sensor = nil
        self.reason = reason
    }
}

extension Attitude {
    /// Returns the orientation with its name on a device with this natural orientation.
    fileprivate func orientation(natural: Edge) -> DeviceOrientation {
        orientation.renamed(from: .portrait, to: natural)
    }
}
