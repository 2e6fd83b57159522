// SPDX-License-Identifier: Apache-2.0

extension ClassifierSettings: CustomStringConvertible {
    /// The text from which the same settings can be read: the preset that is nearest, and the changes to it.
    public var description: String {
        let texts = Self.presets.map { preset in
            [preset.name]
                + Self.all.filter { $0.value(in: self) != $0.value(in: preset.settings) }
                .map { "\($0.name)=\($0.value(in: self))" }
        }
        // The first of those that are equally near.
        let nearest = texts.dropFirst().reduce(texts[0]) { $1.count < $0.count ? $1 : $0 }
        return nearest.joined(separator: ",")
    }
}
