// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// The value of `--classifier`.
struct ClassifierChoice {
    /// As it was asked for.
    let name: String
    let settings: ClassifierSettings

    static let standard = ClassifierChoice(name: "standard", settings: .standard)

    static func parse(_ text: String) throws -> ClassifierChoice {
        ClassifierChoice(name: text, settings: try ClassifierSettings(text))
    }

    static let completion = CompletionKind.list(ClassifierSettings.presets.map(\.name))

    static let help = ArgumentHelp(
        """
        Which classifier: standard, calm (vehicles, walking) or quick (games). Changes to its settings may follow: \
        calm,dwell=0.4.
        """,
        valueName: "name")
}
