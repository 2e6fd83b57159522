// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A reading of the lid angle: 0° shut, 90° upright, 180° flat, 360° folded back.
package enum LidReading: Hashable, Sendable {
    /// Degrees from 0 to 360, with a reading of the display's accelerometer if there is one. Near the ends the one may be read
    /// as the other.
    case angle(Double, display: Acceleration? = nil)
    /// The angle cannot be measured now: the hinge is near the vertical, or the device is shaken.
    case undefined
    /// The sensor fails, or contradicts the accelerometer.
    case unreliable

    /// Returns the reading of a sensor of one angle in degrees, which reports 500 when it does not know. `display` is a
    /// reading of the display's accelerometer: near a vertical hinge the angle cannot be known.
    package init(degrees: Double, display: Acceleration? = nil) {
        if (-Self.rounding...360 + Self.rounding).contains(degrees) {
            self = .angle(min(max(degrees, 0), 360), display: display)
        } else {
            self = display.map { Self.pitch(of: $0) == nil } == true ? .undefined : .unreliable
        }
    }

    /// Returns the reading of a sensor of three angles in degrees: of the hinge, and of the screen and the keyboard
    /// against the horizontal.
    ///
    /// The hinge should be the screen minus the keyboard. Chips give parts of two reports, zeros, and a hinge of always
    /// 360: the angle that agrees with `display`, a reading of the display's accelerometer, is taken.
    package init(hinge: Double, screen: Double, keyboard: Double, display: Acceleration?) {
        let difference = (screen - keyboard).wrapped
        guard let display else {
            self = Self.isSame(hinge, difference) ? Self(degrees: hinge) : .unreliable
            return
        }
        guard let pitch = Self.pitch(of: display) else {
            self = .undefined
            return
        }
        if Self.isSame(hinge + keyboard, pitch + 90) {
            self.init(degrees: hinge, display: display)
        } else {
            self = Self.isSame(screen, pitch + 90) ? Self(degrees: difference, display: display) : .unreliable
        }
    }

    /// The largest excess of a valid angle, in degrees: the kernel states the scale of 1° as 0.017453293.
    private static let rounding = 0.5

    /// The largest difference between two measurements of one angle, in degrees.
    private static let tolerance = 30.0

    /// The largest part of gravity along the hinge, which is then 25° from the vertical.
    private static let largestSide = 0.9

    /// Returns the direction of the vertical about the hinge in degrees, from the y to the z axis; nil where the hinge is
    /// near the vertical.
    static func pitch(of vector: Acceleration) -> Double? {
        guard abs(vector.x) <= largestSide * vector.magnitude else { return nil }
        return atan2(vector.z, vector.y) * 180 / .pi
    }

    /// Returns the angle in degrees between the keyboard's normal and the vertical, from the display's reading at a lid angle.
    static func keyboardTilt(display: Acceleration, angle: Double) -> Double {
        let (y, z) = (sin(angle * .pi / 180), -cos(angle * .pi / 180))
        // Rounding can exceed 1.
        return acos(min(max((display.y * y + display.z * z) / display.magnitude, -1), 1)) * 180 / .pi
    }

    private static func isSame(_ one: Double, _ other: Double) -> Bool {
        let angle = (one - other).wrapped
        return min(angle, 360 - angle) <= tolerance
    }
}

extension Double {
    /// The angle in degrees, 0 to 360.
    package var wrapped: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}

/// Measures the lid angle with an accelerometer in each half of a laptop.
///
/// Both measure the same part of gravity along the hinge. If they do not, a mount matrix is wrong, or the display's x axis
/// is not the hinge's: there is no angle.
///
/// In the frame of the base x points along the hinge to the right, y from the front edge to the hinge, z out of the
/// keyboard: at 180° it is the display's.
package struct LidPair: Sendable {
    private var display = Length()
    private var base = Length()

    /// The largest difference along the hinge, as a part of gravity: the axes differ by 17°.
    private static let tolerance = 0.3

    package init() {}

    /// Returns the angle of two samples of about the same time.
    package mutating func reading(display upper: Sample, base lower: Sample) -> LidReading {
        guard let isUpperSteady = display.isSteady(upper), let isLowerSteady = base.isSteady(lower) else {
            return .unreliable
        }
        guard isUpperSteady, isLowerSteady else { return .undefined }
        let difference = upper.acceleration.normalized.x - lower.acceleration.normalized.x
        guard abs(difference) <= Self.tolerance else { return .unreliable }
        guard let screen = LidReading.pitch(of: upper.acceleration),
            let keyboard = LidReading.pitch(of: lower.acceleration)
        else { return .undefined }
        return .angle((screen - keyboard + 180).wrapped, display: upper.acceleration)
    }

    /// The mean length of a sensor's readings: gravity, whatever the scale.
    private struct Length {
        /// The time constant of the mean, in seconds: longer than a step or a stroke on the keyboard.
        private static let timeConstant = 3.0
        /// The largest deviation of a reading that is gravity, as a part of the mean.
        private static let tolerance = 0.15

        private var mean = 0.0
        private var time = 0.0

        /// Whether the reading is gravity alone; nil if it is no reading.
        mutating func isSteady(_ sample: Sample) -> Bool? {
            let length = sample.acceleration.magnitude
            guard length > 0, length.isFinite else { return nil }
            let weight = mean == 0 ? 1 : 1 - exp(-max(sample.time - time, 0) / Self.timeConstant)
            mean += weight * (length - mean)
            time = sample.time
            return abs(length - mean) <= Self.tolerance * mean
        }
    }
}

/// What the lid angle says about a laptop.
package struct LidPosture: Hashable, Sendable {
    /// Whether it is used as a tablet.
    package var isTablet: Bool
    /// The angle in steps of 5°; nil if it is unknown.
    package var angle: Int?
    /// ``TabletDecision/isAmbiguous``, of the angle before rounding.
    package var isAmbiguous: Bool
    /// ``TabletDecision/certainMode``.
    package var certainMode: Bool?

    package init(isTablet: Bool, angle: Int?, isAmbiguous: Bool = false, certainMode: Bool? = nil) {
        self.isTablet = isTablet
        self.angle = angle
        self.isAmbiguous = isAmbiguous
        self.certainMode = certainMode
    }
}

/// The lid angle in steps, with hysteresis.
package struct LidStep: Sendable {
    /// The step, and the change that sets another one, in degrees.
    private static let width = 5.0
    private static let change = 4.0

    package private(set) var degrees: Int?

    package init() {}

    package mutating func follow(_ angle: Double?) {
        guard let angle else { return degrees = nil }
        if let degrees, abs(angle - Double(degrees)) < Self.change { return }
        degrees = Int((angle / Self.width).rounded() * Self.width)
    }
}
