// SPDX-License-Identifier: Apache-2.0

/// The constants of ``OrientationClassifier``: what a product maker may tune, each with its range.
///
/// Settings are always valid: every way of making them checks the ranges and throws an error that names the setting.
/// Angles are in degrees, times in seconds, disturbances in m/s².
public struct ClassifierSettings: Hashable, Sendable {
    /// A face is entered when the screen's normal is at least this far above or below the horizon.
    public private(set) var faceEnter = 70.0
    /// A face is left when the screen's normal is less than this far above or below the horizon.
    public private(set) var faceLeave = 56.0
    /// Between edges nothing is decided while the screen's normal is farther than this from the horizon.
    public private(set) var edgeLimit = 60.0
    /// An edge is given up for its neighbour this far past the diagonal between the two.
    public private(set) var edgeMargin = 12.0
    /// Time constant of the low-pass filter while the device is calm.
    public private(set) var smoothing = 0.15
    /// Time constant of the low-pass filter while the device is shaken.
    public private(set) var smoothingShaken = 0.30
    /// How long a new answer must persist while the device is calm.
    public private(set) var dwell = 0.05
    /// How long a new answer must persist while the device is shaken.
    public private(set) var dwellShaken = 0.5

    /// For hand-held devices.
    public static let standard = ClassifierSettings()

    private init() {}
}
