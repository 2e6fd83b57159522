// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel

/// A capture of one channel from the buffer of a device, such as the light of a sensor hub, which sends changes only.
///
/// Releasing the capture disables the buffer and restores the changed settings.
final class ValueCapture: ScanSource {
    private let channel: IIOChannel
    private let buffer: ScanBuffer

    /// The most scans that are read at once: all of the kernel's buffer.
    private static let longestBatch = Int(IIOBuffer.kernelScans)

    /// Enables the buffer of a device for the channel `channel`, such as `illuminance`, at `rate` scans per second or more.
    ///
    /// - Throws: ``SensorFailure`` with the reason why the device has to be polled.
    init(
        device id: String, channel name: String, rate: Double, record: RestoreRecord, facts: HardwareFacts
    ) throws(SensorFailure) {
        let context = try IIOContext()
        guard let device = context.devices.first(where: { $0.id == id }), let channel = device.channel(name) else {
            throw .failed("the device has no buffer")
        }
        let conditions = CapturePlan.Conditions(
            hasScanElements: channel.isScanElement, invalidFormat: channel.hasValidFormat ? nil : channel.format,
            trigger: device.trigger, bufferConflict: device.scanDefect ?? device.captureConflict,
            policy: facts.value(of: .buffer, for: id), isProxyRunning: facts.isProxyRunning,
            recordFailure: record.conflict(with: id) ?? record.failure)
        if case .poll(let reason) = CapturePlan(conditions) { throw .failed(reason) }
        self.channel = channel
        do throws(CaptureError) {
            var warnings: [String] = []
            buffer = try ScanBuffer(
                device, [channel], settingsChannel: name, record: record, warnings: &warnings
            ) { _ in rate }
        } catch {
            throw .failed(error.reason)
        }
    }

    var descriptor: Int32 { buffer.descriptor }

    func takeNewest() throws(SensorFailure) -> Double? {
        var newest: Int64?
        do throws(ScanBuffer.Failure) {
            var count = 0
            while count < Self.longestBatch, try buffer.next() {
                newest = buffer.value(of: channel)
                count += 1
            }
        } catch {
            let reason = "cannot read the buffer: \(error.reason)"
            throw error.isGone ? .gone(reason) : .failed(reason)
        }
        return newest.map(Double.init)
    }
}
