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
    /// The largest contribution of one sample to the disturbance, in m/s²: a single hard knock must not delay an answer
    /// longer than continuous shaking.
    static let largestShaking = 10.0
    /// Path lengths below this are noise, in m/s² (3° of gravity).
    static let leastLength = 0.5
    /// The share of disturbance and activity that a perfectly steady turn accounts for.
    static let turnDiscount = 0.5
    /// The distance past a boundary from which no calm dwell is needed, in degrees: noise does not reach that far.
    static let nearDegrees = 4.0
    /// The time after a change in which the reverse change is unlikely, in seconds: users do not turn a screen back and
    /// forth within it.
    static let backWindow = 1.3
    /// What a walk takes off the tilt at which faces are left, in degrees: a device that is read sways by 6° around it.
    /// With more, a device that is raised keeps its former edge.
    static let faceLeaveCarried = 3.0
}

/// The recent deviation of |a| from one standard gravity, as a root mean square that does not depend on the sampling
/// rate.
///
/// It rises faster than it falls, so that the turning points of a regular shake do not count as calm.
struct Disturbance: Sendable {
    /// The time constant of a rise, in seconds: shorter than the delay of the low-pass filter.
    private static let rise = 0.1
    /// The time constant of a fall, in seconds: about one walking step.
    private static let fall = 0.4

    private var square = 0.0

    init() {}

    init(firstMagnitude: Double) {
        square = Self.square(firstMagnitude)
    }

    /// The deviation in m/s².
    var level: Double { square.squareRoot() }

    mutating func follow(_ magnitude: Double, _ elapsed: Double) {
        let now = Self.square(magnitude)
        square = now + exp(-elapsed / (now > square ? Self.rise : Self.fall)) * (square - now)
    }

    private static func square(_ magnitude: Double) -> Double {
        let off = min(abs(magnitude - Acceleration.standardGravity), ClassifierConstants.largestShaking)
        return off * off
    }
}

/// The motion over the last steps of a walk: the deviation of |a| from one standard gravity, as a root mean square over a
/// longer time than that of ``Disturbance``.
///
/// While users walk they do not turn a screen often, and the hand sways: the classifier asks for more.
struct Activity: Sendable {
    /// The time constant in seconds: two steps. A single turn by hand is shorter.
    private static let memory = 1.0
    /// The largest contribution of a sample in m/s², reached in a walk: a knock of 40 ms must not count as a walk.
    private static let largest = 2.5
    /// The level in m/s² up to which the device counts as still; a single turn by hand out of rest reaches it rarely.
    static let still = 0.8
    /// The level in m/s² from which the device counts as carried: the least one of walks in a pocket or bag.
    static let carried = 1.6

    private var square = 0.0

    /// The deviation in m/s².
    var level: Double { square.squareRoot() }

    /// The share of a walk in the motion: 0 (still) to 1 (carried).
    var share: Double { min(max((level - Self.still) / (Self.carried - Self.still), 0), 1) }

    mutating func follow(_ magnitude: Double, _ elapsed: Double) {
        let off = min(abs(magnitude - Acceleration.standardGravity), Self.largest)
        square = off * off + exp(-elapsed / Self.memory) * (square - off * off)
    }
}

/// The steadiness of the recent motion of the filtered vector: in one direction, as in a turn, or back and forth, as in
/// a shake.
struct MotionSteadiness: Sendable {
    /// The time constant in seconds: half of a quick turn.
    private static let memory = 0.2

    /// The sum of the steps, and the sum of their lengths; both decay.
    private var sum = Acceleration(x: 0, y: 0, z: 0)
    private var length = 0.0

    /// The length of the sum of the steps divided by the sum of their lengths: close to 1 in a turn, close to 0 in a
    /// shake or at rest.
    var steadiness: Double { sum.magnitude / (length + ClassifierConstants.leastLength) }

    mutating func follow(_ step: Acceleration, _ elapsed: Double) {
        let kept = exp(-elapsed / Self.memory)
        sum = kept * sum + step
        length = kept * length + step.magnitude
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
