// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// What the samples say, as calm as it is to be shown.
///
/// Tilt, turn and disturbance are those of the classifier's own filter: the same samples through the same arithmetic as
/// in the daemon.
struct LiveMotion: Hashable {
    private(set) var x = SteadyNumber(step: 0.1)
    private(set) var y = SteadyNumber(step: 0.1)
    private(set) var z = SteadyNumber(step: 0.1)
    private(set) var magnitude = SteadyNumber(step: 0.1)
    private(set) var tilt = SteadyNumber(step: 1)
    private(set) var disturbance = SteadyNumber(step: 0.1)
    /// In samples a second, as they come; nil in the first second.
    private(set) var rate = SteadyNumber(step: 1)
    /// Nil while the device lies so flat that it means nothing.
    private(set) var turn: Double?
    /// What the device is drawn like; its turn is kept while it lies flat.
    private(set) var pose = Pose3D(turn: 0, tilt: 0)

    private var shownTurn = SteadyNumber(step: 1)
    private var drawnTurn = SteadyNumber(step: 3)
    private var drawnTilt = SteadyNumber(step: 3)
    private var counted = (samples: 0, since: 0.0)

    /// Beyond this tilt the vector says too little of the turn to show it, in degrees.
    private static let steepest = 80.0
    /// Seconds over which samples are counted.
    private static let counting = 1.0

    static func == (one: LiveMotion, other: LiveMotion) -> Bool { one.shown == other.shown }

    func hash(into hasher: inout Hasher) { hasher.combine(shown) }

    private var shown: [Double?] {
        [
            x.value, y.value, z.value, magnitude.value, tilt.value, disturbance.value, rate.value, turn, pose.turn,
            pose.tilt,
        ]
    }

    /// Takes in samples, the newest last, and the classifier that has just been given them.
    mutating func follow(_ samples: [Sample], _ classifier: OrientationClassifier) {
        guard let newest = samples.last, newest.acceleration.isFinite, let angle = classifier.tilt else { return }
        x.follow(newest.acceleration.x)
        y.follow(newest.acceleration.y)
        z.follow(newest.acceleration.z)
        magnitude.follow(newest.acceleration.magnitude)
        tilt.follow(angle)
        disturbance.follow(classifier.disturbance ?? 0)
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

    /// Near to an edge's own pose it is drawn as that: straight lines are calm. It is left later than it is entered.
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
        // The first sample opens the interval, it is not inside.
        let measured = Double(counted.samples - 1) / elapsed
        // A rate wanders by some percent with the machine's load.
        if abs(measured - (rate.value ?? 0)) > 0.05 * measured { rate.follow(measured) }
        counted = (1, newest.time)
    }
}

/// A measured number as it is shown: it moves only when what is measured has left it, so that noise is not shown.
struct SteadyNumber: Hashable {
    /// What is shown, a multiple of the step; nil before the first.
    private(set) var value: Double?
    private let step: Double

    /// How far, in steps, a measurement must be from what is shown to change it. Above a half, or noise at the middle
    /// between two steps would show.
    private static let reluctance = 0.8

    init(step: Double) {
        self.step = step
    }

    mutating func follow(_ measured: Double) {
        guard measured.isFinite else { return }
        if let value, abs(measured - value) < Self.reluctance * step { return }
        // Adding 0 takes the sign from a zero.
        value = (measured / step).rounded() * step + 0
    }

    /// With a sign and a fixed number of places.
    func text(places: Int, isSigned: Bool = false) -> String {
        value.map { Decimal.text($0, places: places, isSigned: isSigned) } ?? "–"
    }
}
