// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// A sample for those who follow the motion itself.
package struct MotionSample: Hashable, Sendable {
    /// CLOCK_BOOTTIME in microseconds.
    package let timestamp: Int64
    package let acceleration: Acceleration
    /// What the chip delivered along its own x, y and z; nil where there is no chip.
    package let raw: [Double]?

    package init(timestamp: Int64, acceleration: Acceleration, raw: [Double]? = nil) {
        self.timestamp = timestamp
        self.acceleration = acceleration
        self.raw = raw
    }
}

/// How a sensor's raw numbers become what it measures; what is not known is nil.
package struct SensorArithmetic: Hashable, Sendable {
    /// m/s² per raw unit, along the sensor's own x, y and z.
    package var scale: [Double]?
    /// Raw units that are added before, along the sensor's own x, y and z.
    package var offset: [Double]?
    /// Which way the driver counts: `specific force` or `HID`.
    package var sense: String?
    /// How often the chip measures, in hertz.
    package var rate: Double?
    /// How what it measures is judged; the source does not know it, its reader does.
    package var classifier: ClassifierSettings?

    package init(scale: [Double]? = nil, offset: [Double]? = nil, sense: String? = nil, rate: Double? = nil) {
        self.scale = scale
        self.offset = offset
        self.sense = sense
        self.rate = rate
    }
}
