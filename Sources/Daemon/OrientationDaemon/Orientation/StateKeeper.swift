// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors

/// The published state, and the rule that defines a change. The only place where poses get their names, from the natural
/// orientation.
struct StateKeeper {
    /// What clients are notified of: all of the state but the measurements, which change with every sample.
    private struct Published: Equatable {
        var pose: PanelPose?
        var lastEdge: PanelEdge?
        var natural: Edge
        var lock = RotationLock.off
        var tabletMode: Bool?
        var lidAngle: Int?
        var isSwitchOverruled = false
        var sensor: String?
        var reason: String?
        var hasSensorFailed = false
    }

    private var published: Published
    /// The last report of the accelerometer, and of the hinge sensor.
    private(set) var report = SensorState.off
    private(set) var lidReport = SensorState.off
    private var sequence = 1
    /// What the tablet switch says; nil without one.
    private var tabletSwitch: Bool?
    /// What the lid angle says; nil without a reading.
    private var lid: LidPosture?
    private let instance: String
    private var tilt: Double?
    private var disturbance: Double?
    /// The timestamp of the newest sample that decided anything, in microseconds.
    private var timestamp: Int64 = 0
    /// The timestamp of the sample that decided the orientation, in microseconds.
    private(set) var decided: Int64 = 0

    /// Reasons used in more than one place.
    enum Reason {
        static let off = "the sensor is off: no client uses it"
        static let starting = "starting"
    }

    /// Creates the first state; `instance` identifies this run of the daemon; `lastEdge` comes from an earlier one.
    init(instance: String, natural: Edge = .portrait, lastEdge: PanelEdge? = nil) {
        self.instance = instance
        published = Published(lastEdge: lastEdge, natural: natural, reason: Reason.off)
    }

    /// The edge of the panel that is up, or was last.
    var lastEdge: PanelEdge? { published.lastEdge }

    var hasTabletSwitch: Bool { tabletSwitch != nil }

    /// Whether the tablet mode depends on earlier angles than those measured.
    var isTabletModeAmbiguous: Bool { !hasTabletSwitch && lid?.isAmbiguous == true }

    /// The state, with the names by its natural orientation.
    var state: OrientationState {
        let natural = published.natural
        let name = { (edge: PanelEdge) in Edge(edge, natural: natural) }
        var state = OrientationState(
            orientation: DeviceOrientation(published.pose, natural: natural), lastEdge: published.lastEdge.map(name),
            natural: natural, tilt: tilt, disturbance: disturbance, tabletMode: published.tabletMode,
            sequence: sequence, instance: instance, timestamp: timestamp, sensor: published.sensor,
            reason: published.reason)
        state.lidAngle = published.lidAngle
        state.isTabletSwitchOverruled = published.isSwitchOverruled
        state.hasSensorFailed = published.hasSensorFailed
        if case .on(let edge) = published.lock {
            state.isLocked = true
            state.lockedTo = edge.map(name)
        }
        return state
    }

    /// Returns the state with the newest measurements, which alone are not a change.
    func state(measuring newest: ClassifiedSample?) -> OrientationState {
        var current = self
        current.measure(newest)
        return current.state
    }

    /// Applies the newest measurements, which alone are not a change: before a change that is not one of the sensor.
    mutating func measure(_ newest: ClassifiedSample?) {
        guard let newest, newest.pose == published.pose else { return }
        (tilt, disturbance, timestamp) = (newest.tilt, newest.disturbance, newest.timestamp)
    }

    /// Applies a report of the sensor; returns whether clients must be notified.
    mutating func apply(_ report: SensorState) -> Bool {
        self.report = report
        switch report {
        case .off: return forgetReading(reason: Reason.off)
        case .starting: return forgetReading(reason: Reason.starting)
        case .withoutGravity(let reason):
            // Not after a failure, whose reason is the same.
            return change { if $0.reason == Reason.starting { $0.reason = reason } }
        case .unavailable(let reason): return forgetReading(reason: reason, hasFailed: true)
        case .ended(let reason): return change { $0.reason = reason }
        // Not of the accelerometer.
        case .read: return false
        case .decided(let attitude, let sensor):
            let isChange = change { published in
                published.pose = attitude.pose
                // A classifier that has just started has no last edge; the previous one is still valid.
                published.lastEdge = attitude.lastEdge ?? published.lastEdge
                published.sensor = sensor
                published.reason = nil
                published.hasSensorFailed = false
            }
            measure(attitude)
            if isChange { decided = attitude.timestamp }
            return isChange
        }
    }

    /// Applies the natural orientation, which renames every edge; returns whether clients must be notified.
    mutating func apply(natural: Edge) -> Bool { change { $0.natural = natural } }

    /// Applies the rotation lock; returns whether clients must be notified.
    mutating func apply(_ lock: RotationLock) -> Bool {
        change {
            // The display keeps its rotation, for which there is no reading.
            if lock == .off, $0.pose == nil, case .on(let edge?) = $0.lock { $0.lastEdge = edge }
            $0.lock = lock
        }
    }

    /// Applies the state of the tablet switch; returns whether clients must be notified.
    mutating func apply(tabletSwitch isTablet: Bool?) -> Bool {
        tabletSwitch = isTablet
        return updateTabletMode()
    }

    /// Applies a report of the hinge sensor; returns whether clients must be notified.
    mutating func apply(lid report: SensorState) -> Bool {
        lidReport = report
        switch report {
        case .read(.lid(let posture)): lid = posture
        case .off, .unavailable, .ended: lid = nil
        case .starting, .withoutGravity, .decided, .read: break
        }
        return updateTabletMode()
    }

    /// The switch decides, unless the lid angle proves the opposite; without a switch the lid angle.
    private mutating func updateTabletMode() -> Bool {
        let (lid, tabletSwitch) = (lid, tabletSwitch)
        return change { published in
            published.lidAngle = lid?.angle
            published.tabletMode = tabletSwitch.map { lid?.certainMode ?? $0 } ?? lid?.isTablet
            published.isSwitchOverruled = tabletSwitch != nil && published.tabletMode != tabletSwitch
        }
    }

    private mutating func forgetReading(reason: String, hasFailed: Bool = false) -> Bool {
        (tilt, disturbance) = (nil, nil)
        return change { published in
            published.pose = nil
            published.sensor = nil
            published.reason = reason
            published.hasSensorFailed = hasFailed
        }
    }

    private mutating func change(_ body: (inout Published) -> Void) -> Bool {
        let former = published
        body(&published)
        guard published != former else { return false }
        sequence += 1
        return true
    }
}
