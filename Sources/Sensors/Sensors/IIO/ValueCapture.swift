// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel

/// A capture of one channel from the buffer of a device, such as the light of a sensor hub, which sends changes only.
///
/// Releasing the capture disables the buffer and restores the changed settings.
package final class ValueCapture {
    private let device: IIODevice
    private let channel: IIOChannel
    private var buffer: EnabledBuffer?
    private var settings: DeviceSettings?

    /// The most scans that are read at once: those of the kernel's buffer.
    private static let longestBatch = Int(IIOBuffer.kernelScans)

    /// Enables the buffer of a device for the channel `channel`, such as `illuminance`, at `rate` scans per second or more.
    ///
    /// - Throws: ``SensorFailure`` with the reason why the device has to be polled.
    package init(
        device id: String, channel name: String, rate: Double, record: RestoreRecord, facts: HardwareFacts
    ) throws(SensorFailure) {
        let context = try IIOContext()
        record.restoreSettings(in: context)
        guard let device = context.devices.first(where: { $0.id == id }), let channel = device.channel(name) else {
            throw .failed("the device has no buffer")
        }
        let conditions = CapturePlan.Conditions(
            hasScanElements: channel.isScanElement, invalidFormat: channel.hasValidFormat ? nil : channel.format,
            trigger: device.plannedTrigger, isBufferEnabled: device.isBufferEnabled ?? false,
            policy: facts.value(of: .buffer, for: id), isProxyRunning: facts.isProxyRunning,
            recordFailure: record.conflict(with: id) ?? record.failure)
        if case .poll(let reason) = CapturePlan(conditions) { throw .failed(reason) }
        self.device = device
        self.channel = channel
        do throws(CaptureError) {
            var warnings: [String] = []
            settings = try DeviceSettings(
                device, channel: name, for: .capture, rate: rate, record: record, warnings: &warnings)
        } catch {
            throw .failed(error.reason)
        }
        channel.enable()
        do throws(BufferError) {
            buffer = EnabledBuffer(try device.makeBuffer())
        } catch {
            throw .failed(CaptureError.notEnabled(error.code).reason)
        }
    }

    deinit {
        // In this order: the kernel rejects changes of the clock and the trigger while the buffer is enabled.
        buffer = nil
        settings = nil
    }

    /// Readable while a scan is available.
    package var descriptor: Int32 { buffer?.buffer.descriptor ?? -1 }

    /// Returns the raw value of the newest scan since the last call; nil if there is none.
    package func takeNewest() throws(SensorFailure) -> Double? {
        guard let buffer else { return nil }
        var newest: Int64?
        for _ in 0..<Self.longestBatch {
            let count = buffer.buffer.refill()
            if count == -Int(EAGAIN) || count == 0 { break }
            guard count > 0 else {
                let reason = "cannot read the buffer: \(String(cString: strerror(Int32(-count))))"
                throw device.isBufferEnabled == nil || count == -Int(ENODEV) ? .gone(reason) : .failed(reason)
            }
            newest = channel.value(in: buffer.buffer)
        }
        return newest.map(Double.init)
    }
}
