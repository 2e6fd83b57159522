// SPDX-License-Identifier: Apache-2.0

/// An open ambient sensor.
///
/// Created, used and released on the ambient thread only; releasing it closes it. ``read(at:)`` does not wait: the thread
/// waits for ``next``, so that a sensor can be stopped at any time and tested without a clock.
package protocol AmbientSensor: AnyObject {
    var info: AmbientDescription { get }

    /// Reads the current value; nil if there is none yet. `now` is CLOCK_BOOTTIME in seconds.
    func read(at now: Double) throws(SensorFailure) -> AmbientReading?

    /// When to read again.
    var next: AmbientWait { get }
}

/// What the thread waits for before it reads a sensor again.
package enum AmbientWait: Hashable, Sendable {
    /// This many seconds, more than 0.
    case seconds(Double)
    /// Input at the descriptor; `seconds` is the timeout, nil for none.
    case input(descriptor: Int32, seconds: Double? = nil)
}

/// A source of sensors. A new source is a file with an ``AmbientSensor``, and a row in
/// `SensorURI.ambientSources(_:records:)` of OrientationDaemon.
package struct AmbientSource: Sendable {
    /// Lists the sensors, the best one of each kind first. May block.
    package let scan: @Sendable (HardwareFacts) -> [AmbientDescription]
    /// Opens a sensor of the list. May block.
    package let open: @Sendable (AmbientSensorID, HardwareFacts) throws(SensorFailure) -> any AmbientSensor

    package init(
        scan: @escaping @Sendable (HardwareFacts) -> [AmbientDescription],
        open: @escaping @Sendable (AmbientSensorID, HardwareFacts) throws(SensorFailure) -> any AmbientSensor
    ) {
        self.scan = scan
        self.open = open
    }
}
