// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What is changed on a device for as long as we use it: its trigger, its frequency, and the clock that stamps its scans.
/// Letting go of this, after the buffer, sets all of it back.
final class DeviceSettings {
    /// What the device is used for.
    enum Use {
        case capture
        case polling
    }

    /// Whether scans are stamped with CLOCK_BOOTTIME, which goes on while the machine sleeps.
    private(set) var hasBootTime = false

    private let device: IIODevice
    private let note: ArmedNote?
    private var loan: Loan
    private var frequency: SamplingFrequency?

    /// Attaches the device's own trigger where a capture has none, adapts the frequency so that there are `rate`
    /// measurements in a second, and chooses a capture's clock. What the kernel does not take stays as it is. All of it is
    /// noted before, for a start after a crash, unless `note` is nil.
    init(
        _ device: IIODevice, for use: Use, rate: Double, triggers: [IIODevice] = [], note: ArmedNote?,
        warnings: inout [String]
    ) throws(CaptureError) {
        var frequency = SamplingFrequency(device, for: use)
        let wanted = frequency?.change(for: rate)
        var loan = Loan(device: device.id)
        loan.frequency = wanted == nil ? nil : frequency?.former
        var trigger: IIODevice?
        var clock: IIOWritableAttribute?
        if use == .capture {
            loan.hasBuffer = true
            if case .none = device.trigger { trigger = device.ownTrigger(among: triggers) }
            loan.hasTrigger = trigger != nil
            clock = device.writableAttribute("current_timestamp_clock", channel: "accel_x")
            if case .text(let former)? = clock?.read() {
                hasBootTime = former == Self.bootTime
                loan.clock = hasBootTime ? nil : former
            }
        }
        // A frequency that stays after a crash is a small thing; a buffer that does is not.
        if !loan.isEmpty, let note, !note.write(loan), use == .capture { throw .unnoted }
        if let trigger { _ = device.setTrigger(trigger) }
        if let wanted, frequency?.set(wanted) != 0, let former = frequency?.former, frequency?.wasTooSlow == true {
            warnings.append(
                "the chip measures \(former) times a second, and sampling_frequency cannot be set to \(wanted)")
        }
        if loan.clock != nil { hasBootTime = clock?.write(Self.bootTime) == 0 }
        self.device = device
        self.note = note
        self.loan = loan
        self.frequency = frequency
    }

    /// From now on `rate` measurements in a second are needed; false where the driver changes nothing while the buffer
    /// runs.
    func adapt(to rate: Double) -> Bool {
        guard let wanted = frequency?.change(for: rate) else { return true }
        // Noted before, with what there was before the first change.
        loan.frequency = frequency?.former
        _ = note?.write(loan)
        return frequency?.set(wanted) != -EBUSY
    }

    deinit {
        // What libiio left running would be taken for somebody else's from now on.
        if device.takeBack(loan), !loan.isEmpty { note?.remove() }
    }

    private static let bootTime = "boottime"
}
