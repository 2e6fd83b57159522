// SPDX-License-Identifier: Apache-2.0

/// What an attitude speaks for, given the answer held until now: hysteresis in angle on every boundary.
struct Judgement: Sendable {
    /// The held answer, unless a boundary was crossed.
    var answer: DeviceOrientation
    /// How far past the boundary the attitude is, in degrees.
    var degreesPast = 0.0

    init(of vector: Acceleration, magnitude: Double, held: DeviceOrientation, _ settings: ClassifierSettings) {
        answer = held
        guard held != .unknown else {
            answer = Self.first(Attitude(of: vector), magnitude, settings)
            return
        }
        let gravity = Acceleration.standardGravity
        guard !Self.isWellWithin(held, vector, magnitude),
            abs(magnitude - gravity) <= ClassifierLimits.magnitudeTolerance * gravity
        else { return }
        if let edge = Edge(held) {
            leave(edge, Attitude(of: vector), settings)
        } else {
            leaveFace(Attitude(of: vector), settings)
        }
    }

    /// Within 41° of an edge's pose or 10° of a face's no settings give the answer up; most samples need no angles.
    private static func isWellWithin(_ held: DeviceOrientation, _ vector: Acceleration, _ magnitude: Double) -> Bool {
        switch held {
        case .unknown: false
        case .portrait: vector.y > 0.755 * magnitude
        case .portraitUpsideDown: -vector.y > 0.755 * magnitude
        case .landscapeLeft: vector.x > 0.755 * magnitude
        case .landscapeRight: -vector.x > 0.755 * magnitude
        case .faceUp: vector.z > 0.985 * magnitude
        case .faceDown: -vector.z > 0.985 * magnitude
        }
    }

    /// Without an answer to keep, a face begins in the middle of its band: what is answered there is also kept.
    private static func first(
        _ attitude: Attitude, _ magnitude: Double, _ settings: ClassifierSettings
    ) -> DeviceOrientation {
        guard magnitude >= ClassifierLimits.leastFirstMagnitude else { return .unknown }
        let middle = (settings.faceEnter + settings.faceLeave) / 2
        return abs(attitude.tilt) > middle ? attitude.face : attitude.edge
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
