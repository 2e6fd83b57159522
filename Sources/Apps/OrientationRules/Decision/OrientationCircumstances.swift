// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// Everything that a decision depends on: the cause, the device orientation, the locks and the answers.
///
/// A value without references and without a clock. The defaults are for an app that overrides nothing.
public struct OrientationCircumstances: Hashable, Sendable {
    /// The cause.
    public var cause: OrientationCause
    /// The rule set.
    public var ruleSet = RuleSet.modern
    /// The orientation of the interface before the decision; one of the four.
    public var current: InterfaceOrientation

    /// The current device orientation, as the app sees it.
    public var device: DeviceOrientation
    /// The last edge that was up before ``device``.
    public var lastEdge: Edge?
    /// Where the device's orientation comes from.
    public var source = Source.reading
    /// Besides ``cause``, a new edge came up since the last decision.
    public var hasNewEdge = false
    /// Besides ``cause``, an answer changed.
    public var hasNewAnswers = false
    /// Besides ``cause``, the presented controller prefers another orientation than before.
    public var hasNewPreference = false
    /// The orientation that the program requested; nil after the next new edge.
    public var heldRequest: InterfaceOrientation?

    /// Whether the user's rotation lock is on, and at which edge.
    public var userLock = UserLock.off
    /// The topmost view controller's `prefersInterfaceOrientationLocked`, if it is in force.
    public var isLockedByApp = false
    /// Whether the window covers its screen.
    public var coversScreen = true

    /// The device mask.
    public var deviceMask = InterfaceOrientationMask.all
    /// The option that limits ``deviceMask``, with its value; nil without one.
    package var deviceMaskOption: String?
    /// The source of ``deviceMask``.
    var deviceMaskSource: String { deviceMaskOption ?? "the device" }
    /// The mask of the app's delegate, of its manifest, or of its idiom.
    public var windowMask = InterfaceOrientationMask.all
    /// The source of ``windowMask``.
    public var windowMaskSource = "the app's default"
    /// Why ``windowMask`` is empty and what to do, for messages; nil for the text of an app.
    package var windowMaskConflict: String?
    /// What to do if nothing is allowed, for messages; nil for the text of an app.
    package var conflictRemedy: String?
    /// The topmost view controller's `shouldAutorotate`.
    public var shouldAutorotate = true
    /// The topmost view controller's mask, intersected with the masks of the children that answer for it.
    public var controllerMask = InterfaceOrientationMask.all
    /// The masks that are intersected in ``controllerMask``, outermost first.
    public var controllerAnswers: [Answer] = []
    /// The name of the topmost view controller.
    public var controller = "the view controller"
    /// The topmost controller's preferred orientation, if it was presented; unknown for none.
    public var preferred = InterfaceOrientation.unknown
    /// The content that answered for the topmost controller, which defers to it; nil for the topmost controller itself.
    package var autorotatingContent: String?
    package var preferringContent: String?
    /// Whether ``preferred`` was queried for an update.
    package var isPreferenceUpdated = false
    /// The content of containers that do not defer to it, for explanations.
    package var unqueried: [Unqueried] = []
    /// The orientation in which what is shown was last shown; unknown for never.
    public var lastShown = InterfaceOrientation.unknown
    /// The manifest's list, in its order.
    public var manifest: [InterfaceOrientation] = []

    /// Creates the circumstances of an app that overrides nothing.
    public init(_ cause: OrientationCause, current: InterfaceOrientation, device: DeviceOrientation) {
        self.cause = cause
        self.current = current
        self.device = device
    }

    /// Where the device's orientation comes from.
    public enum Source: Hashable, Sendable {
        /// From a sensor.
        case reading
        /// From a program that overrides it. The user's lock does not hold against it.
        case override
    }

    /// The user's rotation lock, which holds for all programs.
    public enum UserLock: Hashable, Sendable {
        /// The interface follows the device.
        case off
        /// The interface stays at this edge; nil if no edge was known when the lock was turned on.
        case on(at: Edge?)
    }

