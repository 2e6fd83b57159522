// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// The value of `--classifier`.
struct ClassifierChoice {
    /// As it was asked for.
    let name: String
    let settings: ClassifierSettings

    static let standard = ClassifierChoice(name: "standard", settings: .standard)

    private static let presets = WordList(ClassifierSettings.presets.map(\.name))

    static func parse(_ text: String) throws -> ClassifierChoice {
        do {
            return ClassifierChoice(name: text, settings: try ClassifierSettings(text))
        } catch ClassifierSettingsError.unknownPreset(let name) {
            throw ValidationError(presets.hint(name))
        }
    }

    static let completion = CompletionKind.list(presets.words)

    static let help = ArgumentHelp(
        "Use this classifier; standard without it.",
        discussion: """
            One of standard, calm (vehicles, walking) and quick (games). Changed settings may follow: calm,dwell=0.4.
            """,
        valueName: "name")
}
