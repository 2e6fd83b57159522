// SPDX-License-Identifier: Apache-2.0

/// The masks of device, window and controller have no common orientation.
public struct InvalidInterfaceOrientationError: Error, Hashable, CustomStringConvertible {
    /// The mask of the device.
    public let deviceMask: InterfaceOrientationMask
    /// The option that limits ``deviceMask``; nil without one.
    var deviceMaskOption: String?
    /// The mask of the delegate, the manifest or the idiom.
    public let windowMask: InterfaceOrientationMask
    /// The source of ``windowMask``: the delegate, the manifest or the idiom.
    public let windowMaskSource: String
    /// The mask of the view controller.
    public let controllerMask: InterfaceOrientationMask
    /// The topmost view controller, or the content to which it defers.
    public let controller: String
    /// Why ``windowMask`` is empty and what to do; nil for the text of an app.
    var windowMaskConflict: String?
    /// What to do; nil for the text of an app.
    var conflictRemedy: String?

    /// The cause and the remedy.
    public var description: String { text(InterfaceOrientation.names) }

    /// Returns the description with other names of orientations.
    func text(_ names: ([InterfaceOrientation]) -> String) -> String {
        if windowMask.isEmpty, let windowMaskConflict { return windowMaskConflict }
        let device = deviceMaskOption.map { "\($0) allows" } ?? "the device supports"
        let masks =
            "\(device) \(deviceMask.text(names)), \(windowMaskSource) allows \(windowMask.text(names)), "
            + "\(controller) supports \(controllerMask.text(names))"
        return "no common interface orientation: \(masks); \(conflictRemedy ?? remedy(names))"
    }

    private func remedy(_ names: ([InterfaceOrientation]) -> String) -> String {
        if controllerMask.isEmpty {
            return "let supportedInterfaceOrientations of \(controller) and of its children have a common orientation"
        }
        if windowMask.isEmpty { return "let \(windowMaskSource) name at least one orientation" }
        if deviceMask.intersection(windowMask).isEmpty {
            return "let \(windowMaskSource) allow one of \(deviceMask.text(names))"
                + (deviceMaskOption.map { ", or change \($0)" } ?? "")
        }
        let narrower = "let \(controller) support one of \(deviceMask.intersection(windowMask).text(names))"
        let possible = deviceMask.intersection(controllerMask)
        // A delegate or controller cannot widen the device's mask.
        return possible.isEmpty
            ? narrower : "\(narrower), or widen \(windowMaskSource) to one of \(possible.text(names))"
    }
}

/// A view controller that prefers an orientation that it does not support; it was not presented.
public struct PreferredOrientationNotSupportedError: Error, Hashable, CustomStringConvertible {
    /// The view controller.
    public let controller: String
    /// The preferred orientation.
    public let preferred: InterfaceOrientation
    /// The supported orientations.
    public let supported: InterfaceOrientationMask

    /// The cause and the remedy.
    public var description: String {
        "\(controller) prefers \(preferred) for its presentation but supports only \(supported); "
            + "add \(preferred) to its supportedInterfaceOrientations or prefer one of those"
    }
}

/// A refused request for an orientation.
public enum GeometryRequestError: Error, Hashable, CustomStringConvertible {
    /// None of the requested orientations is allowed; `Window.explain()` names what refuses.
    case noneSupported(requested: InterfaceOrientationMask, supported: InterfaceOrientationMask)
    /// The topmost view controller prefers a locked orientation.
    case locked
    /// The window does not cover its screen and cannot rotate it.
    case notCoveringScreen
    /// The request is empty.
    case emptyRequest

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .noneSupported(let requested, let supported):
            "none of the requested orientations (\(requested)) is supported (\(supported)); request a supported one, or "
                + "allow one of them first: explain() names the controller that refuses"
        case .locked:
            "the topmost view controller prefers a locked orientation; set prefersInterfaceOrientationLocked to "
                + "false and call setNeedsUpdateOfPrefersInterfaceOrientationLocked() before the request"
        case .notCoveringScreen:
            "the window does not cover its screen; set its frame to screen.fixedBounds"
        case .emptyRequest:
            "the request is empty; request at least one orientation"
        }
    }
}

/// A feature that the application's rule set lacks.
public struct UnavailableError: Error, Hashable, CustomStringConvertible {
    /// The feature.
    public let feature: String
    /// The rule set that lacks it.
    public let ruleSet: RuleSet

    /// The cause and the remedy.
    public var description: String {
        "\(feature) is not available in the rule set .\(ruleSet); create the application with ruleSet: .modern"
    }
}

extension OrientationDecision {
    /// The error of a refused decision; nil otherwise.
    public var error: (any Error)? {
        guard case .refused(let refusal) = basis else { return nil }
        let c = circumstances
        switch refusal {
        case .nothingLeft:
            let possible = c.deviceMask.intersection(c.windowMask)
            return InvalidInterfaceOrientationError(
                deviceMask: c.deviceMask, deviceMaskOption: c.deviceMaskOption, windowMask: c.windowMask,
                windowMaskSource: c.windowMaskSource, controllerMask: c.controllerMask,
                controller: c.controller(where: { $0.isDisjoint(with: possible) }) ?? c.controller,
                windowMaskConflict: c.windowMaskConflict, conflictRemedy: c.conflictRemedy)
        case .preferredNotSupported:
            return PreferredOrientationNotSupportedError(
                controller: c.preferringContent ?? c.controller, preferred: c.preferred, supported: c.controllerMask)
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
