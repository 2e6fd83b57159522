// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Classifies samples into one of seven device orientations, with the names on a tall panel: `portrait` is the pose in
/// which the top edge of the unrotated picture is up. ``PanelEdge`` names the edges themselves.
///
///     var classifier = OrientationClassifier()
///     if let orientation = classifier.ingest(sample) { print(orientation) }
///
/// A value without a clock: time comes with the samples. A step is O(1), allocates nothing and depends on elapsed time,
/// not on the number of samples: the answer is the same at 25 Hz and at 500 Hz. The algorithm is explained in
/// `docs/classifier.md`.
public struct OrientationClassifier: Sendable {
    /// The settings in use.
    public let settings: ClassifierSettings
    /// The pose of the device; nil until the first usable sample.
    package private(set) var pose: PanelPose?
    /// The last edge of the panel that pointed up; nil before the first one.
    package private(set) var lastPanelEdge: PanelEdge?

    /// The orientation of the device; unknown until the first usable sample.
    public var orientation: DeviceOrientation { DeviceOrientation(pose, natural: .portrait) }
    /// The last edge that pointed up; nil before the first one. An interface keeps it while the device lies flat.
    public var lastEdge: Edge? { lastPanelEdge.map { Edge($0, natural: .portrait) } }

    /// The recent deviation of |a| from its length at rest as a root mean square, in m/s², 0 (at rest) to 10 (the largest value
    /// counted); nil before the first usable sample.
    public var disturbance: Double? { lastTime.map { _ in shaking.level } }
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up); nil before the
    /// first usable sample.
    public var tilt: Double? { lastTime.map { _ in filtered.tilt } }
    /// The direction on the screen that points up, in degrees, −180 to 180: 0 is the top edge, 90 the right edge; nil
    /// before the first usable sample. Unreliable while the device lies flat.
    public var turn: Double? { lastTime.map { _ in ScreenAngles(of: filtered).turn } }

    /// Whether the device is carried, as in a walk: each change needs more evidence then.
    public var isMoving: Bool { lastTime != nil && activity.share > 0.5 }

    /// The cotangent of the tilt at which faces are left at rest: at this tilt a sample supports face and edge equally.
    private let faceWeight: Double
    /// The time of the last sample, in seconds; nil before the first usable one.
    private var lastTime: Double?
    private var filtered = Acceleration.zero
    private var shaking = Disturbance()
    private var activity = Activity()
    private var evidence = Evidence()
    private var previous: PanelPose?
    /// The time since the pose changed, in seconds.
    private var sinceChange = Double.infinity
    /// The time since the filter started, in seconds, for which the first answer has waited.
    private var waited = 0.0

    /// Creates a classifier without samples.
    public init(settings: ClassifierSettings = .standard) {
        self.settings = settings
        faceWeight = 1 / tan(settings.faceLeave * .pi / 180)
    }

    /// Processes one sample; returns the new orientation if it changed, else nil.
    ///
    /// A sample that is not finite or exceeds 80 m/s² is ignored. After a gap of 2.5 s, or when time decreases, the
    /// filter starts again with this sample.
    public mutating func ingest(_ sample: Sample) -> DeviceOrientation? {
        classify(sample).map { DeviceOrientation($0, natural: .portrait) }
    }

    /// Processes one sample as ``ingest(_:)`` does; returns the new pose if it changed, else nil.
    package mutating func classify(_ sample: Sample) -> PanelPose? {
        let magnitude = sample.acceleration.magnitude
        guard magnitude <= PhysicalLimits.largestMagnitude, sample.time.isFinite else { return nil }
        let elapsed = lastTime.map { sample.time - $0 }
        lastTime = sample.time
        guard let elapsed, elapsed >= 0, elapsed <= ClassifierConstants.longestGap else {
            return begin(with: sample.acceleration, isGap: elapsed.map { $0 >= 0 } ?? true)
        }
        follow(sample.acceleration, magnitude, elapsed)
        return decide(sample.acceleration, elapsed)
    }

    /// Restarts the filter with the next sample, as after a gap, and forgets the length at rest: the sensor or its scale may be
    /// another one. The pose is kept until a sample contradicts it.
    public mutating func restart() {
        (lastTime, activity) = (nil, Activity())
    }

    /// Sets the orientation to unknown, as after a sensor failure; the last edge is kept.
    public mutating func forget() {
        restart()
        pose = nil
    }
}

