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
                fix: "sudo systemctl start systemd-udevd.service")
    }

    private static func rule(_ facts: MachineFacts) -> Finding {
        let name = UdevFacts.ruleName
        if let rule = facts.udev.rule {
            guard facts.udev.isRuleMasked else { return .ok("the rule \(rule) is installed") }
            return .problem(
                "\(rule) is empty, which disables the rule",
                "The daemon's user gets no access to sensors' buffers", fix: "sudo rm \(rule) && \(Fix.applyRules)")
        }
        let summary = "udev has no rule \(name)"
        let detail = "The daemon's user gets no access to sensors' buffers and to a convertible's switch"
        return facts.service.unit("orientationd.service") == nil
            ? .note(summary, detail) : .problem(summary, detail, fix: "sudo make install && \(Fix.applyRules)")
    }

    private static func device(_ device: DeviceFacts, _ facts: MachineFacts) -> Finding? {
        guard facts.udev.isRunning else { return nil }
        guard device.udev.isProcessed else {
            return .problem(
                "udev has not run its rules for \(device.title)",
                "The daemon waits for its mount matrix and its permissions",
                fix: "sudo udevadm trigger --action=add --subsystem-match=iio && sudo udevadm settle")
        }
        guard facts.udev.rule != nil, !facts.udev.isRuleMasked, !device.udev.tags.contains("orientationd"),
            device.missingAxes.isEmpty
        else { return nil }
        return .problem(
            "udev has not run the daemon's rule for \(device.title): it lacks the tag orientationd",
            "The rule was installed after the sensor was found", fix: Fix.applyRules)
    }
}

extension Check {
    /// Checks the udev properties of each accelerometer: the daemon ignores invalid values.
    static let properties = Check("properties") { facts in
        facts.accelerometers.flatMap { device in
            [location(device), natural(device), faceSign(device), buffer(device), tuning(device)].compactMap { $0 }
        }
    }

    private static func location(_ device: DeviceFacts) -> Finding? {
        guard let invalid = device.location.invalid else { return nil }
        return Self.invalid("ACCEL_LOCATION", invalid, "display, lid or base", device)
    }

    private static func natural(_ device: DeviceFacts) -> Finding? {
        let property = "ORIENTATIOND_NATURAL_ORIENTATION"
        guard let text = device.udev.properties[property] else { return nil }
        guard let natural = try? Edge(naturalOrientation: text) else {
            let valid = PanelShape.allCases.map(\.natural.description).joined(separator: " or ")
            return invalid(property, text, valid, device)
        }
        return .note(
            "\(property) is \(natural) for \(device.title)",
            "It overrides the shape of the panel; if portrait and landscape are swapped, this is the cause",
            fix: Fix.findProperty(property))
    }

    private static func faceSign(_ device: DeviceFacts) -> Finding? {
        guard let text = device.udev.properties["ORIENTATIOND_FACE_SIGN"] else { return nil }
        guard let sign = Int(text), sign == 1 || sign == -1 else {
            return invalid("ORIENTATIOND_FACE_SIGN", text, "1 or -1", device)
        }
        return .note(
            "ORIENTATIOND_FACE_SIGN is \(sign) for \(device.title)",
            "It overrides the sign of z; if faceUp and faceDown are swapped, this is the cause",
            fix: Fix.findProperty("ORIENTATIOND_FACE_SIGN"))
    }

    private static func buffer(_ device: DeviceFacts) -> Finding? {
        switch device.udev.properties["ORIENTATIOND_BUFFER"] {
        case nil: nil
        case "0":
            .note(
                "ORIENTATIOND_BUFFER is 0 for \(device.title)", "Its buffer is not used, although it may work",
                fix: Fix.findProperty("ORIENTATIOND_BUFFER"))
        case "1":
            .note(
                "ORIENTATIOND_BUFFER is 1 for \(device.title)", "Its buffer is used even beside iio-sensor-proxy",
                fix: Fix.findProperty("ORIENTATIOND_BUFFER"))
        case let text?: invalid("ORIENTATIOND_BUFFER", text, "1 or 0", device)
        }
    }

    private static func tuning(_ device: DeviceFacts) -> Finding? {
        guard let text = device.udev.properties["ORIENTATIOND_CLASSIFIER"] else { return nil }
        do throws(ClassifierSettingsError) {
            _ = try ClassifierSettings(text)
            return nil
        } catch {
            return invalid("ORIENTATIOND_CLASSIFIER", text, "a classifier", device, because: error.description)
        }
    }

    private static func invalid(
        _ property: String, _ text: String, _ expected: String, _ device: DeviceFacts, because: String? = nil
    ) -> Finding {
        .problem(
            "udev's \(property) for \(device.title) is invalid: '\(text)' must be \(expected)",
            because.map { "It has no effect: \($0)" } ?? "It has no effect", fix: Fix.findProperty(property))
    }
}
