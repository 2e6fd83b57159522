// SPDX-License-Identifier: Apache-2.0

/// What an accelerometer reads: specific force in m/s², in the device frame.
///
/// This comment states the convention of the whole project once; everything else refers to it.
///
/// - **Axes**: x points to the right of the screen, y to its top, z out of the screen towards the user.
///   The frame belongs to the device, not to the picture on it: it does not turn with the interface.
/// - **Sign**: specific force, what a still accelerometer reads: it points *away* from the ground. Held upright the
///   device reads `(0, +9.81, 0)`, with its right edge up `(+9.81, 0, 0)`, on its back `(0, 0, +9.81)`. This is the
///   sense of the kernel's mount-matrix document, of Android and of the W3C; HID and iOS use the opposite one.
/// - **Unit**: m/s². One standard gravity is ``standardGravity``.
public struct Acceleration: Hashable, Sendable {
    /// One standard gravity in m/s² (ISO 80000-3).
    public static let standardGravity = 9.80665

    /// Along the axis that points to the right of the screen, in m/s².
    public var x: Double
    /// Along the axis that points to the top of the screen, in m/s².
    public var y: Double
    /// Along the axis that points out of the screen, in m/s².
    public var z: Double

    /// Makes a vector from its components in m/s².
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The length of the vector in m/s², from 0 on; near ``standardGravity`` when the device is still.
    public var magnitude: Double {
        (x * x + y * y + z * z).squareRoot()
    }

    /// Whether all three components are finite numbers.
    public var isFinite: Bool {
        x.isFinite && y.isFinite && z.isFinite
    }
}

/// An acceleration and the moment at which it was measured.
public struct Sample: Hashable, Sendable {
    /// Seconds on the clock of whatever delivers the samples; only differences between samples matter.
    public var time: Double
    /// The reading, in the device frame.
    public var acceleration: Acceleration

    /// Makes a sample from a time in seconds and a reading in the device frame.
    public init(time: Double, acceleration: Acceleration) {
        self.time = time
        self.acceleration = acceleration
    }
}
