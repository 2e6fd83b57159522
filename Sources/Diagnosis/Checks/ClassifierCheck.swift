// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// Whether the classifier is tuned: it then turns sooner or later than most people know it.
    static let classifier = Check("classifier") { facts in
        let machine = facts.daemonArguments.value(of: "--classifier").map { ($0, "the option --classifier") }
        let devices = facts.usable.compactMap { device in
            device.udev.properties["ORIENTATIOND_CLASSIFIER"].map { ($0, "udev for \(device.title)") }
        }
        let tunings = [machine].compactMap { $0 } + devices
        let findings = tunings.compactMap { text, place -> Finding? in
            // Nonsense is another check's affair.
            guard let settings = try? ClassifierSettings(text), settings != .standard else { return nil }
            return .note(
                "the classifier is \(text), by \(place)",
                "\(differences(settings)). Without it the standard one is used",
                mend: place.hasPrefix("udev")
                    ? Mend.findProperty("ORIENTATIOND_CLASSIFIER") : "systemctl cat orientationd.service")
        }
        return findings.isEmpty ? [.ok("the classifier is the standard one")] : findings
    }

    private static func differences(_ settings: ClassifierSettings) -> String {
        ClassifierSettings.all.compactMap { setting in
            let (value, standard) = (setting.value(in: settings), setting.value(in: .standard))
            return value == standard ? nil : "\(setting.name) is \(value.brief), not \(standard.brief)"
        }.joined(separator: ", ")
    }
}
