// SPDX-License-Identifier: Apache-2.0

/// A kind of sensor that the daemon reads; the raw values are on the wire.
package enum SensorKind: String, CaseIterable, Sendable {
    case accelerometer
    /// Ambient light.
    case light
    /// Whether an object, such as a cheek, is close to the screen.
    case proximity
    /// The heading of the device.
    case compass
    /// The lid angle of a laptop, and whether it is used as a tablet.
    case hinge
}

/// Identifies one sensor of a device.
package struct SensorID: Hashable, Sendable {
    package let kind: SensorKind
    /// The kernel's name of the device, such as `iio:device1`.
    package let id: String

    package init(kind: SensorKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

extension SensorDescription {
    package var sensorID: SensorID { SensorID(kind: kind, id: id) }
}
