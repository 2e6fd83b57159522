// SPDX-License-Identifier: Apache-2.0

/// Why settings of a classifier cannot be used; says which.
public enum ClassifierSettingsError: Error, Hashable, Sendable {
    /// There is no preset of this name.
    case unknownPreset(String)
    /// There is no setting of this name.
    case unknownSetting(String)
    /// A change to a preset that is not of the form `name=number`.
    case notAChange(String)
    /// The value of this setting is outside its range.
    case outOfRange(name: String, value: Double, range: ClosedRange<Double>, unit: String)
    /// The first of these settings must be less than the second.
    case wrongOrder(low: String, high: String)
}

extension ClassifierSettingsError: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .unknownPreset(let name):
            let known = ClassifierSettings.presets.map(\.name).joined(separator: ", ")
            return "no classifier is called '\(name)'; there are: \(known)"
        case .unknownSetting(let name):
            let known = ClassifierSettings.all.map(\.name).joined(separator: ", ")
            return "the classifier has no setting '\(name)'; it has: \(known)"
        case .notAChange(let text):
            return "'\(text)' does not change a setting of the classifier; write name=number"
        case .outOfRange(let name, let value, let range, let unit):
            return
                "the classifier's \(name) is \(value), not from \(range.lowerBound) to \(range.upperBound) \(unit)"
        case .wrongOrder(let low, let high):
            return "the classifier's \(low) must be less than its \(high)"
        }
    }
}
