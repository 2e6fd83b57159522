// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Turns samples into an orientation: right, calm and quick.
///
/// A pure value without a clock: time comes with the sample. Every step is O(1), allocates nothing and depends on
/// elapsed time, never on the number of samples, so that the answer is the same at 5 Hz and at 500 Hz.
public struct OrientationClassifier: Sendable {
    /// The constants in use.
    public let settings: ClassifierSettings
    /// How the device is held; unknown until the first usable sample.
    public private(set) var orientation = DeviceOrientation.unknown
    /// The last edge that was up; nil until there was one. An interface keeps it while the device lies flat.
    public private(set) var lastEdge: Edge?
    /// How far |a| was from one standard gravity lately, in m/s², from 0 on; nil before the first usable sample.
    public var disturbance: Double? { lastTime == nil ? nil : shaking }
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up); nil before the
    /// first usable sample.
    public var tilt: Double? { lastTime == nil ? nil : attitude.elevation }

    private var lastTime: Double?
    private var filtered = Acceleration(x: 0, y: 0, z: 0)
    private var shaking = 0.0
    private var candidate = DeviceOrientation.unknown
    private var evidence = 0.0

    /// Makes a classifier that has seen nothing.
    public init(settings: ClassifierSettings = .standard) {
        self.settings = settings
    }

    /// Takes in one sample; returns the new orientation if it changed, else nil.
    ///
    /// A sample that is not finite or absurdly large is passed over. After a gap, or when time runs backwards, the
    /// filter starts afresh from this sample while the answer stays until there is evidence against it.
    public mutating func ingest(_ sample: Sample) -> DeviceOrientation? {
        let magnitude = sample.acceleration.magnitude
        guard magnitude <= Self.largestMagnitude, sample.time.isFinite else { return nil }
        let elapsed = lastTime.map { sample.time - $0 } ?? .infinity
        lastTime = sample.time
        guard elapsed >= 0, elapsed <= Self.longestGap else {
            begin(with: sample.acceleration, magnitude)
            return orientation == .unknown ? accept(first(attitude)) : nil
        }
        follow(sample.acceleration, magnitude, elapsed)
        return weigh(judged(attitude), elapsed)
    }

    /// Starts the filter afresh with the next sample, as after a gap; the answer stays.
    public mutating func restart() {
        lastTime = nil
    }

    /// Forgets the answer, as when the sensor failed; the last edge stays.
    public mutating func forget() {
        lastTime = nil
        orientation = .unknown
    }
}

extension OrientationClassifier {
    private static let largestMagnitude = 80.0
    private static let longestGap = 2.5

    private mutating func begin(with vector: Acceleration, _ magnitude: Double) {
        filtered = vector
        shaking = abs(magnitude - Acceleration.standardGravity)
        evidence = 0
    }

    private mutating func follow(_ vector: Acceleration, _ magnitude: Double, _ elapsed: Double) {
        shaking = max(abs(magnitude - Acceleration.standardGravity), shaking * exp(-elapsed / 0.3))
        let constant = ramp(shaking, 1.5, 4, settings.smoothing, settings.smoothingShaken)
        let share = 1 - exp(-elapsed / constant)
        filtered.x += share * (vector.x - filtered.x)
        filtered.y += share * (vector.y - filtered.y)
        filtered.z += share * (vector.z - filtered.z)
    }

    private mutating func weigh(_ judgement: DeviceOrientation, _ elapsed: Double) -> DeviceOrientation? {
        guard judgement != .unknown else { return nil }
        guard judgement != orientation else {
            evidence = max(0, evidence - elapsed)
            return nil
        }
        if judgement != candidate { evidence = 0 }
        candidate = judgement
        evidence += elapsed
        let dwell = ramp(shaking, 1.5, 6, settings.dwell, settings.dwellShaken)
        return evidence >= dwell ? accept(judgement) : nil
    }

    private mutating func accept(_ answer: DeviceOrientation) -> DeviceOrientation? {
        guard answer != .unknown else { return nil }
        orientation = answer
        lastEdge = Edge(answer) ?? lastEdge
        evidence = 0
        return answer
    }
}

extension OrientationClassifier {
    /// Where the filtered vector points, in degrees.
    private struct Attitude {
        var elevation: Double
        var inPlane: Double
    }

    private var attitude: Attitude {
        let horizontal = (filtered.x * filtered.x + filtered.y * filtered.y).squareRoot()
        let degrees = 180 / Double.pi
        return Attitude(
            elevation: atan2(filtered.z, horizontal) * degrees,
            inPlane: atan2(filtered.x, filtered.y) * degrees)
    }

    private func first(_ attitude: Attitude) -> DeviceOrientation {
        guard filtered.magnitude > 0.65 * Acceleration.standardGravity else { return .unknown }
        if abs(attitude.elevation) > 63 { return face(attitude) }
        return edge(attitude)
    }

    /// What the filtered vector speaks for, given the current answer.
    private func judged(_ attitude: Attitude) -> DeviceOrientation {
        if orientation == .unknown { return first(attitude) }
        let excess = abs(filtered.magnitude - Acceleration.standardGravity)
        if excess > 0.35 * Acceleration.standardGravity { return orientation }
        let steepness = abs(attitude.elevation)
        if steepness >= settings.faceEnter { return face(attitude) }
        if orientation.isFlat, steepness >= settings.faceLeave { return orientation }
        guard let held = direction(of: orientation) else { return edge(attitude) }
        if steepness > settings.edgeLimit { return orientation }
        let distance = abs(remainder(attitude.inPlane - held, 360))
        return distance > 45 + settings.edgeMargin ? edge(attitude) : orientation
    }

    private func face(_ attitude: Attitude) -> DeviceOrientation {
        attitude.elevation > 0 ? .faceUp : .faceDown
    }

    private func edge(_ attitude: Attitude) -> DeviceOrientation {
        let edges = (
            DeviceOrientation.portrait, DeviceOrientation.landscapeLeft, DeviceOrientation.portraitUpsideDown,
            DeviceOrientation.landscapeRight
        )
        switch Int((attitude.inPlane / 90).rounded()) {
        case 0: return edges.0
        case 1: return edges.1
        case -1: return edges.3
        default: return edges.2
        }
    }

    private func direction(of orientation: DeviceOrientation) -> Double? {
        switch orientation {
        case .portrait: 0
        case .landscapeLeft: 90
        case .portraitUpsideDown: 180
        case .landscapeRight: -90
        case .unknown, .faceUp, .faceDown: nil
        }
    }
}

/// From `low` at or below `start` linearly to `high` at or above `end`.
private func ramp(_ value: Double, _ start: Double, _ end: Double, _ low: Double, _ high: Double) -> Double {
    low + (high - low) * min(max((value - start) / (end - start), 0), 1)
}
