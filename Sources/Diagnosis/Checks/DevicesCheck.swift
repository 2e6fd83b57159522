// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Which accelerometers there are.
    static let devices = Check("devices") { facts in
        guard !facts.accelerometers.isEmpty else {
            return [
                facts.serious(
                    "the kernel shows no accelerometer",
                    facts.driverless.isEmpty
                        ? "Either this machine has none, or its firmware does not tell the kernel of it; what can be tried without one is a simulated device"
                        : "There is one whose driver is not loaded, see below",
                    mend: facts.driverless.isEmpty ? "orientationd --sensor fake:" : nil)
            ]
        }
        var findings = facts.accelerometers.map { device($0, isOnlyHope: facts.usable.isEmpty, facts) }
        let complete = facts.accelerometers.filter(\.missingAxes.isEmpty)
        if facts.usable.isEmpty, let base = complete.first {
            findings.append(
                facts.serious(
                    "the only accelerometer, \(base.title), is said to sit in the base",
                    "Its orientation is not the display's, so it is not used. If it does sit in the display, udev has to be told",
                    mend: Mend.property("ACCEL_LOCATION", "display", of: base)))
        }
        return findings
    }

    private static func device(_ device: DeviceFacts, isOnlyHope: Bool, _ facts: MachineFacts) -> Finding {
        let driver = device.driver.map { ", driver \($0)" } ?? ""
        guard device.missingAxes.isEmpty else {
            let axes = device.missingAxes.joined(separator: " and ")
            let seen = "\(device.title)\(driver) measures no \(axes)"
            let meaning = "How a device is held takes all three axes; this sensor is not used"
            return isOnlyHope ? facts.serious(seen, meaning) : .note(seen, meaning)
        }
        return .ok("\(device.title)\(driver) is an accelerometer in the \(device.location.name)")
    }
}
