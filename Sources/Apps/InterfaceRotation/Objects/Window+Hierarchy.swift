// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// The controller that is queried: the last presented controller that covers the window, else the root.
    public var topmostViewController: ViewController? {
        presentations.last(where: \.coversWindow)?.controller
    }

    /// Whether a controller is topmost, or visible in the topmost one.
    func isSeenInTopmost(_ controller: ViewController) -> Bool {
        guard isVisible, let topmost = topmostViewController, isShown(controller) else { return false }
        return showsTopmostOnly || topmost.visibleTree.contains { $0 === controller }
    }

    /// Whether an answer of a controller can count. It can if the controller is visible in the topmost one, which can
    /// use its answer in any way, or if it answers for its container; by the legacy rules invisible children are
    /// queried too.
    func mayBeQueried(_ controller: ViewController) -> Bool {
        guard isVisible, !isSeenInTopmost(controller) else { return isVisible }
        if application?.ruleSet == .legacy { return topmostViewController?.queriesByLegacyRules(controller) == true }
        return chain(\.answeringChild).contains { $0 === controller }
    }

    /// The same for the app's own lock.
    func mayBeQueriedForLock(_ controller: ViewController) -> Bool {
        isVisible && (isSeenInTopmost(controller) || chain(\.lockingChild).contains { $0 === controller })
    }

    /// The topmost controller, and from there each controller to which the previous one defers.
    private func chain(_ next: (ViewController) -> ViewController?) -> [ViewController] {
        var chain: [ViewController] = []
        while let each = chain.last.map(next) ?? topmostViewController { chain.append(each) }
        return chain
    }

    /// The controllers that receive the callbacks of a turn: the topmost with its visible descendants, then the other
    /// visible ones, bottom to top. Controllers that appear with the turn are left out.
    func rotationParticipants(besides change: AppearanceChange) -> [ViewController] {
        var participants: [ViewController] = []
        for controller in shownTopmostFirst { controller.appendRotationTree(to: &participants) }
        return participants.filter { !change.isIncoming($0) }
    }

    /// ``shownOutermost`` in the order in which a turn is announced.
    var shownTopmostFirst: [ViewController] {
        guard let topmost = topmostViewController else { return [] }
        return [topmost] + shownOutermost.filter { $0 !== topmost }
    }

    /// Whether the topmost controller has no sheet above it.
    private var topmostIsFree: Bool { presentations.last?.coversWindow ?? true }

    /// Whether the app's own lock keeps the orientation of this window.
    public var isInterfaceOrientationLocked: Bool { ownLock && ownLockMayHold }

    var ownLockMayHold: Bool {
        application?.ruleSet == .modern && application?.keyWindow === self && coversScreen && topmostIsFree
    }

    /// Reads the lock of the topmost controller, or of the child to which it defers.
    func queryOwnLock() -> Bool {
        guard application?.ruleSet == .modern, let controller = chain(\.lockingChild).last else { return false }
        ownLock = controller.prefersInterfaceOrientationLocked
        return isInterfaceOrientationLocked
    }

    // MARK: Placing

    /// Gives every visible outermost view the geometry of the orientation: the window's center, the rotation of the
    /// orientation after its own transform, and the bounds that fill the window.
    func placeContent() {
        for controller in shownOutermost {
            controller.loadViewIfNeeded()
            placeOutermost(controller)
            controller.visibleTree.forEach { $0.installContent() }
        }
        tidy()
        for controller in shown { controller.fillContext() }
    }

    func placeOutermost(_ controller: ViewController) {
        if controller.view.superview !== self { addSubview(controller.view) }
        controller.isAddedByOwner = true
        placeView(of: controller)
    }

    /// The size of an interface in this orientation that fills the window.
    func size(in orientation: InterfaceOrientation) -> Size {
        bounds.size.turned(to: orientation, on: screenShape)
    }

    /// Calls `viewWillTransition` of an outermost controller if its view will have another size, in this orientation and
    /// in a window of this size.
    func announce(
        _ size: Size, in orientation: InterfaceOrientation, to controller: ViewController,
        with coordinator: TransitionCoordinator
    ) {
        let turned = size.turned(to: orientation, on: screenShape)
        let content = controller.viewIfLoaded?.transform.swapsSides == true ? turned.swapped : turned
        guard controller.viewIfLoaded?.bounds.size != content else { return }
        controller.viewWillTransition(to: content, with: coordinator)
    }

    private func placeView(of controller: ViewController) {
        controller.view.rotation = DisplayRotation(interfaceOrientation, on: screenShape)
        controller.view.fill(bounds)
    }

    /// Resizes the content to the window's new frame.
    func resizeContent() {
        for controller in shownOutermost where controller.viewIfLoaded?.superview === self {
            placeView(of: controller)
            controller.view.layoutIfNeeded()
        }
        drawsWhenSettled = pending != nil && (isRotatable || sharedOrientation != nil)
        if !drawsWhenSettled { drawAtRest() }
    }

    /// Updates the content after the view of a visible controller was replaced.
    func viewWasReplaced(of controller: ViewController) {
        whileAppearing {
            if shownOutermost.contains(where: { $0 === controller }) { placeView(of: controller) }
            controller.parent?.installContent()
            controller.fillContext()
            controller.visibleTree.forEach { $0.installContent() }
        }
        contentDidChange()
        controller.view.layoutIfNeeded()
        drawAtRest()
    }

    /// Removes the view of a controller that has left, unless the program has added it or placed it in another window.
    func removeView(of controller: ViewController) {
        guard controller.isAddedByOwner, let view = controller.viewIfLoaded,
            view.window === self || view.window == nil
        else { return }
        controller.isAddedByOwner = false
        view.removeFromSuperview()
    }

    func isLeaving(_ controller: ViewController) -> Bool { leaving[ObjectIdentifier(controller)] != nil }

    /// Calls `viewDidDisappear` on the controllers that are disappearing.
    func hasLeft(_ controllers: [ViewController], isAnimated: Bool) {
        guard !leaving.isEmpty else { return }
        let gone = controllers.filter { leaving.removeValue(forKey: ObjectIdentifier($0)) != nil }
        if !gone.isEmpty { visibility.tidied = nil }
        for controller in gone { controller.disappeared(isAnimated) }
    }

    /// Removes the views of controllers that are neither shown there nor disappearing, unless the program added them.
    private func clear(_ view: View, except isShown: (ViewController) -> Bool) {
        for case let controller? in view.subviews.map(\.controller)
        where !isLeaving(controller) && !isShown(controller) {
            removeView(of: controller)
        }
    }

    /// Removes the views of controllers that were placed and left before they appeared, and records the orientation in
    /// which controllers are shown. An orientation in which they only wait for their decision is not recorded: the
    /// decision needs the one before.
    func tidy() {
        let state = Visibility.Tidied(orientation: interfaceOrientation, isDecided: pending?.shown == nil)
        guard visibility.tidied != state else { return }
        visibility.tidied = state
        whileAppearing {
            let outermost = Set(shownOutermost.map(ObjectIdentifier.init))
            clear(self) { outermost.contains(ObjectIdentifier($0)) }
            tidy(shown, isDecided: state.isDecided)
        }
    }

    /// The part of ``tidy()`` for controllers that are visible.
    func tidy(_ controllers: [ViewController], isDecided: Bool) {
        for controller in controllers {
            if case .managed(let child) = controller.content {
                // What is revealed later does not appear because it was added.
                for other in controller.children where other !== child && other.move == .added { other.move = .none }
                clear(controller.view) { other in
                    other === child || controller.visibleTree.contains { $0 === other }
                }
            }
            if isDecided { controller.lastShown = interfaceOrientation }
        }
    }

    func layoutContent() {
        for controller in shownOutermost { controller.view.layoutIfNeeded() }
    }
}
