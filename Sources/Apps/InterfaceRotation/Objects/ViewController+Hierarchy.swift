// SPDX-License-Identifier: Apache-2.0

extension ViewController {
    /// The controller that presented this one or its container.
    public var presentingViewController: ViewController? { presenter ?? parent?.presentingViewController }

    /// The controller that this one or its container presents.
    public var presentedViewController: ViewController? { presented ?? parent?.presentedViewController }

    /// The coordinator of the running turn of the controller's window; nil at rest.
    public var transitionCoordinator: TransitionCoordinator? { hierarchyWindow?.turn?.coordinator }

    /// The orientation of this controller's interface: its window's, or while it is covered the orientation in
    /// which it was last shown; unknown outside a window.
    public var interfaceOrientation: InterfaceOrientation {
        guard let window = hierarchyWindow else { return .unknown }
        return window.isShown(self) || lastShown == .unknown ? window.interfaceOrientation : lastShown
    }

    /// The outermost container of this controller, or the controller itself.
    var outermost: ViewController {
        var here = self
        while let next = here.parent { here = next }
        return here
    }

    /// Whether this is `other` or contains it.
    func contains(_ other: ViewController) -> Bool {
        guard !children.isEmpty else { return other === self }
        var here: ViewController? = other
        while let each = here {
            if each === self { return true }
            here = each.parent
        }
        return false
    }

    /// Whether this controller's ``shouldAutorotate(to:)`` queries `other` by default.
    func queriesByLegacyRules(_ other: ViewController) -> Bool {
        var here = other
        while here !== self {
            guard let parent = here.parent, parent.childrenQueriedByLegacyRules.contains(where: { $0 === here }) else {
                return false
            }
            here = parent
        }
        return true
    }

    /// ``childForInterfaceOrientation``, if it is in this controller.
    var answeringChild: ViewController? { childForInterfaceOrientation.flatMap(contained) }

    /// ``childViewControllerForInterfaceOrientationLock``, if it is in this controller.
    var lockingChild: ViewController? { childViewControllerForInterfaceOrientationLock.flatMap(contained) }

    private func contained(_ other: ViewController) -> ViewController? {
        other !== self && contains(other) ? other : nil
    }

    /// Returns the controller that performs a presentation in this style.
    func presenter(for style: ModalPresentationStyle) -> ViewController {
        guard style.usesContext else { return outermost }
        var here = self
        while let next = here.parent, !here.definesPresentationContext { here = next }
        return here
    }

    /// Whether the controller covers the window: it is the root, or is presented in a style that covers. In a style
    /// that takes the place of its context, the context must cover the window.
    var coversWindow: Bool { presenter.map(coversWindow) ?? (parent == nil) }

    func coversWindow(over presenter: ViewController) -> Bool {
        let style = modalPresentationStyle
        return style.covers && (!style.usesContext || (presenter.parent == nil && presenter.coversWindow))
    }

    /// This controller and its visible descendants, parents before children.
    var visibleTree: [ViewController] {
        var tree: [ViewController] = []
        appendVisibleTree(to: &tree)
        return tree
    }

    func appendVisibleTree(to list: inout [ViewController]) {
        list.append(self)
        for child in visibleChildren { child.appendVisibleTree(to: &list) }
        if parent != nil { presented?.appendVisibleTree(to: &list) }
    }

    /// Appends the controllers of ``visibleTree`` that receive rotation callbacks without the container's help.
    func appendRotationTree(to list: inout [ViewController]) {
        list.append(self)
        if shouldAutomaticallyForwardRotationMethods {
            for child in visibleChildren { child.appendRotationTree(to: &list) }
        }
        if parent != nil { presented?.appendRotationTree(to: &list) }
    }

    /// Decides again and follows the device, because an answer of this controller changed. If the controller is presented
    /// and prefers another orientation than before, the interface turns to that one, as in a presentation.
    ///
    /// Has no effect while the controller is covered, hidden or in a sheet. The decision is made before the call
    /// returns, or at the end of a running turn. If no orientation is left, the interface keeps its orientation and
    /// ``InvalidInterfaceOrientationError`` goes to ``Application/orientationFailureHandler``, as does
    /// ``PreferredOrientationNotSupportedError``.
    public func setNeedsUpdateOfSupportedInterfaceOrientations() {
        guard let window = hierarchyWindow, window.mayBeQueried(self) else { return }
        window.answersChanged()
    }

    /// Reads ``prefersInterfaceOrientationLocked`` again. Has no effect while the controller is covered, hidden or in
    /// a sheet. When the lock is turned off, the device is followed at once.
    public func setNeedsUpdateOfPrefersInterfaceOrientationLocked() {
        guard let window = hierarchyWindow, window.mayBeQueriedForLock(self) else { return }
        window.updateOwnLock()
    }
}

extension InterfaceOrientationMask {
    /// The orientations for which a controller's `shouldAutorotate(to:)` returns true, queried in raw order: for
    /// controllers that serve `.legacy` and the other rule sets with one answer.
    @MainActor public static func mask(fromLegacy controller: ViewController) -> InterfaceOrientationMask {
        Self(InterfaceOrientationMask.all.orientations.filter { controller.shouldAutorotate(to: $0) })
    }
}
