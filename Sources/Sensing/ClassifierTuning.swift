// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// How the classifier is tuned for one device: as udev's database says for it, else as the daemon was asked.
struct ClassifierTuning {
    let settings: ClassifierSettings
    /// What was wrong with udev's word.
    let warnings: [String]

    init(_ request: SensorRequest, device: String) {
        guard let text = request.facts.value(of: .classifier, for: device) else {
            settings = request.settings
            warnings = []
            return
        }
        do {
            settings = try ClassifierSettings(text)
            warnings = []
        } catch {
            settings = request.settings
            warnings = ["udev \(HardwareFacts.Property.classifier.rawValue): \(error)"]
        }
    }
}
