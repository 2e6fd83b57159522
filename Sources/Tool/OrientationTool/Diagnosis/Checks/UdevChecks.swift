// SPDX-License-Identifier: Apache-2.0

import OrientationModel

extension Check {
    /// Checks udev, the daemon's rule, and that it has run for each accelerometer.
    static let udev = Check("udev") { facts in
        [daemon(facts), rule(facts)] + facts.accelerometers.compactMap { device($0, facts) }
    }

    private static func daemon(_ facts: MachineFacts) -> Finding {
        facts.udev.isRunning
            ? .ok("udev is running")
            : .note(
                "udev is not running",
                "Mount matrices from its database are missing, and sensors that are added later are not found",
                fix: Fix(.startUdev, "sudo systemctl start systemd-udevd.service"))
    }

    private static func rule(_ facts: MachineFacts) -> Finding {
        let name = UdevFacts.ruleName
        if let rule = facts.udev.rule {
            guard facts.udev.isRuleMasked else { return .ok("the rule \(rule) is installed") }
            return .problem(
                "\(rule) is empty, which disables the rule",
                "The daemon's user gets no access to sensors' buffers",
                fix: Fix(.enableRule, "sudo rm \(rule) && \(Fix.applyRules().command)"))
        }
        let summary = "udev has no rule \(name)"
        let detail = "The daemon's user gets no access to sensors' buffers and to a convertible's switch"
        return facts.service.unit("orientationd.service") == nil
            ? .note(summary, detail) : .problem(summary, "\(detail): install the package orientationd again")
    }

    private static func device(_ device: DeviceFacts, _ facts: MachineFacts) -> Finding? {
        guard facts.udev.isRunning else { return nil }
        guard device.udev.isProcessed else {
            return .problem(
                "udev has not run its rules for \(device.title)",
                "The daemon waits for its mount matrix and its permissions",
                fix: Fix(.processDevices, "sudo udevadm trigger --action=add --subsystem-match=iio"))
        }
        guard facts.udev.rule != nil, !facts.udev.isRuleMasked, !device.udev.tags.contains("orientationd"),
            device.missingAxes.isEmpty
        else { return nil }
        return .problem(
            "udev has not run the daemon's rule for \(device.title): it lacks the tag orientationd",
            "The rule was installed after the sensor was found", fix: .applyRules())
    }

    /// Checks the udev properties of each accelerometer: the daemon ignores invalid values.
    static let properties = Check("properties") { facts in
        facts.accelerometers.flatMap { device in
            SensorProperty.allCases.compactMap { property in
                guard property != .mountMatrix, let text = device.udev.properties[property.rawValue] else { return nil }
                return finding(property, text, device)
            }
        }
    }

    private static func finding(_ property: SensorProperty, _ text: String, _ device: DeviceFacts) -> Finding? {
        let traits = device.traits
        if traits.refusals.contains(where: { $0.property == property }) { return invalid(property, text, device) }
        let effect: String
        switch property {
        case .naturalOrientation:
            effect = "It overrides the shape of the panel; if portrait and landscape are swapped, this is the cause"
        case .faceSign:
            effect = "It overrides the sign of z; if faceUp and faceDown are swapped, this is the cause"
        case .buffer:
            effect =
                traits.usesBuffer == true
                ? "Its buffer is used even beside iio-sensor-proxy" : "Its buffer is not used, although it may work"
        case .classifier: return classifierError(text).map { invalid(property, text, device, because: $0) }
        case .mountMatrix, .location, .nearLevel, .proxyType: return nil
        }
        return .note(
            "\(property.rawValue) is \(text) for \(device.title)", "\(effect). \(device.place(of: property))")
    }

    private static func classifierError(_ text: String) -> String? {
        do throws(ClassifierSettingsError) {
            _ = try ClassifierSettings(text)
            return nil
        } catch {
            return error.description
        }
    }

    private static func invalid(
        _ property: SensorProperty, _ text: String, _ device: DeviceFacts, because: String? = nil
    ) -> Finding {
        .problem(
            "udev's \(property.rawValue) for \(device.title) is invalid: '\(text)' must be \(property.validValues)",
            (because.map { "It has no effect: \($0)" } ?? "It has no effect") + ". \(device.place(of: property))")
    }
}
