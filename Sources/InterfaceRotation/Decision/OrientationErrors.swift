// SPDX-License-Identifier: Apache-2.0

/// The masks have nothing in common: no orientation is left for the interface.
public struct InvalidInterfaceOrientationError: Error, Hashable, CustomStringConvertible {
    /// What the device can do.
    public let deviceMask: InterfaceOrientationMask
    /// What the delegate, the manifest or the idiom allows.
    public let windowMask: InterfaceOrientationMask
    /// The source of ``windowMask``: the delegate, the manifest or the idiom.
    public let windowMaskSource: String
    /// What the view controller supports.
    public let controllerMask: InterfaceOrientationMask
    /// The view controller that is topmost.
    public let controller: String

    /// What to change, for a person.
    public var description: String {
        let asked =
            "the device can do \(deviceMask), \(windowMaskSource) allows \(windowMask), "
            + "\(controller) supports \(controllerMask)"
        return "no interface orientation is left: \(asked); \(advice)"
    }

    private var advice: String {
        if controllerMask.isEmpty {
            return "let supportedInterfaceOrientations of \(controller), and of what it contains, "
                + "have something in common"
        }
        if windowMask.isEmpty { return "let \(windowMaskSource) name at least one orientation" }
        if deviceMask.intersection(windowMask).isEmpty {
            return "let \(windowMaskSource) allow one of \(deviceMask)"
        }
        let narrower = "let \(controller) support one of \(deviceMask.intersection(windowMask))"
        let possible = deviceMask.intersection(controllerMask)
        // A delegate or controller cannot widen the device's mask.
        return possible.isEmpty ? narrower : "\(narrower), or widen \(windowMaskSource) to one of \(possible)"
    }
}

/// A view controller prefers an orientation that it does not support itself; it was not presented.
public struct PreferredOrientationNotSupportedError: Error, Hashable, CustomStringConvertible {
    /// The view controller.
    public let controller: String
    /// What it prefers.
    public let preferred: InterfaceOrientation
    /// What it supports.
    public let supported: InterfaceOrientationMask

    /// What to change, for a person.
    public var description: String {
        "\(controller) prefers \(preferred) for its presentation but supports only \(supported); "
            + "add \(preferred) to its supportedInterfaceOrientations or prefer one of those"
    }
}

/// A request for an orientation that cannot be granted.
public enum GeometryRequestError: Error, Hashable, CustomStringConvertible {
    /// Nothing of what was requested is allowed.
    case noneSupported(requested: InterfaceOrientationMask, supported: InterfaceOrientationMask)
    /// The topmost view controller prefers the orientation locked.
    case locked
    /// The window does not cover its screen, so it cannot turn it.
    case notCoveringScreen
    /// Nothing was requested.
    case emptyRequest

    /// What to change, for a person.
    public var description: String {
        switch self {
        case .noneSupported(let requested, let supported):
            "none of the requested orientations (\(requested)) is supported here (\(supported)); request one "
                + "of those, or widen supportedInterfaceOrientations first and call "
                + "setNeedsUpdateOfSupportedInterfaceOrientations()"
        case .locked:
            "the topmost view controller prefers its orientation locked; let prefersInterfaceOrientationLocked "
                + "be false and call setNeedsUpdateOfPrefersInterfaceOrientationLocked() before requesting"
        case .notCoveringScreen:
            "a window that does not cover its screen turns nothing; give it the frame of screen.fixedBounds"
        case .emptyRequest:
            "the request names no orientation; name at least one"
        }
    }
}

/// Something that the application's rule set does not have.
public struct UnavailableError: Error, Hashable, CustomStringConvertible {
    /// What was asked for.
    public let feature: String
    /// The rule set that lacks it.
    public let ruleSet: RuleSet

    /// What to change, for a person.
    public var description: String {
        "\(feature) is not there in the rule set .\(ruleSet); make the application with ruleSet: .modern"
    }
}

/// What the program does in its callbacks keeps causing more of the same; the interface stays where it is.
public struct RotationDoesNotSettleError: Error, Hashable, CustomStringConvertible {
    /// What repeats.
    public enum Repetition: Hashable, Sendable {
        /// Turns, each caused by a callback of the one before.
        case turns
        /// Evaluations and appearances, each asked for by a callback or an answer of the one before.
        case changes
        /// Blocks that move along with a turn, each registered by another.
        case animations
        /// Key windows, each made so when the status bar had followed the one before.
        case keyWindows
    }

    /// What repeats.
    public let repetition: Repetition
    /// How often it was let happen without a new cause from outside.
    public let count: Int
    /// The view controller that is topmost.
    public let controller: String

    /// What to change, for a person.
    public var description: String {
        switch repetition {
        case .turns:
            "\(count) turns in a row each caused the next one, the last with \(controller) on top; do not change "
                + "supportedInterfaceOrientations, or present, push and request, in every rotation callback"
        case .changes:
            "\(count) changes of what is shown or supported in a row each caused the next one, the last with "
                + "\(controller) on top; do not present, dismiss, push or pop in every viewDidAppear, and do not call "
                + "setNeedsUpdate… where supportedInterfaceOrientations answers"
        case .animations:
            "\(count) blocks that animate along with a turn were registered by other such blocks, with "
                + "\(controller) on top; do not call animate(alongside:) of the coordinator in its own block: what is "
                + "to move in every frame belongs in the window's surface"
        case .keyWindows:
            "\(count) windows in a row were made key because the one before was, the last with \(controller) on top; "
                + "do not call makeKeyAndVisible() in every change of the status bar's orientation"
        }
    }
}

extension OrientationDecision {
    /// Why the interface could not be decided; nil when it was.
    public var error: (any Error)? {
        guard case .refused(let refusal) = basis else { return nil }
        let c = circumstances
        switch refusal {
        case .nothingLeft:
            return InvalidInterfaceOrientationError(
                deviceMask: c.deviceMask, windowMask: c.windowMask, windowMaskSource: c.windowMaskSource,
                controllerMask: c.controllerMask, controller: c.controller)
        case .preferredNotSupported:
            return PreferredOrientationNotSupportedError(
                controller: c.controller, preferred: c.preferred, supported: c.controllerMask)
        case .noneSupported:
            guard case .requested(let mask) = c.cause else { return nil }
            return GeometryRequestError.noneSupported(requested: mask, supported: c.allowed)
        case .locked: return GeometryRequestError.locked
        case .notCoveringScreen: return GeometryRequestError.notCoveringScreen
        case .emptyRequest: return GeometryRequestError.emptyRequest
        case .unavailable:
            return UnavailableError(feature: "requestGeometryUpdate", ruleSet: c.ruleSet)
        }
    }
}
