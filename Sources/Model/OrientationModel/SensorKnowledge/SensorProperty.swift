// SPDX-License-Identifier: Apache-2.0

/// A udev property of a sensor, set by the hardware database or an administrator.
package enum SensorProperty: String, CaseIterable, Sendable {
    /// The mount matrix, three rows of three numbers, from systemd's hardware database.
    case mountMatrix = "ACCEL_MOUNT_MATRIX"
    /// The location: `display`, `lid` or `base`.
    case location = "ACCEL_LOCATION"
    /// `portrait` or `landscapeLeft`: the natural orientation of this device.
    case naturalOrientation = "ORIENTATIOND_NATURAL_ORIENTATION"
    /// `1` or `-1`: overrides the sign of z.
    case faceSign = "ORIENTATIOND_FACE_SIGN"
    /// `1` or `0`: whether to use the buffer, overriding all other criteria.
    case buffer = "ORIENTATIOND_BUFFER"
    /// Classifier settings for this device: `calm`, or `standard,edgeMargin=15`.
    case classifier = "ORIENTATIOND_CLASSIFIER"
    /// The raw reading of a proximity sensor from which an object is near.
    case nearLevel = "PROXIMITY_NEAR_LEVEL"
    /// How iio-sensor-proxy reads the device.
    case proxyType = "IIO_SENSOR_PROXY_TYPE"

    /// The name of the source, for messages.
    package var source: String { "udev \(rawValue)" }

    /// The valid values, for messages.
    package var validValues: String {
        switch self {
        case .mountMatrix: "a mount matrix"
        case .location: "display, lid or base"
        case .naturalOrientation: PanelShape.allCases.map(\.natural.description).joined(separator: " or ")
        case .faceSign: "1 or -1"
        case .buffer: "0 or 1"
        case .classifier: "standard, calm or quick, with settings as in calm,dwell=0.4"
        case .nearLevel: "a number greater than 0"
        case .proxyType: "a list of sensor types"
        }
    }
}
