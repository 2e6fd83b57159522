// SPDX-License-Identifier: Apache-2.0

/// The constants of ``OrientationClassifier`` that a product maker may tune, each with its range.
///
/// Settings are always valid: every way of making them checks the ranges and throws an error that names the setting.
/// Angles are in degrees, times in seconds, disturbances in m/s². Written as text, settings are the name of a preset,
/// and optionally changes to it: `calm` or `standard,edgeMargin=15,dwell=0.2`.
public struct ClassifierSettings: Hashable, Sendable {
    /// A face is entered when the screen's normal is at least this far from the horizon, in degrees.
    public fileprivate(set) var faceEnter = 70.0
    /// A face is left when the screen's normal is less than this far from the horizon, in degrees.
    public fileprivate(set) var faceLeave = 55.0
    /// Between edges nothing is decided while the screen's normal is farther than this from the horizon, in degrees:
    /// the steeper, the less does the vector say about the turn.
    public fileprivate(set) var edgeLimit = 60.0
    /// An edge is given up for its neighbour this far past the diagonal between the two, in degrees.
    public fileprivate(set) var edgeMargin = 11.0
    /// Time constant of the low-pass filter while the device is calm, in seconds.
    public fileprivate(set) var smoothing = 0.14
    /// Time constant of the low-pass filter while the device is shaken, in seconds.
    public fileprivate(set) var smoothingShaken = 0.33
    /// How long a new answer that is barely past its boundary must last while the device is calm, in seconds; one
    /// that is far past it need not.
    public fileprivate(set) var dwell = 0.10
    /// How long a new answer must last while the device is shaken, in seconds.
    public fileprivate(set) var dwellShaken = 0.45
    /// How much longer the way back must last right after a change, in seconds.
    public fileprivate(set) var dwellBack = 0.60
    /// Up to this disturbance the device counts as calm, in m/s².
    public fileprivate(set) var calm = 1.2
    /// From this disturbance on the device counts as shaken, in m/s²; between the two it is so in part.
    public fileprivate(set) var shaken = 6.0

    private init() {}
}

extension ClassifierSettings {
    /// For devices held in hands.
    public static let standard = ClassifierSettings()

    /// For vehicles, and for people who walk while they read: fewer changes, later.
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

    /// For games: changes at once, and sometimes one too many.
    public static let quick: ClassifierSettings = {
        var settings = ClassifierSettings()
        settings.faceEnter = 68
        settings.faceLeave = 58
        settings.edgeMargin = 7
        settings.smoothing = 0.07
        settings.smoothingShaken = 0.2
        settings.dwell = 0.04
        settings.dwellBack = 0.15
        settings.calm = 2
        settings.shaken = 8
        return settings
    }()

    /// The presets by name, in the order in which they are offered.
    public static let presets: [(name: String, settings: ClassifierSettings)] = [
        ("standard", .standard), ("calm", .calm), ("quick", .quick),
    ]

    /// From `low` up to the calm disturbance linearly to `high` from the shaken one on.
    func shakenRamp(_ disturbance: Double, from low: Double, to high: Double) -> Double {
        low + (high - low) * min(max((disturbance - calm) / (shaken - calm), 0), 1)
    }
}

extension ClassifierSettings {
    /// A setting by its name, with the range of its values.
    ///
    /// The ranges keep every value meaningful by itself; what must hold between settings is checked beside them.
    public struct Setting: Sendable {
        /// The name by which text refers to it.
        public let name: String
        /// The values that it may have.
        public let range: ClosedRange<Double>
        /// The unit of the values.
        public let unit: String
        let path: any WritableKeyPath<ClassifierSettings, Double> & Sendable

        /// The value that it has in these settings.
        public func value(in settings: ClassifierSettings) -> Double {
            settings[keyPath: path]
        }
    }

    /// Every setting. A new one is a row here and a property above.
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
        Setting(name: "calm", range: 0.1...8, unit: "m/s²", path: \.calm),
        Setting(name: "shaken", range: 0.2...9, unit: "m/s²", path: \.shaken),
    ]

    /// What must hold between two settings: the first is less than the second.
    private static let order: [(String, String)] = [
        ("faceLeave", "faceEnter"), ("edgeLimit", "faceEnter"), ("calm", "shaken"),
        ("smoothing", "smoothingShaken"), ("dwell", "dwellShaken"),
    ]

    /// These settings with some changed.
    ///
    /// - Parameter changes: Values by the names of settings.
    /// - Returns: The changed settings.
    /// - Throws: ``ClassifierSettingsError``, which names the setting that is not known or out of range.
    public func changing(_ changes: [(name: String, value: Double)]) throws(ClassifierSettingsError) -> Self {
        var settings = self
        for (name, value) in changes {
            guard let setting = Self.all.first(where: { $0.name == name }) else {
                throw .unknownSetting(name)
            }
            guard setting.range.contains(value) else {
                throw .outOfRange(name: name, value: value, range: setting.range, unit: setting.unit)
            }
            settings[keyPath: setting.path] = value
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

    /// Reads settings from text: the name of a preset, then changes to it, set apart by commas.
    ///
    /// - Parameter text: For example `calm` or `standard,edgeMargin=15`.
    /// - Throws: ``ClassifierSettingsError``, which names what is not known or out of range.
    public init(_ text: String) throws(ClassifierSettingsError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let preset = Self.presets.first(where: { $0.name == parts[0] }) else {
            throw .unknownPreset(parts[0])
        }
        var changes: [(name: String, value: Double)] = []
        for part in parts.dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = Double(sides[1]) else { throw .notAChange(part) }
            changes.append((name: String(sides[0]), value: value))
        }
        self = try preset.settings.changing(changes)
    }
}