extension OrientationClassifier {
    /// Restarts the filter. After a gap earlier evidence is void: a calm reading is accepted at once, as the first one
    /// is. A clock that was set back says nothing about the device: the answer waits for evidence.
    private mutating func begin(with vector: Acceleration, isGap: Bool) -> PanelPose? {
        filtered = vector
        shaking = Disturbance()
        activity = Activity(firstMagnitude: vector.magnitude, restLength: activity.restLength)
        shaking.follow(vector.magnitude - activity.restLength, .infinity)
        evidence = Evidence()
        (sinceChange, waited) = (.infinity, 0)
        guard isCalm, pose == nil || isGap else { return nil }
        let answer = decision().answer
        return answer == pose ? nil : accept(answer)
    }

    private var isCalm: Bool { shaking.level <= settings.calm }

    private mutating func follow(_ vector: Acceleration, _ magnitude: Double, _ elapsed: Double) {
        shaking.follow(magnitude - activity.restLength, elapsed)
        activity.follow(magnitude, elapsed)
        let time = settings.shakenRamp(shaking.level, from: settings.smoothing, to: settings.smoothingShaken)
        // While the first answer waits, the mean: a sample of a device that is carried has any direction.
        let isMean = pose == nil && waited < ClassifierConstants.longestWait && elapsed > 0
        (sinceChange, waited) = (sinceChange + elapsed, waited + elapsed)
        let share = isMean ? elapsed / (waited + elapsed) : 1 - exp(-elapsed / time)
        filtered = filtered + share * (vector - filtered)
    }

    private mutating func decide(_ vector: Acceleration, _ elapsed: Double) -> PanelPose? {
        let decision = decision()
        guard let answer = decision.answer, answer != pose else {
            evidence.drain(elapsed)
            return nil
        }
        guard let pose else { return isCalm || waited >= ClassifierConstants.longestWait ? accept(answer) : nil }
        evidence.add(isNearer(vector, to: answer, than: pose) ? elapsed : 0, for: answer)
        guard evidence.seconds >= dwell(decision) else { return nil }
        return accept(answer)
    }

    /// Returns whether one sample is closer to this answer than to the current one. Only such time counts as evidence:
    /// a shake moves the filtered vector across an edge while the samples lie on both sides of it.
    private func isNearer(_ vector: Acceleration, to answer: PanelPose, than current: PanelPose) -> Bool {
        guard (answer.edge == nil) != (current.edge == nil) else {
            return vector.support(answer) > vector.support(current)
        }
        if answer.edge == nil { return faceWeight * vector.support(answer) > vector.support(current) }
        // While the device leaves a face it may point between two edges, far from both: the sample needs only as much
        // support for the edge as the filtered vector has.
        let share = filtered.support(answer) / filtered.inPlane
        return vector.support(answer) > share * faceWeight * vector.support(current)
    }

    /// Returns the decision for the filtered vector.
    private func decision() -> HysteresisDecision {
        HysteresisDecision(of: filtered, current: pose, settings, activity)
    }

    /// Returns the evidence needed, in seconds.
    private func dwell(_ decision: HysteresisDecision) -> Double {
        let nearness = max(0, 1 - decision.degreesPast / ClassifierConstants.nearDegrees)
        var seconds = settings.shakenRamp(
            shaking.level, from: settings.dwell * nearness, to: settings.dwellShaken)
        seconds += settings.dwellCarried * activity.share
        if decision.answer == previous {
            seconds += settings.dwellBack * max(0, 1 - sinceChange / ClassifierConstants.backWindow)
        }
        return seconds
    }

    private mutating func accept(_ answer: PanelPose?) -> PanelPose? {
        guard let answer else { return nil }
        previous = pose
        pose = answer
        lastPanelEdge = answer.edge ?? lastPanelEdge
        evidence = Evidence()
        sinceChange = 0
        return answer
    }
}
