// SPDX-License-Identifier: Apache-2.0

package import Displays

/// The transform of an output, to be restored.
package struct SavedTransform: Hashable, Sendable {
    package let output: String
    package let transform: OutputTransform

    package init(output: String, transform: OutputTransform) {
        self.output = output
        self.transform = transform
    }

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
