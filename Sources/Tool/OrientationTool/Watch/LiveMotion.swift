// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The live readings, smoothed for display.
///
/// Tilt, turn and disturbance come from a classifier like the daemon's, with the same samples.
struct LiveMotion: Equatable {
    private(set) var x = SteadyNumber(step: 0.1)
    private(set) var y = SteadyNumber(step: 0.1)
    private(set) var z = SteadyNumber(step: 0.1)
    private(set) var magnitude = SteadyNumber(step: 0.1)
    private(set) var tilt = SteadyNumber(step: 1)
    private(set) var disturbance = SteadyNumber(step: 0.1)
    private(set) var isMoving = false
    /// The measured rate in hertz; nil in the first second.
    private(set) var rate = SteadyNumber(step: 1)
    /// The turn in degrees; nil while the device is too flat.
    private(set) var turn: Double?
    /// The attitude to draw; keeps its turn while the device is flat.
    private(set) var pose = Pose3D(turn: 0, tilt: 0)

    private var shownTurn = SteadyNumber(step: 1)
    private var drawnTurn = SteadyNumber(step: 3)
    private var drawnTilt = SteadyNumber(step: 3)
    private var counted = (samples: 0, since: 0.0)

    /// The tilt in degrees from which on the turn is too uncertain to show.
    private static let steepest = 80.0
    /// The interval for measuring the rate, in seconds.
    private static let counting = 1.0

    static func == (one: LiveMotion, other: LiveMotion) -> Bool { one.shown == other.shown }

    private var shown: [Double?] {
        [
            x.value, y.value, z.value, magnitude.value, tilt.value, disturbance.value, rate.value, turn, pose.turn,
            pose.tilt, isMoving ? 1 : 0,
        ]
    }

    /// Adds samples, the newest last, and the classifier after these samples.
    mutating func follow(_ samples: [Sample], _ classifier: OrientationClassifier) {
        guard let newest = samples.last, newest.acceleration.isFinite, let angle = classifier.tilt else { return }
        x.follow(newest.acceleration.x)
        y.follow(newest.acceleration.y)
        z.follow(newest.acceleration.z)
        magnitude.follow(newest.acceleration.magnitude)
        tilt.follow(angle)
        disturbance.follow(classifier.disturbance ?? 0)
        isMoving = classifier.isMoving
        followTurn(classifier.turn ?? 0, tilt: angle)
        count(samples)
    }

    private mutating func followTurn(_ angle: Double, tilt: Double) {
        drawnTilt.follow(tilt)
        pose.tilt = drawnTilt.value ?? 0
        guard abs(tilt) < Self.steepest else {
            turn = nil
            return
        }
        shownTurn.follow(angle)
        turn = shownTurn.value
        drawnTurn.follow(onAxis(angle))
        pose.turn = drawnTurn.value ?? 0
    }

    /// Snaps the turn to a multiple of 90° nearby, with hysteresis, so that the drawing is steady.
    private func onAxis(_ angle: Double) -> Double {
        let axis = (angle / 90).rounded() * 90
        return abs(angle - axis) < (pose.turn == axis ? Self.axisLeave : Self.axisEnter) ? axis : angle
    }

    private static let (axisEnter, axisLeave) = (3.0, 6.0)

    private mutating func count(_ samples: [Sample]) {
        guard let newest = samples.last else { return }
        if counted.samples == 0 || newest.time < counted.since {
            counted = (1, newest.time)
            return
        }
        counted.samples += samples.count
        let elapsed = newest.time - counted.since
        guard elapsed >= Self.counting else { return }
        // The first sample starts the interval and is not counted.
        let measured = Double(counted.samples - 1) / elapsed
        // Ignores variations of a few percent, which depend on the machine's load.
        if abs(measured - (rate.value ?? 0)) > 0.05 * measured { rate.follow(measured) }
        counted = (1, newest.time)
    }
}

/// A displayed number with hysteresis, which hides noise.
struct SteadyNumber: Hashable {
    /// The displayed value, a multiple of the step; nil before the first one.
    private(set) var value: Double?
    private let step: Double

    /// The distance, in steps, at which the displayed value changes. More than a half, to hide noise between two steps.
    private static let hysteresis = 0.8

    init(step: Double) {
        self.step = step
    }

    mutating func follow(_ measured: Double) {
        guard measured.isFinite else { return }
        if let value, abs(measured - value) < Self.hysteresis * step { return }
        // Adding 0 turns −0 into 0.
        value = (measured / step).rounded() * step + 0
    }

    /// Returns the text with a fixed number of decimal places.
    func text(places: Int, isSigned: Bool = false) -> String {
        value.map { Decimal.text($0, places: places, isSigned: isSigned) } ?? "–"
    }
}
