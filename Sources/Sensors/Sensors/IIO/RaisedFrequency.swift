// SPDX-License-Identifier: Apache-2.0

/// A raised frequency of a device that is polled, because drivers block a read until the next measurement.
///
/// Releasing the object restores the former frequency.
final class RaisedFrequency {
    private let settings: DeviceSettings
    /// Whether all channels of the device have this frequency.
    fileprivate let isOfDevice: Bool

    /// Raises the frequency of the device, or of the channel `channel`, such as `illuminance`, to 10 Hz or the nearest higher
    /// one; nil if it is as high already, or cannot be changed.
    fileprivate init?(device id: String, channel: String, record: RestoreRecord) {
        // If libiio cannot list the devices, or the record cannot be written, the chip is read at its own rate.
        guard let context = try? IIOContext() else { return nil }
        guard record.conflict(with: id) == nil, let device = context.devices.first(where: { $0.id == id }),
            device.captureConflict == nil,
            SamplingFrequency(device, channel: channel, for: .polling)?.wasTooSlow == true
        else { return nil }
        var warnings: [String] = []
        let settings = try? DeviceSettings(
            device, channel: channel, for: .polling, rate: SamplingFrequency.sufficient, record: record,
            warnings: &warnings)
        guard let settings else { return nil }
        self.settings = settings
        isOfDevice = device.folder.has("sampling_frequency")
    }

    /// Sets the frequency again if the driver has lost it.
    fileprivate func setAgain() { settings.setFrequencyAgain() }
}

/// The raised frequencies in use: the sensors of one device share its frequency, which is restored with the release of the
/// last of them.
///
/// Unchecked: only the ambient thread uses it.
final class RaisedFrequencies: @unchecked Sendable {
    private struct Reference {
        weak var frequency: RaisedFrequency?
    }

    private var shared: [String: Reference] = [:]

    /// Raises the frequency of a device, or of its channel; nil if it is high enough, or cannot be changed. The frequency
    /// that another sensor of the device has raised is set again if the driver has lost it, such as during a sleep.
    func raise(of device: String, channel: String, _ record: RestoreRecord) -> RaisedFrequency? {
        if let frequency = shared[device]?.frequency {
            frequency.setAgain()
            return frequency
        }
        let frequency = RaisedFrequency(device: device, channel: channel, record: record)
        shared = shared.filter { $1.frequency != nil }
        if let frequency, frequency.isOfDevice { shared[device] = Reference(frequency: frequency) }
        return frequency
    }
}
