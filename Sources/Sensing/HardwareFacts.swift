// SPDX-License-Identifier: Apache-2.0

/// What udev's database says of accelerometers, gathered before a source is opened and handed over as one value, since
/// the sensor thread asks udev nothing.
package struct HardwareFacts: Hashable, Sendable {
    /// The udev properties that matter here, by the kernel's device name (`iio:device0`).
    package var properties: [String: [Property: String]]
    /// Devices for which udev has not run its rules yet: their properties are still to come.
    package var pending: Set<String>
    /// Devices that have just failed, with the reason: taken only where there is nothing else.
    package var troubled: [String: String] = [:]
    /// Whether iio-sensor-proxy runs, with which no buffer can be shared.
    package var isProxyRunning = false

    package init(properties: [String: [Property: String]] = [:], pending: Set<String> = []) {
        self.properties = properties
        self.pending = pending
    }

    /// A udev property of an accelerometer.
    package enum Property: String, CaseIterable, Sendable {
        /// Three rows of three numbers, from systemd's hardware database.
        case mountMatrix = "ACCEL_MOUNT_MATRIX"
        /// `display`, `lid` or `base`.
        case location = "ACCEL_LOCATION"
        /// `1` or `-1`: overrules the sign of z for one device.
        case faceSign = "ORIENTATIOND_FACE_SIGN"
        /// How the classifier is tuned for this device: `calm`, or `standard,edgeMargin=15`.
        case classifier = "ORIENTATIOND_CLASSIFIER"
        /// `1` or `0`: whether the device's buffer is used, whatever else there is to say about it.
        case buffer = "ORIENTATIOND_BUFFER"
    }

    /// A property of a device, or nil where it is not set.
    package func value(of property: Property, for device: String) -> String? {
        properties[device]?[property]
    }
}
