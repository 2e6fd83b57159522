// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Accelerometers that firmware tells of and no driver has taken.
    static let drivers = Check("drivers") { facts in
        facts.driverless.map { device in
            let modules = device.modules.joined(separator: " or ")
            let seen = "\(device.name) (\(device.bus)) has no driver"
            let waiting = device.modules.filter { !device.loaded.contains($0) }
            // Without an accelerometer this is what keeps the screen from turning; beside one it may not matter.
            let judge = facts.usable.isEmpty ? facts.serious : { .note($0, $1, mend: $2) }
            guard let module = waiting.first else {
                return judge(
                    seen, "\(modules) is loaded and did not take it; the kernel's log may say why",
                    "sudo dmesg | grep -iE '\(device.modules.joined(separator: "|"))'")
            }
            let meaning =
                device.bus == "acpi"
                ? "It may be an accelerometer for \(modules), but the bus that it hangs on was not found; the driver of that bus may be missing"
                : "It may be an accelerometer: \(modules) would take it and is not loaded"
            return judge(seen, meaning, "sudo modprobe \(module)")
        }
    }
}
