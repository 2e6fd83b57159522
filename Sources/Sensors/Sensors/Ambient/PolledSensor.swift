// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A polled sensor: its sysfs attribute stays open and is read at an interval.
final class PolledSensor: AmbientSensor {
    let info: SensorDescription
    private let attribute: SysfsAttribute
    private var conversion: Conversion
    /// The time between readings, in seconds.
    private let interval: Double
    private var pause = LightPause()
    /// The raised frequency of the chip, restored with the release of its last sensor; nil if it is fast enough.
    private let frequency: DeviceSettings?

    /// The conversion of the text of the attribute to a reading.
    enum Conversion {
        case lux(LinearConversion)
        /// applesmc's two sensors, in percent.
        case apple
        case proximity(ProximityThreshold)
        case heading(LinearConversion)

        /// The conversion of raw values, of readings and scans; nil if they are not captured. It returns nil for an invalid
        /// value.
        var ofScans: (@Sendable (Double) -> AmbientReading?)? {
            switch self {
            case .lux(let lux): { raw in lux(raw).map { .light(max($0, 0), .lux) } }
            case .heading(let degrees): { raw in degrees(raw).map { .compass($0.wrapped) } }
            case .apple, .proximity: nil
            }
        }
    }

    init(_ found: IIOAttributeSensors.Found, frequency: DeviceSettings? = nil) throws(SensorFailure) {
        attribute = try SysfsAttribute(found.attribute, in: found.folder, of: found.info.id)
        (info, conversion, interval) = (found.info, found.conversion, found.interval)
        self.frequency = frequency
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        var seconds = interval
        let reading = try value(at: now, &seconds)
        return .sample(reading, then: .pause(seconds: seconds))
    }

    /// Returns a reading, and changes the time after it if the sensor is to be left alone.
    private func value(at now: Double, _ seconds: inout Double) throws(SensorFailure) -> AmbientReading {
        switch conversion {
        case .apple:
            let text = try attribute.read()
            guard let percent = AttributeText.percentOfApple(text) else {
                throw .failed(
                    "\(info.id): \(attribute.name): invalid value '\(text)': must be two numbers from 0 to 255")
            }
            return .light(percent, .vendor)
        case .proximity(var threshold):
            let isNear = threshold.isNear(try attribute.readNumber())
            conversion = .proximity(threshold)
            return .proximity(isNear: isNear)
        case .lux(let linear), .heading(let linear):
            let raw = try attribute.readNumber()
            guard let reading = conversion.ofScans?(raw) else {
                throw .failed(
                    "\(info.id): \(attribute.name): invalid value '\(raw)': too large for the scale \(linear.scale)")
            }
            if case .light = reading { seconds = pause.record(raw, at: now) ?? seconds }
            return reading
        }
    }
}
