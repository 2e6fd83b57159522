// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A way to measure the lid angle. A new one is a file with a ``LidMeter``, and a row in ``LidSources``.
struct LidSource: Sendable {
    /// Finds the sensors. May block.
    let scan: @Sendable (HardwareFacts) throws(SensorFailure) -> [FoundSensor<any LidMeter>]
}

/// An open sensor of the lid angle; releasing it closes it.
protocol LidMeter: AnyObject {
    /// The accelerometer in the display; nil without one.
    var display: LaptopHalf? { get }

    /// Reads the angle; `now` is CLOCK_BOOTTIME in seconds. A failure that may pass is an unreliable reading for the caller.
    func read(at now: Double) throws(SensorFailure) -> LidReading
}

/// The sensors of the lid angle of this machine, the best ones first: hinge sensors, then pairs of accelerometers. They
/// run while clients need the orientation.
package enum LidSources {
    /// Returns the rows as a source of ambient sensors. `measurements` has the samples of an accelerometer that is captured.
    package static func source(_ accelerometers: IIOSources, _ measurements: AccelerometerMeasurements) -> AmbientSource
    {
        let halves = LaptopHalves(accelerometers, measurements)
        return source([HingeSensor.source(halves), AccelerometerPair.source(halves)], lid: LidSensor.lidSwitch)
    }

    /// Returns the rows with a lid switch; `lid` returns nil if there is none that may be opened.
    static func source(
        _ rows: [LidSource], lid: @escaping @Sendable (HardwareFacts) throws(SensorFailure) -> LidSensor.Switch?
    ) -> AmbientSource {
        AmbientSource { facts throws(SensorFailure) in
            try rows.map { row throws(SensorFailure) in try row.scan(facts) }.joined().map { found in
                FoundSensor(info: found.info) { () throws(SensorFailure) in
                    LidSensor(found.info, try found.open(), lid: try lid(facts))
                }
            }
        }
    }
}
