// SPDX-License-Identifier: Apache-2.0

/// The tunable parameters of ``OrientationClassifier``.
///
///     let settings = try ClassifierSettings("standard,edgeMargin=15,dwell=0.2")
///
/// Settings are always valid: every initializer checks the ranges and throws an error that names the parameter. Angles
/// are in degrees, times in seconds, disturbances in m/s². The text form is the name of a preset, optionally followed
/// by changes: `calm` or `standard,edgeMargin=15,dwell=0.2`.
public struct ClassifierSettings: Hashable, Sendable {
    /// Tilt at which a face is entered, in degrees from the horizon.
    public fileprivate(set) var faceEnter = 70.0
    /// Tilt below which a face is left, in degrees from the horizon.
    public fileprivate(set) var faceLeave = 55.0
    /// Tilt up to which edges are distinguished, in degrees from the horizon: the direction in the screen's plane
    /// becomes uncertain as the tilt grows.
    public fileprivate(set) var edgeLimit = 60.0
    /// Angle past the diagonal between two edges at which the edge changes, in degrees.
    public fileprivate(set) var edgeMargin = 11.0
    /// Time constant of the low-pass filter at low disturbance, in seconds.
    public fileprivate(set) var smoothing = 0.14
    /// Time constant of the low-pass filter at high disturbance, in seconds.
    public fileprivate(set) var smoothingShaken = 0.33
    /// Evidence needed for a new answer just past its boundary at low disturbance, in seconds; none is needed far past
    /// the boundary.
    public fileprivate(set) var dwell = 0.10
    /// Evidence needed for a new answer at high disturbance, in seconds.
    public fileprivate(set) var dwellShaken = 0.45
    /// Additional evidence needed to reverse a recent change, in seconds.
    public fileprivate(set) var dwellBack = 0.60
    /// Additional evidence needed while the device is carried, in seconds. A larger value delays turns by hand and avoids
    /// few wrong ones.
    public fileprivate(set) var dwellCarried = 0.15
    /// Disturbance up to which the device counts as calm, in m/s².
    public fileprivate(set) var calm = 1.2
    /// Disturbance from which the device counts as shaken, in m/s²; parameters are interpolated linearly in between.
    public fileprivate(set) var shaken = 6.0

    private init() {}
}

extension ClassifierSettings {
    /// For handheld devices.
    public static let standard = ClassifierSettings()

    /// For vehicles: fewer and later changes.
    public static let calm: ClassifierSettings = {
        var settings = ClassifierSettings()
        settings.edgeMargin = 15
        settings.smoothing = 0.25
        settings.smoothingShaken = 0.5
        settings.dwell = 0.25
        settings.dwellShaken = 0.9
        settings.dwellBack = 1
        settings.calm = 0.8
        settings.shaken = 4
        return settings
    }()

    /// For games: immediate changes, occasionally a wrong one.
    public static let quick: ClassifierSettings = {
        var settings = ClassifierSettings()
        settings.faceEnter = 68
        settings.faceLeave = 58
        settings.edgeMargin = 7
        settings.smoothing = 0.07
        settings.smoothingShaken = 0.2
        settings.dwell = 0.04
        settings.dwellBack = 0.15
        settings.dwellCarried = 0
        settings.calm = 2
        settings.shaken = 8
        return settings
    }()

    /// All presets by name, in display order.
    public static let presets: [(name: String, settings: ClassifierSettings)] = [
        ("standard", .standard), ("calm", .calm), ("quick", .quick),
    ]

    /// Interpolates from `low` at the calm disturbance to `high` at the shaken one; constant outside.
    func shakenRamp(_ disturbance: Double, from low: Double, to high: Double) -> Double {
        low + (high - low) * min(max((disturbance - calm) / (shaken - calm), 0), 1)
    }

    /// A parameter with its name, range and unit.
    ///
    /// The ranges apply to each parameter alone; `order` lists the constraints between two of them.
    public struct Setting: Sendable {
        /// The name in the text form.
        public let name: String
        /// The valid values.
        public let range: ClosedRange<Double>
        /// The unit of the values.
        public let unit: String
        let path: any WritableKeyPath<ClassifierSettings, Double> & Sendable

        /// Returns the value of this parameter in `settings`.
        public func value(in settings: ClassifierSettings) -> Double {
            settings[keyPath: path]
        }
    }

