// SPDX-License-Identifier: Apache-2.0

/// What an attitude speaks for, given the answer held until now: hysteresis in angle on every boundary.
struct Judgement: Sendable {
    /// The held answer, unless a boundary was crossed.
    var answer: DeviceOrientation
    /// How far past the boundary the attitude is, in degrees.
    var degreesPast = 0.0

    init(of attitude: Attitude, magnitude: Double, held: DeviceOrientation, _ settings: ClassifierSettings) {
        answer = held
        guard held != .unknown else {
            answer = Self.first(attitude, magnitude)
            return
        }
        let gravity = Acceleration.standardGravity
        guard abs(magnitude - gravity) <= ClassifierLimits.magnitudeTolerance * gravity else { return }
        if let edge = Edge(held) {
            leave(edge, attitude, settings)
        } else {
            leaveFace(attitude, settings)
        }
    }

    private static func first(_ attitude: Attitude, _ magnitude: Double) -> DeviceOrientation {
        guard magnitude >= ClassifierLimits.leastFirstMagnitude else { return .unknown }
        return abs(attitude.tilt) > ClassifierLimits.firstFace ? attitude.face : attitude.edge
    }

    private mutating func leave(_ edge: Edge, _ attitude: Attitude, _ settings: ClassifierSettings) {
        let steepness = abs(attitude.tilt)
        if steepness >= settings.faceEnter {
            answer = attitude.face
            degreesPast = steepness - settings.faceEnter
        } else if steepness <= settings.edgeLimit {
            let past = attitude.distance(from: edge) - 45 - settings.edgeMargin
            guard past > 0 else { return }
            answer = attitude.edge
            degreesPast = past
        }
    }

    private mutating func leaveFace(_ attitude: Attitude, _ settings: ClassifierSettings) {
        let steepness = abs(attitude.tilt)
        if steepness >= settings.faceEnter, attitude.face != answer {
            answer = attitude.face
            degreesPast = steepness - settings.faceEnter
        } else if steepness < settings.faceLeave {
            answer = attitude.edge
            degreesPast = settings.faceLeave - steepness
        }
    }
}
