// SPDX-License-Identifier: Apache-2.0

/// The tilt of the screen in five bands.
package enum TiltBand: CaseIterable, Sendable {
    /// The screen is vertical to within 20°.
    case vertical
    /// The screen is tilted back: its normal points above the horizon.
    case tiltedUp
    /// The screen is tilted forward: its normal points below the horizon.
    case tiltedDown
    /// The device lies on its back.
    case faceUp
    /// The device lies on its screen: the normal points down.
    case faceDown
}

/// Classifies the tilt of the screen into bands, with hysteresis on every boundary.
///
/// The two face bands follow ``OrientationClassifier``: band and orientation never contradict each other. The
/// boundaries between vertical and tilted differ by direction, and a band must last ``dwell``: a device that is laid
/// down passes through the tilted range in less time.
package struct TiltClassifier: Sendable {
    /// The tilt above which the screen is tilted, in degrees; also the boundary for the first answer.
    static let tiltEnter = 20.0
    /// The tilt below which the screen is vertical again, in degrees: the distance to ``tiltEnter`` is four times the
    /// filtered noise of a poor sensor.
    static let tiltLeave = 15.0
    /// The time for which a new band must last, in seconds: longer than the filter takes from vertical to flat.
    static let dwell = 0.3

    /// The band; nil until the first usable sample.
    package private(set) var band: TiltBand?
    private var candidate: TiltBand?
    private var candidateSince = 0.0

    package init() {}

    /// Updates the band from the classifier after a sample; `time` is the sample's, in seconds. Returns whether the
    /// band changed.
    package mutating func follow(_ classifier: OrientationClassifier, at time: Double) -> Bool {
        follow(tilt: classifier.tilt, pose: classifier.pose, at: time)
    }

    mutating func follow(tilt: Double?, pose: PanelPose?, at time: Double) -> Bool {
        guard let tilt, let pose else { return false }
        let answer = answer(tilt: tilt, pose: pose)
        guard answer != band else {
            candidate = nil
            return false
        }
        // Restart the dwell when the clock was set back.
        if candidate != answer || time < candidateSince {
            candidate = answer
            candidateSince = time
        }
        guard band == nil || pose.edge == nil || time - candidateSince >= Self.dwell else { return false }
        band = answer
        candidate = nil
        return true
    }

    private func answer(tilt: Double, pose: PanelPose) -> TiltBand {
        switch pose {
        case .faceUp: return .faceUp
        case .faceDown: return .faceDown
        case .edge: break
        }
        let isTilted = band == (tilt > 0 ? .tiltedUp : .tiltedDown)
        guard abs(tilt) > (isTilted ? Self.tiltLeave : Self.tiltEnter) else { return .vertical }
        return tilt > 0 ? .tiltedUp : .tiltedDown
    }
}
