// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The pose that a filtered vector indicates, given the current answer: every boundary has hysteresis in angle.
struct HysteresisDecision: Sendable {
    /// The current answer, or another one if a boundary was crossed.
    var answer: PanelPose?
    /// The distance past the boundary, in degrees.
    var degreesPast = 0.0

    /// Decides about a filtered vector; `activity` has its length at rest and the share of a walk in the motion.
    init(of vector: Acceleration, current: PanelPose?, _ settings: ClassifierSettings, _ activity: Activity) {
        answer = current
        let attitude = ScreenAngles(of: vector)
        guard let current else {
            answer = Self.first(attitude, vector.magnitude, settings)
            return
        }
        guard PhysicalLimits.isGravity(vector.magnitude, rest: activity.restLength) else { return }
        if let edge = current.edge {
            leave(edge, attitude, settings)
        } else {
            leaveFace(attitude, settings, settings.faceLeave - ClassifierConstants.faceLeaveCarried * activity.share)
        }
    }

    /// Returns the first answer. A face begins in the middle of its hysteresis band: the answer is then stable
    /// afterwards.
    private static func first(
        _ attitude: ScreenAngles, _ magnitude: Double, _ settings: ClassifierSettings
    ) -> PanelPose? {
        guard magnitude >= ClassifierConstants.leastFirstMagnitude else { return nil }
        let middle = (settings.faceEnter + settings.faceLeave) / 2
        return abs(attitude.tilt) > middle ? attitude.face : .edge(attitude.edge)
    }

    private mutating func leave(_ edge: PanelEdge, _ attitude: ScreenAngles, _ settings: ClassifierSettings) {
        let steepness = abs(attitude.tilt)
        if steepness >= settings.faceEnter {
            answer = attitude.face
            degreesPast = steepness - settings.faceEnter
        } else if steepness <= settings.edgeLimit {
            let past = attitude.distance(from: edge) - 45 - settings.edgeMargin
            guard past > 0 else { return }
            answer = .edge(attitude.edge)
            degreesPast = past
        }
    }

    private mutating func leaveFace(_ attitude: ScreenAngles, _ settings: ClassifierSettings, _ faceLeave: Double) {
        let steepness = abs(attitude.tilt)
        if steepness >= settings.faceEnter, attitude.face != answer {
            answer = attitude.face
            degreesPast = steepness - settings.faceEnter
        } else if steepness < faceLeave {
            answer = .edge(attitude.edge)
            degreesPast = faceLeave - steepness
        }
    }
}

/// Angles of a vector relative to the screen, in degrees.
struct ScreenAngles: Sendable {
    /// Elevation of the screen's normal above the horizon, −90 to 90.
    var tilt: Double
    /// Direction of the vector in the plane of the screen, −180 to 180: 0 is the top edge, 90 the right edge.
    var turn: Double

    init(of vector: Acceleration) {
        let inPlane = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        tilt = atan2(vector.z, inPlane) * (180 / .pi)
        turn = atan2(vector.x, vector.y) * (180 / .pi)
    }

    /// The face that points up.
    var face: PanelPose { tilt > 0 ? .faceUp : .faceDown }

    /// The edge closest to pointing up.
    var edge: PanelEdge {
        switch turn {
        case -45...45: .top
        case 45..<135: .right
        case -135 ..< -45: .left
        default: .bottom
        }
    }

    /// Returns the angle between ``turn`` and an edge, in degrees, 0 to 180.
    func distance(from edge: PanelEdge) -> Double {
        switch edge {
        case .top: abs(turn)
        case .bottom: 180 - abs(turn)
        case .right: turn < -90 ? turn + 270 : abs(turn - 90)
        case .left: turn > 90 ? 270 - turn : abs(turn + 90)
        }
    }
}

extension Acceleration {
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up).
    package var tilt: Double { ScreenAngles(of: self).tilt }

    /// Returns the component along the direction of this pose, in m/s².
    func support(_ pose: PanelPose) -> Double { dot(pose.direction) }

    /// The length of the projection onto the plane of the screen, in m/s².
    var inPlane: Double { (x * x + y * y).squareRoot() }
}
