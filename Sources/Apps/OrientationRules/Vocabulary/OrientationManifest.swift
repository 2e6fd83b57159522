// SPDX-License-Identifier: Apache-2.0

/// The orientations that an app declares for itself, readable before it runs.
///
/// The target `AppManifest` reads one from an `Info.plist` or a `.desktop` file.
public struct OrientationManifest: Hashable, Sendable {
    /// The declared orientations in their order; nil if nothing is declared. The first is the launch orientation.
    public let supportedInterfaceOrientations: [InterfaceOrientation]?
    /// Whether only the first is declared; the others are the default of the idiom.
    package var isInitialOnly = false

    /// No declaration: the default of the idiom applies.
    public static let none = OrientationManifest()

    private init() { supportedInterfaceOrientations = nil }

    /// Creates a manifest with these orientations in this order, ignoring duplicates.
    public init(_ orientations: [InterfaceOrientation]) throws(OrientationManifestError) {
        var list: [InterfaceOrientation] = []
        for orientation in orientations where !list.contains(orientation) {
            guard orientation != .unknown else { throw .unknownOrientation }
            list.append(orientation)
        }
        guard !list.isEmpty else { throw .empty }
        supportedInterfaceOrientations = list
    }

    package var mask: InterfaceOrientationMask? {
        supportedInterfaceOrientations.map { InterfaceOrientationMask($0) }
    }
}

/// An invalid list of orientations.
public enum OrientationManifestError: Error, Hashable, CustomStringConvertible {
    /// The list is empty.
    case empty
    /// The list contains `unknown`.
    case unknownOrientation

    /// The error message: what failed, and what to change.
    public var description: String {
        switch self {
        case .empty: "list of orientations: invalid value: empty; name at least one, or use .none to declare nothing"
        case .unknownOrientation: "list of orientations: invalid value 'unknown': remove it from the list"
        }
    }
}

/// The kind of device for which an app is made; it determines the default orientations.
public enum UserInterfaceIdiom: Sendable, CaseIterable {
    /// Held in one hand; not rotated upside down by default.
    case phone
    /// Used in any orientation.
    case pad

    /// The orientations of an app or view controller that declares none.
    public var defaultOrientations: InterfaceOrientationMask {
        switch self {
        case .phone: .allButUpsideDown
        case .pad: .all
        }
    }
}

/// The interface rules of one of three generations of UIKit.
public enum RuleSet: Sendable, CaseIterable {
    /// iOS 16 to 27: the masks decide, and the device is followed unless a lock is on. Requests are those of iOS 16, the
    /// app's own lock is that of iOS 26, and the mask of a window's delegate that of iOS 27.
    case modern
    /// iOS 6 to 15: in addition, `shouldAutorotate` decides whether the device is followed.
    case autorotating
    /// Up to iOS 5: `shouldAutorotate(to:)` decides alone.
    case legacy
}
