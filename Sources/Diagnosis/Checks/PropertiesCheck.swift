// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// What udev says of each accelerometer, beside its matrix: nonsense is passed over by the daemon, and so easily
    /// taken for something that has no effect.
    static let properties = Check("properties") { facts in
        facts.accelerometers.flatMap { device in
            [location(device), faceSign(device), buffer(device), tuning(device)].compactMap { $0 }
        }
    }

    private static func location(_ device: DeviceFacts) -> Finding? {
        guard let nonsense = device.location.nonsense else { return nil }
        return wrong("ACCEL_LOCATION", nonsense, "display, lid or base", device)
    }

    private static func faceSign(_ device: DeviceFacts) -> Finding? {
        guard let text = device.udev.properties["ORIENTATIOND_FACE_SIGN"] else { return nil }
        guard let sign = Int(text), sign == 1 || sign == -1 else {
            return wrong("ORIENTATIOND_FACE_SIGN", text, "1 or -1", device)
        }
        return .note(
            "ORIENTATIOND_FACE_SIGN is \(sign) for \(device.title)",
            "The sign of z is a person's word; if faceUp and faceDown are swapped, this is why",
            mend: Mend.findProperty("ORIENTATIOND_FACE_SIGN"))
    }

    private static func buffer(_ device: DeviceFacts) -> Finding? {
        switch device.udev.properties["ORIENTATIOND_BUFFER"] {
        case nil: nil
        case "0":
            .note(
                "ORIENTATIOND_BUFFER is 0 for \(device.title)", "Its buffer is not used, although it may work",
                mend: Mend.findProperty("ORIENTATIOND_BUFFER"))
        case "1":
            .note(
                "ORIENTATIOND_BUFFER is 1 for \(device.title)", "Its buffer is used even beside iio-sensor-proxy",
                mend: Mend.findProperty("ORIENTATIOND_BUFFER"))
        case let text?: wrong("ORIENTATIOND_BUFFER", text, "1 or 0", device)
        }
    }

    private static func tuning(_ device: DeviceFacts) -> Finding? {
        guard let text = device.udev.properties["ORIENTATIOND_CLASSIFIER"] else { return nil }
        do throws(ClassifierSettingsError) {
            _ = try ClassifierSettings(text)
            return nil
        } catch {
            return wrong("ORIENTATIOND_CLASSIFIER", text, "a classifier", device, because: error.description)
        }
    }

    private static func wrong(
        _ property: String, _ text: String, _ expected: String, _ device: DeviceFacts, because: String? = nil
    ) -> Finding {
        .problem(
            "udev's \(property) for \(device.title) is '\(text)', where \(expected) is expected",
            because.map { "It has no effect: \($0)" } ?? "It has no effect", mend: Mend.findProperty(property))
    }
}
