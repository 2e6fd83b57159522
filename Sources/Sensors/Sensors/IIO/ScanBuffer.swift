// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// An enabled buffer of a device, with the settings that a capture changes. Releasing it disables the buffer and restores
/// the settings.
final class ScanBuffer {
    private let device: IIODevice
    private var buffer: IIOBuffer?
    private var settings: DeviceSettings?
    /// Whether the timestamps of the scans are on CLOCK_BOOTTIME.
    let hasBootTime: Bool

    /// The end of a capture, with the reason.
    struct Failure: Error {
        let reason: String
        /// Whether the device was disconnected.
        let isGone: Bool
    }

    /// Enables the buffer for these channels. `settingsChannel` has the attributes that the device itself lacks. `rate`
    /// returns the scans per second that are needed, depending on whether they have usable timestamps.
    init(
        _ device: IIODevice, _ channels: [IIOChannel], settingsChannel: String, record: RestoreRecord,
        warnings: inout [String], rate: (_ hasBootTime: Bool) -> Double
    ) throws(CaptureError) {
        self.device = device
        let settings = try DeviceSettings(
            device, channel: settingsChannel, for: .capture, rate: rate(true), record: record, warnings: &warnings)
        self.settings = settings
        hasBootTime = settings.hasBootTime
        if !hasBootTime { _ = settings.setRate(rate(false)) }
        for channel in channels { channel.enable() }
        do throws(Errno) {
            buffer = try device.makeBuffer()
        } catch {
            throw .notEnabled(error.code)
        }
    }

    deinit {
        // In this order: the kernel rejects changes of the clock and the trigger while the buffer is enabled.
        buffer = nil
        settings = nil
    }

    /// Sets the frequency for `rate` scans per second; returns false if the driver rejects changes while the buffer is
    /// enabled.
    func setRate(_ rate: Double) -> Bool { settings?.setRate(rate) ?? true }

    /// A descriptor that is readable when a scan is available; negative if there is none.
    var descriptor: Int32 { buffer?.descriptor ?? -1 }

    /// Reads the next scan; returns false if there is none yet.
    func next() throws(Failure) -> Bool {
        guard let count = buffer?.refill() else { return false }
        if count > 0 { return true }
        if count == 0 || count == -Int(EAGAIN) { return false }
        throw Failure(
            reason: Errno(Int32(-count)).description,
            isGone: count == -Int(ENODEV) || !device.folder.has("buffer/enable"))
    }

    /// Returns the value of a channel in the current scan; nil if it is absent.
    func value(of channel: IIOChannel) -> Int64? { buffer.flatMap(channel.value) }
}

/// Why a capture could not be started.
enum CaptureError: Error {
    /// The restore record could not be written.
    case notRecorded
    /// The buffer could not be enabled; an errno.
    case notEnabled(Int32)

    /// Whether a retry can succeed without a change of the device: the node was busy, inaccessible or missing.
    var isTransient: Bool {
        if case .notEnabled(let code) = self { [EBUSY, EACCES, EPERM, ENOENT].contains(code) } else { false }
    }

    /// The reason, for a message that begins with "polled: ".
    var reason: String {
        switch self {
        case .notRecorded: return "cannot write the restore record to the state directory"
        case .notEnabled(EBUSY): return "the buffer is in use by another program"
        case .notEnabled(EPERM):
            return "cannot open the buffer's device node: denied by the service's device policy; "
                + "load the module industrialio before the service starts (DeviceAllow=char-iio)"
        case .notEnabled(EACCES):
            return "cannot open the buffer's device node: permission denied; install orientationd's udev rule"
        case .notEnabled(let code): return "cannot enable the buffer: \(Errno(code))"
        }
    }
}
