// SPDX-License-Identifier: Apache-2.0

/// What is changed on a device while its buffer is ours, and set back when this is let go of, after the buffer: its
/// trigger, its frequency, and the clock that stamps its scans.
final class CaptureSettings {
    /// Whether scans are stamped with CLOCK_BOOTTIME, which goes on while the machine sleeps.
    private(set) var hasBootTime = false

    private let device: IIODevice
    private let hasSetTrigger: Bool
    private var frequency: SamplingFrequency?
    private var clock: (attribute: IIOWritableAttribute, former: String)?

    /// Attaches the device's own trigger where it has none, slows the chip down to what is needed, and chooses the
    /// clock. What the kernel does not take stays as it is.
    init(_ device: IIODevice, triggers: [IIODevice]) {
        self.device = device
        if case .none = device.trigger, let own = device.ownTrigger(among: triggers) {
            hasSetTrigger = device.setTrigger(own) == 0
        } else {
            hasSetTrigger = false
        }
        frequency = SamplingFrequency(device: device, isExact: true)
        guard let attribute = device.writableAttribute("current_timestamp_clock", channel: "accel_x"),
            case .text(let former) = attribute.read()
        else { return }
        hasBootTime = former == "boottime" || attribute.write("boottime")
        if former != "boottime", hasBootTime { clock = (attribute, former) }
    }

    deinit {
        if let clock { _ = clock.attribute.write(clock.former) }
        frequency = nil
        if hasSetTrigger { _ = device.setTrigger(nil) }
    }
}
