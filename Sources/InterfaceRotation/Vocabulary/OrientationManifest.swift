// SPDX-License-Identifier: Apache-2.0

/// The orientations that an app declares for itself, readable before it runs.
///
/// The target `AppManifest` reads one from an `Info.plist` or a `.desktop` file.
public struct OrientationManifest: Hashable, Sendable {
    /// The declared orientations in their order; nil if nothing is declared. The first is the launch orientation.
    public let supportedInterfaceOrientations: [InterfaceOrientation]?

    /// Declares nothing: the default of the idiom holds.
    public static let none = OrientationManifest()

    private init() { supportedInterfaceOrientations = nil }

    /// Declares these, in this order; repeated ones count once.
    public init(_ orientations: [InterfaceOrientation]) throws(OrientationManifestError) {
        var list: [InterfaceOrientation] = []
        for orientation in orientations where !list.contains(orientation) {
            guard orientation != .unknown else { throw .unknownOrientation }
            list.append(orientation)
        }
        guard !list.isEmpty else { throw .empty }
        supportedInterfaceOrientations = list
    }

    var mask: InterfaceOrientationMask? {
        supportedInterfaceOrientations.map { InterfaceOrientationMask($0) }
    }
}

/// A list of orientations that declares nothing.
public enum OrientationManifestError: Error, Hashable, CustomStringConvertible {
    /// The list is empty.
    case empty
    /// The list holds `unknown`.
    case unknownOrientation

    /// What to change, for a person.
    public var description: String {
        switch self {
        case .empty: "an app that declares orientations declares at least one; use .none to declare nothing"
        case .unknownOrientation: "an app cannot be shown in 'unknown'; leave it out of the list"
        }
    }
}

/// The kind of device an app is made for; it decides what an app that declares nothing supports.
public enum UserInterfaceIdiom: Sendable, CaseIterable {
    /// Held in one hand; upside down is a mistake more often than a wish.
    case phone
    /// Has no right way up.
    case pad

    /// What an app, and each view controller, supports when it says nothing itself.
    public var defaultOrientations: InterfaceOrientationMask {
        switch self {
        case .phone: .allButUpsideDown
        case .pad: .all
        }
    }
}

/// The interface rules of one of three generations of UIKit.
public enum RuleSet: Sendable, CaseIterable {
    /// iOS 16 and later: masks decide, the device is followed unless a lock holds.
    case modern
    /// iOS 6 to 15: besides, `shouldAutorotate` says whether the device is followed at all.
    case autorotating
    /// Up to iOS 5: `shouldAutorotate(to:)` decides alone.
    case legacy
}
