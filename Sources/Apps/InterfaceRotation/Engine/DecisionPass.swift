// SPDX-License-Identifier: Apache-2.0

/// One decision pass: queries each controller at most once, in the order of R15, and only while the answer can matter.
@MainActor final class DecisionPass {
    /// The running pass; containers answer through it, and their content is queried once.
    private(set) static var current: DecisionPass?

    let application: Application
    /// The pass of another application in whose queries this one runs; nil for none.
    private let outer: DecisionPass?
    private var masks: [ObjectIdentifier: InterfaceOrientationMask] = [:]
    /// The content that answers for a controller that is being queried, and its answer.
    private var content: (name: String, answer: AnyHashable)?
    /// The first controllers that refused an orientation by the legacy rules, the innermost of each.
    private var refusing: [InterfaceOrientation: String] = [:]

    private init(_ application: Application, in outer: DecisionPass?) {
        (self.application, self.outer) = (application, outer)
    }

    /// Whether a pass of this application is running.
    static func isRunning(in application: Application?) -> Bool {
        var pass = current
        while let each = pass, each.application !== application { pass = each.outer }
        return pass != nil
    }

    /// Returns the mask of a controller, from the running pass if it was queried already.
    static func mask(of controller: ViewController) -> InterfaceOrientationMask {
        guard let current else { return controller.supportedInterfaceOrientations }
        if let known = current.masks[ObjectIdentifier(controller)] { return known }
        let answer = controller.supportedInterfaceOrientations
        current.masks[ObjectIdentifier(controller)] = answer
        return answer
    }

    /// Returns the answer of the child that answers for a container; a running pass names it instead of the container.
    static func contentAnswer<Answer: Hashable>(
        of container: ViewController, _ answer: (ViewController) -> Answer
    ) -> Answer? {
        guard let child = container.answeringChild else { return nil }
        let value = answer(child)
        if let current, current.content?.answer != AnyHashable(value) { current.content = ("\(child)", value) }
        return value
    }

    /// Returns whether a child refuses an orientation by the legacy rules.
    static func refuses(_ child: ViewController, _ orientation: InterfaceOrientation) -> Bool {
        if child.shouldAutorotate(to: orientation) { return false }
        if let current, current.refusing[orientation] == nil { current.refusing[orientation] = "\(child)" }
        return true
    }

    /// Queries a controller; returns the answer, and the name of the content whose answer it is.
    private func query<Answer: Hashable>(
        _ controller: ViewController, _ answer: (ViewController) -> Answer
    ) -> (Answer, String?) {
        content = nil
        let value = answer(controller)
        return (value, content?.answer == AnyHashable(value) ? content?.name : nil)
    }

    /// Queries the controllers of a window, and decides.
    static func decide(_ pending: Pending, cause: OrientationCause, in window: Window) -> OrientationDecision? {
        guard let application = window.application, let topmost = window.topmostViewController else {
            return nil
        }
        let former = current
        let pass = DecisionPass(application, in: former)
        current = pass
        defer { current = former }
        var c = pass.facts(pending, cause, window, topmost)
        if c.reasonNotToQuery == nil { pass.query(&c, window, topmost) }
        return .decide(c)
    }

    /// Returns the decision that explains a window which does not cover its screen, without querying a controller.
    static func withoutCoveringScreen(_ window: Window) -> OrientationDecision? {
        guard let application = window.application, let topmost = window.topmostViewController else { return nil }
        var c = OrientationCircumstances(
            .screenNotCovered, current: window.interfaceOrientation, of: application.device)
        (c.ruleSet, c.coversScreen, c.controller) = (application.ruleSet, false, topmost.description)
        return .decide(c)
    }

