// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Turns samples into an orientation: right, calm and quick.
///
/// A pure value without a clock: time comes with the sample. Every step is O(1), allocates nothing and depends on
/// elapsed time, never on the number of samples, so that the answer is the same at 5 Hz and at 500 Hz. How it decides
/// and why, on one page: `docs/classifier.md`.
public struct OrientationClassifier: Sendable {
    /// The constants in use.
    public let settings: ClassifierSettings
    /// How the device is held; unknown until the first usable sample.
    public private(set) var orientation = DeviceOrientation.unknown
    /// The last edge that was up; nil until there was one. An interface keeps it while the device lies flat.
    public private(set) var lastEdge: Edge?

    /// How far |a| was from one standard gravity lately, as a root of the mean square in m/s², from 0 (still) to 10 (no
    /// shaking counts for more); nil before the first usable sample.
    public var disturbance: Double? { lastTime == nil ? nil : shaking.level }
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up); nil before the
    /// first usable sample.
    public var tilt: Double? { lastTime == nil ? nil : Attitude(of: filtered).tilt }
    /// Which way is up on the screen, in degrees, −180 to 180: 0 towards the top edge, 90 towards the right one; nil
    /// before the first usable sample. Means little while the device lies flat.
    public var turn: Double? { lastTime == nil ? nil : Attitude(of: filtered).turn }

    /// The cotangent of the tilt at which faces are left: a sample that steep is as near to the face as to the edge.
    private let faceWeight: Double
    private var lastTime: Double?
    private var filtered = Acceleration(x: 0, y: 0, z: 0)
    private var filteredMagnitude = 0.0
    private var shaking = Shaking()
    private var motion = SteadyMotion()
    private var evidence = Evidence()
    private var previous = DeviceOrientation.unknown
    private var sinceChange = Double.infinity

    /// Makes a classifier that has seen nothing.
    public init(settings: ClassifierSettings = .standard) {
        self.settings = settings
        faceWeight = 1 / tan(settings.faceLeave * .pi / 180)
    }

    /// Takes in one sample; returns the new orientation if it changed, else nil.
    ///
    /// A sample that is not finite or absurdly large is passed over. After a gap, or when time runs backwards, the
    /// filter starts afresh from this sample.
    public mutating func ingest(_ sample: Sample) -> DeviceOrientation? {
        let magnitude = sample.acceleration.magnitude
        guard magnitude <= ClassifierLimits.largestMagnitude, sample.time.isFinite else { return nil }
        let elapsed = lastTime.map { sample.time - $0 }
        lastTime = sample.time
        guard let elapsed, elapsed >= 0, elapsed <= ClassifierLimits.longestGap else {
            return begin(with: sample.acceleration, isPause: elapsed.map { $0 >= 0 } ?? true)
        }
        follow(sample.acceleration, magnitude, elapsed)
        return weigh(sample.acceleration, elapsed)
    }

    /// Starts the filter afresh with the next sample, as after a gap; the answer stays until a reading speaks against it.
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
    /// A fresh start. After a pause nothing of the past holds, so a calm reading is believed at once, as the first one
    /// is; a clock that was set back says nothing about the device, and the answer waits for evidence.
    private mutating func begin(with vector: Acceleration, isPause: Bool) -> DeviceOrientation? {
        filtered = vector
        filteredMagnitude = vector.magnitude
        shaking = Shaking(firstMagnitude: vector.magnitude)
        motion = SteadyMotion()
        evidence = Evidence()
        sinceChange = .infinity
        guard orientation == .unknown || isPause && shaking.level < settings.calm else { return nil }
        let judgement = judge()
        return judgement.answer == orientation ? nil : accept(judgement.answer)
    }

    private mutating func follow(_ vector: Acceleration, _ magnitude: Double, _ elapsed: Double) {
        let fading = Fading(over: elapsed)
        shaking.follow(magnitude, fading)
        let time = settings.shakenRamp(shaking.level, from: settings.smoothing, to: settings.smoothingShaken)
        let step = (1 - exp(-elapsed / time)) * (vector - filtered)
        filtered = filtered + step
        filteredMagnitude = filtered.magnitude
        motion.follow(step, fading)
        sinceChange += elapsed
    }

    private mutating func weigh(_ vector: Acceleration, _ elapsed: Double) -> DeviceOrientation? {
        let judgement = judge()
        guard judgement.answer != orientation else {
            evidence.drain(elapsed)
            return nil
        }
        guard orientation != .unknown else { return accept(judgement.answer) }
        evidence.add(isNearer(vector, to: judgement.answer) ? elapsed : 0, for: judgement.answer)
        guard evidence.seconds >= dwell(judgement) else { return nil }
        return accept(judgement.answer)
    }

    /// Whether one sample is nearer to this answer than to the one held. Only time in which it is counts: a shake takes
    /// the filtered vector across an edge while the samples behind it are on both sides of it.
    private func isNearer(_ vector: Acceleration, to answer: DeviceOrientation) -> Bool {
        guard answer.isFlat != orientation.isFlat else {
            return vector.support(answer) > vector.support(orientation)
        }
        if answer.isFlat { return faceWeight * vector.support(answer) > vector.support(orientation) }
        // On its way out of a face the device may be turned between two edges, where the sample is far from both:
        // of the edge as much is asked as the filtered vector itself has.
        let share = filtered.support(answer) / filtered.inPlane
        return vector.support(answer) > share * faceWeight * vector.support(orientation)
    }

    private func judge() -> Judgement {
        Judgement(of: filtered, magnitude: filteredMagnitude, held: orientation, settings)
    }

    /// How long the evidence must last, in seconds.
    private func dwell(_ judgement: Judgement) -> Double {
        // A turn under way shakes the magnitude too, by its centripetal pull, but it goes one way.
        let shaken = shaking.level * (1 - ClassifierLimits.turnDiscount * motion.steadiness)
        let nearness = max(0, 1 - judgement.degreesPast / ClassifierLimits.nearDegrees)
        var seconds = settings.shakenRamp(shaken, from: settings.dwell * nearness, to: settings.dwellShaken)
        if judgement.answer == previous {
            seconds += settings.dwellBack * max(0, 1 - sinceChange / ClassifierLimits.backWindow)
        }
        return seconds
    }

    private mutating func accept(_ answer: DeviceOrientation) -> DeviceOrientation? {
        guard answer != .unknown else { return nil }
        previous = orientation
        orientation = answer
        lastEdge = Edge(answer) ?? lastEdge
        evidence = Evidence()
        sinceChange = 0
        return answer
    }
}
