// SPDX-License-Identifier: Apache-2.0

/// The raised frequencies of devices that are polled, because drivers block a read until the next measurement. The sensors
/// of one device share its frequency, which is restored with the release of the last of them.
///
/// Unchecked: only the ambient thread uses it.
final class RaisedFrequencies: @unchecked Sendable {
    private struct Reference {
        weak var settings: DeviceSettings?
    }

    private var shared: [String: Reference] = [:]

    /// Raises the frequency of a device, or of its channel `channel`, such as `illuminance`, to 10 Hz or the nearest higher
    /// one; nil if it is as high already, or cannot be changed. The frequency that another sensor of the device has raised is
    /// set again if the driver has lost it, such as during a sleep.
    func raise(of id: String, channel: String, _ record: RestoreRecord) -> DeviceSettings? {
        if let settings = shared[id]?.settings {
            settings.setFrequencyAgain()
            return settings
        }
        shared[id] = nil
        // After a failure, here and below, the chip is read at its own rate.
        guard let context = try? IIOContext(), record.conflict(with: id) == nil,
            let device = context.devices.first(where: { $0.id == id }), device.captureConflict == nil,
            SamplingFrequency(device, channel: channel, for: .polling)?.wasTooSlow == true
        else { return nil }
        var warnings: [String] = []
        let settings = try? DeviceSettings(
            device, channel: channel, for: .polling, rate: SamplingFrequency.sufficient, record: record,
            warnings: &warnings)
        // Otherwise each channel has its own.
        if let settings, device.folder.has("sampling_frequency") { shared[id] = Reference(settings: settings) }
        return settings
    }
}
