// SPDX-License-Identifier: Apache-2.0

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
