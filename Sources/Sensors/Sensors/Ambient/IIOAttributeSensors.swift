// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Posix

/// The sensors of IIO devices that have an attribute for their value. Light and headings are captured from the device's
/// buffer, if it has one.
package enum IIOAttributeSensors {
    /// The intervals between readings, in seconds. Light and proximity are read together.
    static let lightInterval = 0.8
    static let proximityInterval = 0.7
    static let compassInterval = 0.7
    /// The longest interval of a light sensor, for a chip that integrates for longer.
    static let longestLightInterval = 5.0

    /// Returns the row. Changed settings are written to the record of the kind: sensors of several kinds run at once.
    package static func source(_ records: [SensorKind: RestoreRecord]) -> AmbientSource {
        let frequencies = RaisedFrequencies()
        return AmbientSource { facts throws(SensorFailure) in
            try SysfsFolder.devices.names().flatMap { sensors(of: $0, facts) }.map { found in
                FoundSensor(info: found.info) { () throws(SensorFailure) in
                    try open(found, records[found.info.kind], frequencies, facts)
                }
            }
        }
    }

    /// Captures from the buffer if possible, and otherwise polls.
    private static func open(
        _ found: Found, _ record: RestoreRecord?, _ frequencies: RaisedFrequencies, _ facts: HardwareFacts
    ) throws(SensorFailure) -> any AmbientSensor {
        var found = found
        try found.failed.check()
        guard let record, let channel = found.scanChannel, let convert = found.conversion.ofScans else {
            return try polled(found, record, frequencies)
        }
        let sensor = try PolledSensor(found)
        do throws(SensorFailure) {
            let capture = try ValueCapture(
                device: found.info.id, channel: channel, rate: CapturedSensor.rate, record: record, facts: facts)
            return CapturedSensor(capture, polled: sensor, convert: convert) { () throws(SensorFailure) in
                var found = found
                found.info.method? += " (its buffer does not send changes)"
                return try polled(found, record, frequencies)
            }
        } catch {
            found.info.method? += " (\(error))"
            return try polled(found, record, frequencies)
        }
    }

    private static func polled(
        _ found: Found, _ record: RestoreRecord?, _ frequencies: RaisedFrequencies
    ) throws(SensorFailure) -> PolledSensor {
        let mayBeSlow = try found.folder.names().contains { $0.hasSuffix("sampling_frequency") }
        guard mayBeSlow, let record else { return try PolledSensor(found) }
        let frequency = frequencies.raise(of: found.info.id, channel: found.channel, record)
        return try PolledSensor(found, frequency: frequency)
    }

    struct Found {
        var info: SensorDescription
        let folder: SysfsFolder
        let attribute: String
        let conversion: PolledSensor.Conversion
        let interval: Double
        /// The name of the channel in scans; nil if it is not in any.
        var scanChannel: String?
        /// A constant that cannot be read: the sensor cannot be used.
        var failed = FailedRead()

        /// The name of the channel, such as `illuminance`.
        var channel: String {
            var name = attribute.hasPrefix("in_") ? attribute.dropFirst("in_".count) : attribute[...]
            for suffix in ["_raw", "_input"] where name.hasSuffix(suffix) { name = name.dropLast(suffix.count) }
            return String(name)
        }
    }

    /// Returns the name of a channel in scans; nil if the device does not capture it.
    private static func scanChannel(_ channel: String, _ folder: SysfsFolder) -> String? {
        folder.has("scan_elements/\(channel)_en") ? String(channel.dropFirst("in_".count)) : nil
    }

    private static func sensors(of device: String, _ facts: HardwareFacts) -> [Found] {
        guard !device.hasPrefix("trigger"), !device.contains("/") else { return [] }
        return sensors(of: device, in: .iio(device), facts)
    }

    /// Returns the sensors of a device, at most one of each kind.
    static func sensors(of device: String, in folder: SysfsFolder, _ facts: HardwareFacts) -> [Found] {
        let name = folder.text("name") ?? device
        let makers = [
            { light(device, name, $0) }, { proximity(device, name, $0, facts) }, { compass(device, name, $0) },
        ]
        let found = makers.compactMap { (make: (SysfsFolder) -> Found?) -> Found? in
            let failed = FailedRead()
            var sensor = make(folder.noting(failed))
            sensor?.failed = failed
            // Else the reason could be the absence of what cannot be read.
            if failed.failure != nil { sensor?.info.rejection = nil }
            return sensor
        }
        return found.map { sensor in
            var sensor = sensor
            // A driver may refuse the attributes of the other sensors while the buffer is enabled.
            if found.count > 1 { sensor.scanChannel = nil }
            sensor.info.rejection = facts.rejection(of: device) ?? sensor.info.rejection
            return sensor
        }
    }

    /// The channels of light sensors, the best one first. Sensor hubs report the intensity in lux as well.
    private static let lightChannels = [
        "in_illuminance", "in_illuminance0", "in_illuminance_clear", "in_intensity_clear", "in_intensity_both",
    ]

    private static func light(_ device: String, _ name: String, _ folder: SysfsFolder) -> Found? {
        let processed = lightChannels.first { folder.has("\($0)_input") }
        guard let channel = processed ?? lightChannels.first(where: { folder.has("\($0)_raw") }) else { return nil }
        let attribute = channel + (processed == nil ? "_raw" : "_input")
        var warnings: [String] = []
        // A processed value needs no conversion.
        var conversion = processed == nil ? lightConversion(channel, folder, &warnings) : LinearConversion()
        conversion.maximum = LinearConversion.brightestLight
        // A chip with a longer integration time has no new value before.
        let integration = folder.number("\(channel)_integration_time") ?? folder.number("integration_time") ?? 0
        let seconds = min(max(lightInterval, integration), longestLightInterval)
        var info = SensorDescription(
            .light, id: device, name: name, method: "\(attribute), every \(seconds) s")
        info.warnings = warnings
        return Found(
            info: info, folder: folder, attribute: attribute, conversion: .lux(conversion),
            interval: seconds,
            // Scans have the scale of the raw attribute.
            scanChannel: processed == nil ? scanChannel(channel, folder) : nil)
    }

    /// The scale and the offset of a raw light channel: its own scale and offset, or those that its kind shares.
    private static func lightConversion(
        _ channel: String, _ folder: SysfsFolder, _ warnings: inout [String]
    ) -> LinearConversion {
        // The shared scale of separate intensities is the gain of the chip, not a scale to lux.
        let shared = channel == "in_intensity_both" ? "in_intensity" : "in_illuminance"
        return conversion([channel, shared], folder, &warnings)
    }

    /// Reads scale and offset of the first of `prefixes` that has valid ones. A scale of 0 or less is invalid: every light
    /// level would be 0.
    private static func conversion(
        _ prefixes: [String], _ folder: SysfsFolder, _ warnings: inout [String]
    ) -> LinearConversion {
        let scale = number(prefixes.map { "\($0)_scale" }, folder, isValid: { $0 > 0 }, default: 1, &warnings)
        let offset = number(prefixes.map { "\($0)_offset" }, folder, isValid: { _ in true }, default: 0, &warnings)
        return LinearConversion(scale: scale, offset: offset)
    }

    /// Returns the first valid number of the attributes, else the default. Adds a warning about each invalid one before it.
    private static func number(
        _ attributes: [String], _ folder: SysfsFolder, isValid: (Double) -> Bool, default standard: Double,
        _ warnings: inout [String]
    ) -> Double {
        var invalid: [String] = []
        var valid: Double?
        // The channel of a kind may be the name that its kind shares.
        for attribute in attributes where valid == nil {
            guard let text = folder.text(attribute) else { continue }
            valid = Double(decimal: text).flatMap { isValid($0) ? $0 : nil }
            let message = "\(attribute): invalid value '\(text.prefix(40))'"
            if valid == nil, !invalid.contains(message) { invalid.append(message) }
        }
        let number = valid ?? standard
        warnings += invalid.map { "\($0): using \(plain(number))" }
        return number
    }

    /// The number without a fraction of 0.
    private static func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

    private static func proximity(
        _ device: String, _ name: String, _ folder: SysfsFolder, _ facts: HardwareFacts
    ) -> Found? {
        guard let attribute = ["in_proximity_raw", "in_proximity0_raw"].first(where: folder.has) else { return nil }
        let property = facts.value(of: .nearLevel, for: device)
        let attributes = ["in_proximity_nearlevel", "in_proximity0_nearlevel"]
        let levels = [property.flatMap { Double(decimal: $0) }] + attributes.map(folder.number)
        let level = levels.compactMap(\.self).first { $0 > 0 }
        var info = SensorDescription(
            .proximity, id: device, name: name, method: "\(attribute), every \(proximityInterval) s")
        if level == nil {
            info.rejection =
                property.map { "udev PROXIMITY_NEAR_LEVEL: invalid value '\($0)': must be a number greater than 0" }
                ?? "the level of a near object is unknown: set the udev property PROXIMITY_NEAR_LEVEL"
        }
        return Found(
            info: info, folder: folder, attribute: attribute,
            conversion: .proximity(ProximityThreshold(nearLevel: level ?? 0)),
            interval: proximityInterval)
    }

    /// The channels of headings, corrected for the tilt of the device.
    private static let compassChannels = [
        "in_rot_from_north_magnetic_tilt_comp", "in_rot_from_north_true_tilt_comp",
    ]

    private static func compass(_ device: String, _ name: String, _ folder: SysfsFolder) -> Found? {
        guard let channel = compassChannels.first(where: { folder.has("\($0)_raw") }) else { return nil }
        let attribute = "\(channel)_raw"
        var info = SensorDescription(
            .compass, id: device, name: name, method: "\(attribute), every \(compassInterval) s")
        let conversion = conversion([channel, "in_rot"], folder, &info.warnings)
        return Found(
            info: info, folder: folder, attribute: attribute, conversion: .heading(conversion),
            interval: compassInterval,
            scanChannel: scanChannel(channel, folder))
    }
}
