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
        _ device: IIODevice, channel: String = usualChannel, for use: Use, rate: Double,
        record: RestoreRecord, warnings: inout [String]
    ) throws(CaptureError) {
        var frequency = SamplingFrequency(device, channel: channel, for: use)
        let wanted = frequency?.change(for: rate)
        // What could not be restored after the last use keeps its former value.
        let left = record.left(of: device.id)
        var saved = SavedSettings(device: device.id)
        var trigger: String?
        var clock: String?
        if use == .capture {
            // First: while the buffer is enabled, the kernel rejects changes of the others.
            saved.add(SavedSettings.buffer, "0")
            clock = device.folder.setting("current_timestamp_clock", channel: channel)
            if let clock, let former = device.folder.text(clock) {
                hasBootTime = former == Self.bootTime
                if !hasBootTime { saved.add(clock, left?[clock] ?? former) }
            }
            if case .own(let name) = device.trigger {
                trigger = name
                saved.add(SavedSettings.trigger, "")
            }
        }
        if wanted != nil, let frequency { saved.add(frequency.name, left?[frequency.name] ?? frequency.former) }
        for setting in left?.settings ?? [] { saved.add(setting.name, setting.value) }
        // A frequency left set after a crash is harmless; an enabled buffer is not.
        if !saved.settings.isEmpty, !record.write(saved), use == .capture { throw .notRecorded }
        // A driver that refuses the trigger, the frequency or the clock keeps its own.
        if let trigger { try? device.folder.write("\(trigger)\n", to: SavedSettings.trigger) }
        if let wanted, (try? frequency?.set(wanted)) == nil, let former = frequency?.former,
            frequency?.wasTooSlow == true
        {
            warnings.append("sampling_frequency: cannot set it to \(wanted) Hz: the chip measures at \(former) Hz")
        }
        if let clock, !hasBootTime, saved[clock] != nil {
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
        guard var frequency, let wanted = frequency.change(for: rate), !frequency.wasRaised else { return true }
        // Recorded before the change, with the value before the first change.
        saved.add(frequency.name, frequency.former)
        _ = record.write(saved)
        do throws(Errno) { try frequency.set(wanted) } catch { return error.code != EBUSY }
        self.frequency = frequency
        return true
    }

    /// Sets the frequency again if the driver has lost it. The recorded former value stays.
    func setFrequencyAgain() { frequency?.setAgain() }

    /// Enables a motion event; the former values of its attributes are restored with the other settings.
    func arm(_ event: MotionEvent) throws(MotionEventError) {
        var former: [SavedSettings.Setting] = []
        // Disabled first: drivers reject other values of an enabled event, or overwrite them.
        for name in (event.enable + event.thresholds.map(\.name)).map({ SavedSettings.events + $0 }) {
            let value: String
            do throws(Errno) { value = try device.folder.line(name) } catch {
                throw .refused("\(name): cannot read: \(error)")
            }
            guard !value.isEmpty else { throw .refused("\(name): cannot read: no value") }
            former.append(.init(name: name, value: saved[name] ?? value))
        }
        guard former.prefix(event.enable.count).allSatisfy({ $0.value == "0" }) else {
            throw .busy("another program uses the event \(event.name)")
        }
        saved.addFirst(former)
        guard record.write(saved) else { throw .refused(CaptureError.notRecorded.reason) }
        for setting in event.settings {
            let name = SavedSettings.events + setting.name
            do throws(Errno) { try device.folder.write(setting.value, to: name) } catch {
                let text = "\(name): cannot write \(setting.value): \(error)"
                throw error.code == EBUSY ? .busy(text) : .refused(text)
            }
        }
    }

    deinit {
        let isRecorded = !saved.settings.isEmpty
        if let frequency, saved[frequency.name] != nil, frequency.wasRaised { saved.remove(frequency.name) }
        let left = device.restore(saved)
        if isRecorded { record.end(left: left) }
    }

    /// The channel of accelerometers.
    static let usualChannel = "accel_x"
    private static let bootTime = "boottime"
}
