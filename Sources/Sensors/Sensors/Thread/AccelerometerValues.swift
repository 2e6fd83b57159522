// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The output of the classifier after a sample.
package struct ClassifiedSample: Hashable, Sendable {
    /// Nil until the first usable sample.
    package var pose: PanelPose?
    /// The edge of the panel that is up, or was last.
    package var lastEdge: PanelEdge?
    /// Elevation of the screen's normal above the horizon, in degrees, −90 to 90.
    package var tilt: Double?
    /// The tilt band; changes with hysteresis, as the orientation does.
    package var tiltBand: TiltBand?
    /// The recent deviation of |a| from one standard gravity, in m/s².
    package var disturbance: Double?
    /// The CLOCK_BOOTTIME of the sample, in microseconds.
    package var timestamp: Int64
}

package struct MotionSample: Hashable, Sendable {
    /// The CLOCK_BOOTTIME in microseconds.
    package let timestamp: Int64
    package let acceleration: Acceleration
    /// The raw reading along the chip's own x, y and z; nil without a chip.
    package var raw: [Double]?
}

/// The conversion of a sensor's raw readings to m/s²; unknown values are nil.
package struct Conversion: Hashable, Sendable {
    /// Scale in m/s² per raw unit, along the sensor's own x, y and z.
    package var scale: [Double]?
    /// Offset in raw units, added before scaling, along the sensor's own x, y and z.
    package var offset: [Double]?
    /// The sign of the driver's vectors: `specific force` or `HID`.
    package var sense: String?
    /// The sampling rate of the chip, in hertz.
    package var rate: Double?
    /// The classifier settings; set by the sensor thread, not by the source.
    package var classifier: ClassifierSettings?
}
