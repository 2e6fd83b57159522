// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The facts from udev about sensors, collected before a source is opened: this module does not query udev.
package struct HardwareFacts: Hashable, Sendable {
    /// The relevant udev properties, by kernel device name (`iio:device0`).
    package var properties: [String: [SensorProperty: String]]
    /// The event nodes of the input subsystem that udev lists as accelerometers, such as `event4`, in order.
    package var inputAccelerometers: [String] = []
    /// The event nodes that udev lists as switches, such as `event5`, in order.
    package var inputSwitches: [String] = []
    /// The IIO devices for which udev has run its rules: the properties of others are incomplete. Nil without a database.
    package var processed: Set<String>?
    /// The sensors of the Snapdragon sensor core; nil without one.
    package var core: CoreList?
    /// Why udev's database cannot be read; nil if it can.
    package var failure: SensorFailure?
    /// Why the properties of the sensor core's sensors cannot be read; nil if they can.
    package var coreFailure: SensorFailure?
    /// Sensors with a recent failure, and its message: used only if no other one is available.
    package var recentFailures: [SensorID: String] = [:]
    /// Whether the sensor is opened for a reload: a motion event that failed earlier is tried again.
    var isReload = false
    /// Whether iio-sensor-proxy runs: a buffer cannot be shared with it.
    package var isProxyRunning = false

    package init(properties: [String: [SensorProperty: String]] = [:], processed: Set<String>? = nil) {
        self.properties = properties
        self.processed = processed
    }

    /// Returns the message of the recent failure of an accelerometer; nil without one.
    func recentFailure(of accelerometer: String) -> String? {
        recentFailures[SensorID(kind: .accelerometer, id: accelerometer)]
    }

    /// Returns why a device cannot be used yet; nil if it can.
    func rejection(of device: String) -> String? {
        if let failure { return failure.description }
        return processed?.contains(device) == false ? "waiting for udev to process the device" : nil
    }

    /// Returns a property of a device; nil if it is not set.
    package func value(of property: SensorProperty, for device: String) -> String? {
        properties[device]?[property]
    }
}
