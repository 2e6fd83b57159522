// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// Whether what each sensor reads can be what a device feels.
    static let reading = Check("reading") { facts in
        facts.usable.map { device in
            let readings = device.readings
            if let failure = readings.failure { return unreadable(device, failure, facts) }
            if readings.longest > slow {
                return facts.serious(
                    "a reading of \(device.title) took \(readings.longest.brief) s",
                    "The sensor, or the hub that it hangs on, hangs; what it answers then means nothing",
                    mend: reload(device))
            }
            guard let last = readings.vectors.last else {
                return .ok("\(device.title) gives no single readings, only what is captured from its buffer")
            }
            if readings.vectors.allSatisfy({ $0.allSatisfy { $0 == 0 } }) {
                return facts.serious(
                    "\(device.title) reads zero along all three axes",
                    "Something always pulls, even on a table: the sensor sleeps or hangs", mend: reload(device))
            }
            return vector(last, device, facts)
        }
    }

    /// A reading that takes longer counts for nothing, as it does for the daemon; in seconds.
    private static let slow = 1.0
    /// What a device at rest may read, as parts of one gravity.
    private static let rest = 0.85...1.15
    /// What one in a hand may read.
    private static let moved = 0.3...3.0
    /// A chip whose steps are coarser than this repeats itself while it lies still; in m/s².
    private static let coarse = 0.01

    private static func vector(_ raw: [Double], _ device: DeviceFacts, _ facts: MachineFacts) -> Finding {
        let scales = DeviceFacts.axes.map { device.scale($0) }
        guard scales.allSatisfy({ $0 != nil && $0 != 0 }) else {
            return .note(
                "\(device.title) does not say how much one of its units is: in_accel_scale is missing or nonsense",
                "Its raw numbers, now \(raw.map(\.brief).joined(separator: ", ")), are taken for m/s²")
        }
        let values = zip(DeviceFacts.axes, zip(raw, scales)).map { axis, pair in
            (pair.0 + device.offset(axis)) * (pair.1 ?? 1)
        }
        let vector = Acceleration(x: values[0], y: values[1], z: values[2])
        let seen =
            "\(device.title) reads \(values.map(\.brief).joined(separator: ", ")) m/s², \(vector.magnitude.brief) in all"
        let gravities = vector.magnitude / Acceleration.standardGravity
        guard moved.contains(gravities) else {
            return facts.serious(
                seen, "A device at rest feels 9.81: the scale is wrong, or the chip is defective",
                mend: "cat \(device.folder)/in_accel*_scale")
        }
        if device.isStuck(finerThan: coarse) {
            return .note(
                "\(seen), exactly the same \(device.readings.vectors.count) times",
                "A chip with such fine steps trembles even on a table; if you run this again in another position and the numbers stay, it is stuck",
                mend: reload(device))
        }
        if rest.contains(gravities) { return .ok(seen) }
        return .note(seen, "A device at rest feels 9.81: was it being moved? If not, the scale is wrong")
    }

    private static func unreadable(_ device: DeviceFacts, _ failure: String, _ facts: MachineFacts) -> Finding {
        let holders = facts.processes.holders(of: device.id)
        if device.readings.isBusy {
            let isOurs = holders.contains { $0.name == "orientationd" }
            let seen = "\(device.title) gives no single readings while its buffer runs"
            return isOurs
                ? .ok(seen, "The daemon captures from it, and has them")
                : facts.serious(seen, "Another program captures from it, and the daemon has to wait; see buffer")
        }
        if device.readings.isRefused {
            return .note(
                "\(facts.caller.title) may not read \(device.title): \(failure)",
                "Whether its numbers make sense was not looked at", mend: "sudo orientationctl doctor")
        }
        return facts.serious(
            "\(device.title) cannot be read: \(failure)",
            "The daemon gets no readings from it either, unless it may more",
            mend: reload(device))
    }

    /// Unloads the driver and loads it again.
    private static func reload(_ device: DeviceFacts) -> String? {
        device.module.map { "sudo modprobe -r \($0) && sudo modprobe \($0)" }
    }
}

extension DeviceFacts {
    /// Whether every reading was the same, although the chip counts in fine steps. A hub tells only of changes.
    fileprivate func isStuck(finerThan coarse: Double) -> Bool {
        guard !isHub, readings.vectors.count > 1, let step = Self.axes.compactMap({ scale($0) }).map(abs).max(),
            step < coarse
        else { return false }
        return Set(readings.vectors).count == 1
    }
}
