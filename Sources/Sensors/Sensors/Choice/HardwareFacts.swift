// SPDX-License-Identifier: Apache-2.0

/// The facts from udev about sensors, collected before a source is opened: this module does not query udev.
package struct HardwareFacts: Hashable, Sendable {
    /// The relevant udev properties, by kernel device name (`iio:device0`).
    package var properties: [String: [Property: String]]
    /// The event nodes of the input subsystem that udev lists as accelerometers, such as `event4`, in order.
    package var inputAccelerometers: [String] = []
    /// The event nodes that udev lists as switches, such as `event5`, in order.
    package var inputSwitches: [String] = []
    /// Devices for which udev has not run its rules yet: their properties are incomplete.
    package var pending: Set<String>
    /// Devices with a recent failure, and its message: used only if no other device is available.
    package var recentFailures: [String: String] = [:]
    /// Whether the sensor is opened for a reload: a motion event that failed earlier is tried again.
    package var isReload = false
    /// Whether iio-sensor-proxy runs: a buffer cannot be shared with it.
    package var isProxyRunning = false

    package init(properties: [String: [Property: String]] = [:], pending: Set<String> = []) {
        self.properties = properties
        self.pending = pending
    }

    /// A udev property of a sensor.
    package enum Property: String, CaseIterable, Sendable {
        /// The mount matrix, three rows of three numbers, from systemd's hardware database.
        case mountMatrix = "ACCEL_MOUNT_MATRIX"
        /// The location: `display`, `lid` or `base`.
        case location = "ACCEL_LOCATION"
        /// `1` or `-1`: overrides the sign of z.
        case faceSign = "ORIENTATIOND_FACE_SIGN"
        /// Classifier settings for this device: `calm`, or `standard,edgeMargin=15`.
        case classifier = "ORIENTATIOND_CLASSIFIER"
        /// `portrait` or `landscapeLeft`: the natural orientation of this device.
        case naturalOrientation = "ORIENTATIOND_NATURAL_ORIENTATION"
        /// `1` or `0`: whether to use the buffer, overriding all other criteria.
        case buffer = "ORIENTATIOND_BUFFER"
        /// The raw reading of a proximity sensor from which an object is near.
        case nearLevel = "PROXIMITY_NEAR_LEVEL"
    }

    /// Returns a property of a device; nil if it is not set.
    package func value(of property: Property, for device: String) -> String? {
        properties[device]?[property]
    }
}
