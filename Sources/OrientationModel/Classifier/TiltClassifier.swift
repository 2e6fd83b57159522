// SPDX-License-Identifier: Apache-2.0

/// How far the screen leans, in five bands.
package enum TiltBand: CaseIterable, Sendable {
    /// The screen stands, within 20°.
    case vertical
    /// The screen leans back.
    case tiltedUp
    /// The screen leans forward.
    case tiltedDown
    /// The device lies on its back.
    case faceUp
    /// The device lies on its screen.
    case faceDown
}

/// Turns what ``OrientationClassifier`` knows after each sample into a band of tilt, with hysteresis on every boundary.
///
/// A face is one when the classifier says so, with its hysteresis and at its moment; so band and orientation never
/// contradict each other. Between standing and leaning there is a boundary for each direction, and a band must last a
/// moment: a device that is laid down leans for no longer than that.
package struct TiltClassifier: Sendable {
    /// Where the screen begins to lean, in degrees; also the boundary of the first answer.
    static let leanEnter = 20.0
    /// Where it stands again, in degrees: four times the noise of a bad sensor, behind the filter, away.
    static let leanLeave = 15.0
    /// How long a new band must last, in seconds: longer than the filter takes from standing to lying.
    static let dwell = 0.3

    /// The band; nil until the first usable sample.
    package private(set) var band: TiltBand?
    private var candidate: TiltBand?
    private var candidateSince = 0.0

    package init() {}

    /// Takes in what the classifier knows after a sample; `time` in seconds on the sample's clock. Whether the band is
    /// another now.
    package mutating func follow(_ classifier: OrientationClassifier, at time: Double) -> Bool {
        follow(tilt: classifier.tilt, orientation: classifier.orientation, at: time)
    }

    mutating func follow(tilt: Double?, orientation: DeviceOrientation, at time: Double) -> Bool {
        guard let tilt, orientation != .unknown else { return false }
        let answer = answer(tilt: tilt, orientation: orientation)
        guard answer != band else {
            candidate = nil
            return false
        }
        // A clock that was set back starts the wait anew.
        if candidate != answer || time < candidateSince {
            candidate = answer
            candidateSince = time
        }
        guard band == nil || orientation.isFlat || time - candidateSince >= Self.dwell else { return false }
        band = answer
        candidate = nil
        return true
    }

    private func answer(tilt: Double, orientation: DeviceOrientation) -> TiltBand {
        switch orientation {
        case .faceUp: return .faceUp
        case .faceDown: return .faceDown
        default: break
        }
        let leansAlready = band == (tilt > 0 ? .tiltedUp : .tiltedDown)
        guard abs(tilt) > (leansAlready ? Self.leanLeave : Self.leanEnter) else { return .vertical }
        return tilt > 0 ? .tiltedUp : .tiltedDown
    }
}
