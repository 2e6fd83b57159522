// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// udev, the daemon's rule, and whether it has run for each accelerometer.
    static let udev = Check("udev") { facts in
        [daemon(facts), rule(facts)] + facts.accelerometers.compactMap { device($0, facts) }
    }

    private static func daemon(_ facts: MachineFacts) -> Finding {
        facts.udev.isRunning
            ? .ok("udev runs")
            : .note(
                "udev does not run",
                "Mount matrices from its database are missing, and a sensor that appears later is not seen",
                mend: "sudo systemctl start systemd-udevd.service")
    }

    private static func rule(_ facts: MachineFacts) -> Finding {
        let name = UdevFacts.ruleName
        if let rule = facts.udev.rule {
            guard facts.udev.isRuleMasked else { return .ok("the rule \(rule) is installed") }
            return .problem(
                "\(rule) is empty, which switches the rule off",
                "The daemon's user gets no access to sensors' buffers", mend: "sudo rm \(rule) && \(Mend.applyRules)")
        }
        let seen = "udev has no rule \(name)"
        let meaning = "The daemon's user gets no access to sensors' buffers and to a convertible's switch"
        return facts.service.unit("orientationd.service") == nil
            ? .note(seen, meaning) : .problem(seen, meaning, mend: "sudo make install && \(Mend.applyRules)")
    }

    private static func device(_ device: DeviceFacts, _ facts: MachineFacts) -> Finding? {
        guard facts.udev.isRunning else { return nil }
        guard device.udev.isProcessed else {
            return .problem(
                "udev has not run its rules for \(device.title)",
                "The daemon waits for its mount matrix and its permissions",
                mend: "sudo udevadm trigger --action=add --subsystem-match=iio && sudo udevadm settle")
        }
        guard facts.udev.rule != nil, !facts.udev.isRuleMasked, !device.udev.tags.contains("orientationd"),
            device.missingAxes.isEmpty
        else { return nil }
        return .problem(
            "udev has not run the daemon's rule for \(device.title): it lacks the tag orientationd",
            "The rule was installed after the sensor was found", mend: Mend.applyRules)
    }
}