    /// Returns the content of the containers that answer without deferring to it, the innermost last. It is queried for
    /// explanations, and not while a decision is made. Left out is what a container with a class or a delegate of its own
    /// may have queried itself: content whose mask contains that of the container.
    static func unqueried(in window: Window) -> [OrientationCircumstances.Unqueried] {
        guard let application = window.application, application.ruleSet != .legacy, !isRunning(in: application),
            var container = window.topmostViewController
        else { return [] }
        let former = current
        current = DecisionPass(application, in: former)
        defer { current = former }
        while let child = container.answeringChild { container = child }
        var decider = container
        var list: [OrientationCircumstances.Unqueried] = []
        while case .managed(let child?) = container.content {
            if container.answeringChild == nil { decider = container }
            let (mask, isLocked) = (mask(of: child), window.ownLockMayHold && child.prefersInterfaceOrientationLocked)
            if isLocked || decider.hasDefaultAnswers || !Self.mask(of: decider).isSubset(of: mask) {
                list.append(
                    .init(name: child.description, container: decider.description, mask: mask, isLocked: isLocked))
            }
            container = child
        }
        return list
    }

    /// The circumstances that are known without the mask of a view controller.
    private func facts(
        _ pending: Pending, _ cause: OrientationCause, _ window: Window, _ topmost: ViewController
    ) -> OrientationCircumstances {
        let device = application.device
        var c = OrientationCircumstances(cause, current: window.interfaceOrientation, of: device)
        c.ruleSet = application.ruleSet
        c.hasNewEdge = pending.hasNewEdge
        c.hasNewAnswers = pending.hasNewAnswers
        if pending.isForced { c.source = .override }
        c.heldRequest = window.heldRequest
        c.coversScreen = window.coversScreen
        c.manifest = application.manifest.supportedInterfaceOrientations ?? []
        c.controller = topmost.description
        c.lastShown = (pending.shown?.subject ?? topmost).lastShown
        c.preferred = topmost.preferredWhenPresented
        if application.ruleSet == .modern {
            c.isLockedByApp = pending.shown == nil ? window.isInterfaceOrientationLocked : window.queryOwnLock()
        }
        c.deviceMask = device.supportedInterfaceOrientations
        let queriesNothing = c.earlyRefusal != nil || c.isTurnWithoutEdge
        if application.ruleSet != .legacy, !queriesNothing {
            (c.windowMask, c.windowMaskSource) = application.queryWindowMask(for: window)
        }
        if application.ruleSet == .autorotating, !queriesNothing {
            (c.shouldAutorotate, c.autorotatingContent) = query(topmost) { $0.shouldAutorotate }
        }
        return c
    }

    private func query(_ c: inout OrientationCircumstances, _ window: Window, _ topmost: ViewController) {
        if c.ruleSet == .legacy {
            c.controllerMask = .mask(fromLegacy: topmost)
            // Each refusal has the name of the controller that refused.
            for orientation in InterfaceOrientationMask.all.subtracting(c.controllerMask).orientations {
                let name = refusing[orientation] ?? c.controller
                let index = c.controllerAnswers.firstIndex { $0.name == name } ?? c.controllerAnswers.count
                if index == c.controllerAnswers.count { c.controllerAnswers.append(.init(name, .all)) }
                c.controllerAnswers[index].mask.subtract(InterfaceOrientationMask([orientation]))
            }
            return
        }
        var next: ViewController? = topmost
        while let controller = next {
            let mask = Self.mask(of: controller)
            c.controllerAnswers.append(.init(controller.description, mask))
            c.controllerMask.formIntersection(mask)
            next = controller.answeringChild
        }
        c.isPreferenceUpdated = c.hasNewAnswers && topmost.presenter != nil
        guard c.isPreferenceQueried else { return }
        let former = c.preferred
        (c.preferred, c.preferringContent) = query(topmost) { $0.preferredInterfaceOrientationForPresentation }
        c.hasNewPreference = c.isPreferenceUpdated && c.preferred != former
    }
}

extension OrientationCircumstances {
    /// Creates the circumstances of a device: its orientation, last edge and lock.
    @MainActor init(_ cause: OrientationCause, current: InterfaceOrientation, of device: Device) {
        self.init(cause, current: current, device: device.orientation)
        (lastEdge, source, userLock) = (device.lastEdge, device.orientationSource, device.userLock)
    }
}