    /// Content of a container that answers for it.
    package struct Unqueried: Hashable, Sendable {
        /// Its name, and that of the container.
        let name, container: String
        /// Its own answers.
        let mask: InterfaceOrientationMask, isLocked: Bool

        package init(name: String, container: String, mask: InterfaceOrientationMask, isLocked: Bool) {
            (self.name, self.container, self.mask, self.isLocked) = (name, container, mask, isLocked)
        }

        var reason: String { "\(container) decides; defersOrientationToContent = true asks the page" }
    }

    /// The mask that one view controller returned.
    public struct Answer: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its mask.
        public var mask: InterfaceOrientationMask

        /// Creates an answer.
        public init(_ name: String, _ mask: InterfaceOrientationMask) {
            self.name = name
            self.mask = mask
        }
    }
}

extension OrientationCircumstances {
    /// The edge on which the decision is based: the locked edge unless the device's orientation is overridden, else the
    /// edge that is up, else the last edge that was up.
    public var edge: Edge? {
        if case .on(let held) = userLock, source == .reading { return held }
        return Edge(device) ?? lastEdge
    }

    /// Where ``edge`` comes from.
    enum EdgeOrigin { case lock, reading, override, last, nowhere }

    var edgeOrigin: EdgeOrigin {
        if isLockedByUser { return .lock }
        if Edge(device) != nil { return source == .override ? .override : .reading }
        return lastEdge == nil ? .nowhere : .last
    }

    /// Whether the user's lock stops following the device.
    var isLockedByUser: Bool { userLock != .off && source == .reading }

    /// The device lies flat or its orientation is unknown, and no earlier pending change needs a decision.
    package var isTurnWithoutEdge: Bool {
        cause == .deviceTurned && Edge(device) == nil && !hasNewEdge && !hasNewAnswers
    }

    /// Whether the interface may follow the device at all, before any lock.
    var mayFollow: Bool { ruleSet != .autorotating || shouldAutorotate }

    var isLockedByAppInForce: Bool { ruleSet == .modern && isLockedByApp }

    /// Whether ``preferred`` was queried for this decision.
    package var isPreferenceQueried: Bool { ruleSet != .legacy && (cause == .presented || isPreferenceUpdated) }

    /// The preferred orientation if the interface turns to it: of a presentation, or a new one in an update.
    var wish: InterfaceOrientation {
        if case .requested = cause { return .unknown }
        let isNew = cause == .presented || hasNewPreference && !isLockedByAppInForce
        return isNew && ruleSet != .legacy ? preferred : .unknown
    }

    /// Returns the name of the first controller in query order whose mask meets a condition. Instead of a container that
    /// defers, and so has the mask of its content, the content is named.
    func controller(where condition: (InterfaceOrientationMask) -> Bool) -> String? {
        let rest = controllerAnswers.drop { !condition($0.mask) }
        return rest.prefix { $0.mask == rest.first?.mask }.last?.name
    }

    /// The refusal that is known before any mask is queried.
    package var earlyRefusal: OrientationDecision.Refusal? {
        guard case .requested(let mask) = cause else { return nil }
        if ruleSet != .modern { return .unavailable }
        if mask.isEmpty { return .emptyRequest }
        if !coversScreen { return .notCoveringScreen }
        return isLockedByApp ? .locked : nil
    }

    /// What ends the decision before the masks are queried; nil if they are needed.
    ///
    /// It depends only on the locks, the cause and `shouldAutorotate`, which are known before.
    public var reasonNotToQuery: OrientationDecision.Basis? {
        if let refusal = earlyRefusal { return .refused(refusal) }
        if cause == .lockTurnedOn { return .userLock }
        if cause == .screenNotCovered { return .screenNotCovered }
        if isTurnWithoutEdge { return .noEdge }
        return cause.isTurnOfTheDevice && !mayFollow && !hasNewAnswers ? .notAutorotating : nil
    }

    /// The orientations that all masks allow.
    var allowed: InterfaceOrientationMask {
        let mask = InterfaceOrientationMask(rawValue: deviceMask.rawValue & controllerMask.rawValue)
        return ruleSet == .legacy
            ? mask : InterfaceOrientationMask(rawValue: mask.rawValue & windowMask.rawValue)
    }
}
