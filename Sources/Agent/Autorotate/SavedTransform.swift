// SPDX-License-Identifier: Apache-2.0

internal import Displays

/// The transform of an output, to be restored.
struct SavedTransform: Hashable, Sendable {
    let output: String
    let transform: OutputTransform
}

extension SavedTransform {
    /// Parses a restore record; nil for another text.
    init?(record: String) {
        let words = record.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let number = Int(words[0]), let transform = OutputTransform(rawValue: number) else {
            return nil
        }
        self.init(output: String(words[1]), transform: transform)
    }

    /// The text that the next agent of the session reads if this one crashes.
    var record: String { "\(transform.rawValue) \(output)" }
}
