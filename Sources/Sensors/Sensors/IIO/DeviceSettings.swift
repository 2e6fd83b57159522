// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// The settings of a device that are changed while it is in use: its trigger, its frequency, and the clock of its
/// timestamps. Releasing the object, after the buffer, restores all of them.
final class DeviceSettings {
    /// What the device is used for.
    enum Use {
        case capture
        case polling
    }

    /// Whether timestamps are on CLOCK_BOOTTIME, which includes the time in suspend.
    private(set) var hasBootTime = false

    private let device: IIODevice
    private let record: RestoreRecord
    private var saved: SavedSettings
    private var frequency: SamplingFrequency?

    /// Attaches the device's own trigger if a capture needs one, sets the frequency for `rate` measurements per second,
    /// and selects the clock of a capture.
    ///
    /// Settings that the kernel rejects stay unchanged. All changes are first written to `record`, for a restart after a
    /// crash. If the device has no attributes of its own, those of `channel` are changed.
    init(
        _ device: IIODevice, channel: String = SavedSettings.usualChannel, for use: Use, rate: Double,
        record: RestoreRecord, warnings: inout [String]
    ) throws(CaptureError) {
        var frequency = SamplingFrequency(device, channel: channel, for: use)
        let wanted = frequency?.change(for: rate)
        // What could not be restored after the last use keeps its former value.
        var saved = record.left(of: device.id) ?? SavedSettings(device: device.id, channel: channel)
        saved.frequency = saved.frequency ?? (wanted == nil ? nil : frequency?.former)
        var trigger: IIODevice?
        var clock: String?
        if use == .capture {
            saved.enabledBuffer = true
            if case .own = device.trigger { trigger = device.ownTrigger }
            saved.attachedTrigger = saved.attachedTrigger || trigger != nil
            clock = device.folder.setting(Self.clock, channel: channel)
            if let former = clock.flatMap(device.folder.text) {
                hasBootTime = former == Self.bootTime
                saved.clock = saved.clock ?? (hasBootTime ? nil : former)
            }
        }
        // A frequency left set after a crash is harmless; an enabled buffer is not.
        if !saved.isEmpty, !record.write(saved), use == .capture { throw .notRecorded }
        if let trigger { _ = device.setTrigger(trigger) }
        // A driver that refuses the frequency or the clock keeps its own.
        if let wanted, (try? frequency?.set(wanted)) == nil, let former = frequency?.former,
            frequency?.wasTooSlow == true
        {
            warnings.append("sampling_frequency: cannot set it to \(wanted) Hz: the chip measures at \(former) Hz")
        }
        if let clock, !hasBootTime, saved.clock != nil {
            hasBootTime = (try? device.folder.write(Self.bootTime, to: clock)) != nil
        }
        self.device = device
        self.record = record
        self.saved = saved
        self.frequency = frequency
    }

    /// Sets the frequency for `rate` measurements per second; returns false if the driver rejects changes while the
    /// buffer is enabled.
    func setRate(_ rate: Double) -> Bool {
        guard let wanted = frequency?.change(for: rate), frequency?.wasRaised == false else { return true }
        // Recorded before the change, with the value before the first change.
        saved.frequency = frequency?.former
        _ = record.write(saved)
        do throws(Errno) { try frequency?.set(wanted) } catch { return error.code != EBUSY }
        return true
    }

    /// Sets the frequency again if the driver has lost it. The recorded former value stays.
    func setFrequencyAgain() { frequency?.setAgain() }

    /// Enables a motion event; the former values of its attributes are restored with the other settings.
    func arm(_ event: MotionEvent) throws(MotionEventError) {
        let events = SysfsFolder.events(of: device.id)
        var former: [MotionEvent.Setting] = []
        for setting in event.settings {
            let value: String
            do throws(Errno) { value = try events.line(setting.name) } catch {
                throw .refused("events/\(setting.name): cannot read: \(error)")
            }
            guard !value.isEmpty else { throw .refused("events/\(setting.name): cannot read: no value") }
            let kept = saved.events.first { $0.name == setting.name }?.value
            former.append(.init(name: setting.name, value: kept ?? value))
        }
        let switches = former.filter { event.enable.contains($0.name) }
        guard switches.allSatisfy({ $0.value == "0" }) else {
            throw .busy("another program uses the event \(event.name)")
        }
        // Disabled first: drivers reject other values of an enabled event, or overwrite them.
        saved.events = switches + former.filter { !event.enable.contains($0.name) }
        guard record.write(saved) else { throw .refused(CaptureError.notRecorded.reason) }
        for setting in event.settings {
            do throws(Errno) { try events.write(setting.value, to: setting.name) } catch {
                let text = "events/\(setting.name): cannot write \(setting.value): \(error)"
                throw error.code == EBUSY ? .busy(text) : .refused(text)
            }
        }
    }

    deinit {
        let isRecorded = !saved.isEmpty
        if saved.frequency != nil, frequency?.wasRaised == true { saved.frequency = nil }
        let left = device.restore(saved)
        if isRecorded { record.end(left: left) }
    }

    /// The attribute with the clock of the timestamps.
    static let clock = "current_timestamp_clock"
    private static let bootTime = "boottime"
}