    /// All parameters. A new parameter is a row here and a property above.
    public static let all: [Setting] = [
        Setting(name: "faceEnter", range: 50...85, unit: "°", path: \.faceEnter),
        Setting(name: "faceLeave", range: 40...80, unit: "°", path: \.faceLeave),
        Setting(name: "edgeLimit", range: 30...85, unit: "°", path: \.edgeLimit),
        Setting(name: "edgeMargin", range: 2...30, unit: "°", path: \.edgeMargin),
        Setting(name: "smoothing", range: 0.01...2, unit: "s", path: \.smoothing),
        Setting(name: "smoothingShaken", range: 0.01...5, unit: "s", path: \.smoothingShaken),
        Setting(name: "dwell", range: 0...5, unit: "s", path: \.dwell),
        Setting(name: "dwellShaken", range: 0...10, unit: "s", path: \.dwellShaken),
        Setting(name: "dwellBack", range: 0...5, unit: "s", path: \.dwellBack),
        Setting(name: "dwellCarried", range: 0...5, unit: "s", path: \.dwellCarried),
        Setting(name: "calm", range: 0.1...8, unit: "m/s²", path: \.calm),
        Setting(name: "shaken", range: 0.2...9, unit: "m/s²", path: \.shaken),
    ]

    /// Pairs of parameters of which the first must be less than the second.
    private static let order: [(String, String)] = [
        ("faceLeave", "faceEnter"), ("edgeLimit", "faceEnter"), ("calm", "shaken"),
        ("smoothing", "smoothingShaken"), ("dwell", "dwellShaken"),
    ]

    /// Returns a copy with some parameters changed.
    ///
    /// - Parameter changes: Values by parameter name.
    /// - Returns: The changed settings.
    /// - Throws: ``ClassifierSettingsError`` for an unknown parameter or an invalid value.
    public func changing(_ changes: [(name: String, value: Double)]) throws(ClassifierSettingsError) -> Self {
        var settings = self
        for (name, value) in changes {
            guard let parameter = Self.all.first(where: { $0.name == name }) else {
                throw .unknownParameter(name)
            }
            guard parameter.range.contains(value) else {
                throw .outOfRange(name: name, value: value, range: parameter.range, unit: parameter.unit)
            }
            settings[keyPath: parameter.path] = value
        }
        for (low, high) in Self.order {
            guard settings.value(low) < settings.value(high) else {
                throw .wrongOrder(low: low, high: high)
            }
        }
        return settings
    }

    private func value(_ name: String) -> Double {
        Self.all.first { $0.name == name }?.value(in: self) ?? .nan
    }

    /// Parses the text form: the name of a preset, then changes, separated by commas.
    ///
    /// - Parameter text: For example `calm` or `standard,edgeMargin=15`.
    /// - Throws: ``ClassifierSettingsError`` for an unknown name or an invalid value.
    public init(_ text: String) throws(ClassifierSettingsError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let preset = Self.presets.first(where: { $0.name == parts[0] }) else {
            throw .unknownPreset(parts[0])
        }
        var changes: [(name: String, value: Double)] = []
        for part in parts.dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = Double(sides[1]) else { throw .invalidChange(part) }
            changes.append((name: String(sides[0]), value: value))
        }
        self = try preset.settings.changing(changes)
    }
}

extension ClassifierSettings: CustomStringConvertible {
    /// The shortest text form: the closest preset and the changes to it.
    public var description: String {
        let texts = Self.presets.map { preset in
            [preset.name]
                + Self.all.filter { $0.value(in: self) != $0.value(in: preset.settings) }
                .map { "\($0.name)=\($0.value(in: self))" }
        }
        // The first preset if several are equally close.
        let nearest = texts.dropFirst().reduce(texts[0]) { $1.count < $0.count ? $1 : $0 }
        return nearest.joined(separator: ",")
    }
}

/// An error in the text form of classifier settings.
public enum ClassifierSettingsError: Error, Hashable, Sendable {
    case unknownPreset(String)
    case unknownParameter(String)
    /// A change that is not of the form `name=number`.
    case invalidChange(String)
    /// A value outside the range of its parameter.
    case outOfRange(name: String, value: Double, range: ClosedRange<Double>, unit: String)
    /// Two parameters in the wrong order: the first must be less than the second.
    case wrongOrder(low: String, high: String)
}

extension ClassifierSettingsError: CustomStringConvertible {
    /// The error message.
    public var description: String {
        switch self {
        case .unknownPreset(let name):
            let known = ClassifierSettings.presets.map(\.name).joined(separator: ", ")
            return "unknown classifier '\(name)': must be one of \(known)"
        case .unknownParameter(let name):
            let known = ClassifierSettings.all.map(\.name).joined(separator: ", ")
            return "unknown parameter '\(name)': must be one of \(known)"
        case .invalidChange(let text):
            return "invalid change '\(text)': must be name=number"
        case .outOfRange(let name, let value, let range, let unit):
            return "invalid value \(value) for \(name): must be \(range.lowerBound) to \(range.upperBound) \(unit)"
        case .wrongOrder(let low, let high):
            return "\(low) must be less than \(high)"
        }
    }
}
