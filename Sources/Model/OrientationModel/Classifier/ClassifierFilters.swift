// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Constants of the classifier that follow from physics and human motion and are the same for every product.
enum ClassifierConstants {
    /// The longest gap between samples, in seconds: after a longer one the device may have any attitude.
    static let longestGap = 2.5
    /// The smallest magnitude of a usable first reading, in m/s²: below it the device falls or the sensor is defective.
    /// There is no upper limit: a shaken device or a sensor that reads too much still gives the best estimate
    /// available.
    static let leastFirstMagnitude = (1 - PhysicalLimits.gravityTolerance) * Acceleration.standardGravity
    /// The longest wait for a calm first answer, in seconds: one step of a walk.
    static let longestWait = 0.5
    /// The largest contribution of one sample to the disturbance, in m/s²: a single hard knock must not delay an answer
    /// longer than continuous shaking.
    static let largestShaking = 10.0
    /// The distance past a boundary from which no calm dwell is needed, in degrees: noise does not reach that far.
    static let nearDegrees = 4.0
    /// The time after a change in which the reverse change is unlikely, in seconds: users do not turn a screen back and
    /// forth within it.
    static let backWindow = 1.3
    /// The reduction of `faceLeave` while the device is carried, in degrees: a device that is read sways by 6° around 62°.
    /// A larger value keeps the former edge of a raised device.
    static let faceLeaveCarried = 3.0
}

/// The recent deviation of |a| from its length at rest, as a root mean square that does not depend on the sampling rate.
///
/// It rises faster than it falls: the turning points of a regular shake do not count as calm.
struct Disturbance: Sendable {
    /// The time constant of a rise, in seconds: shorter than the delay of the low-pass filter.
    private static let rise = 0.1
    /// The time constant of a fall, in seconds: about one walking step.
    private static let fall = 0.4

    private var square = 0.0

    /// The deviation in m/s².
    var level: Double { square.squareRoot() }

    /// Follows a deviation in m/s²; `elapsed` is infinite for the first one.
    mutating func follow(_ deviation: Double, _ elapsed: Double) {
        let off = min(abs(deviation), ClassifierConstants.largestShaking)
        square = off * off + exp(-elapsed / (off * off > square ? Self.rise : Self.fall)) * (square - off * off)
    }
}

/// The variation of |a| over the last steps of a walk, as a root mean square, and the length of the vector at rest: a sensor
/// with a wrong scale or bias is still.
///
/// While users walk they turn a screen rarely, and the hand sways: each change needs more evidence.
struct Activity: Sendable {
    /// The time constant in seconds: two steps. A single turn by hand is shorter.
    private static let memory = 1.0
    /// The time constant of the means of |a| in seconds: longer than a step.
    private static let meanMemory = 3.0
    /// The largest contribution of a sample in m/s², reached in a walk: a knock of 40 ms must not count as a walk.
    private static let largest = 2.5
    /// The level in m/s² up to which the device counts as still; a single turn by hand out of rest reaches it rarely.
    static let still = 0.8
    /// The level in m/s² from which the device counts as carried: usual in a pocket or bag.
    static let carried = 1.6

    private var square = 0.0
    private var mean: Double
    /// The mean of |a| while the device is still, in m/s², at first one standard gravity. In a walk a swinging arm would count
    /// as calm with that of the walk. Lengths that are not gravity do not count: at rest, they are a bias.
    private(set) var restLength: Double

    init(firstMagnitude: Double = Acceleration.standardGravity, restLength: Double = Acceleration.standardGravity) {
        mean = firstMagnitude
        self.restLength = restLength
    }

    /// The variation in m/s².
    var level: Double { square.squareRoot() }

    /// The share of a walk in the motion: 0 (still) to 1 (carried).
    var share: Double { min(max((level - Self.still) / (Self.carried - Self.still), 0), 1) }

    mutating func follow(_ magnitude: Double, _ elapsed: Double) {
        let kept = exp(-elapsed / Self.meanMemory)
        mean = magnitude + kept * (mean - magnitude)
        let off = min(abs(magnitude - mean), Self.largest)
        square = off * off + exp(-elapsed / Self.memory) * (square - off * off)
        guard share == 0, PhysicalLimits.isGravity(magnitude) else { return }
        restLength += (1 - kept) * min(max(magnitude - restLength, -Self.largest), Self.largest)
    }
}

/// Accumulated time in which samples supported one other answer; it decreases while they do not.
struct Evidence: Sendable {
    private(set) var seconds = 0.0
    private var candidate: PanelPose?

    mutating func add(_ elapsed: Double, for answer: PanelPose) {
        if answer != candidate { seconds = 0 }
        candidate = answer
        seconds += elapsed
    }

    mutating func drain(_ elapsed: Double) {
        seconds = max(0, seconds - elapsed)
    }
}
