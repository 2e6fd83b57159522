// SPDX-License-Identifier: Apache-2.0

extension ViewController {
    /// The controller that presented this one or the container it is in.
    public var presentingViewController: ViewController? { presenter ?? parent?.presentingViewController }

    /// The controller that this one, or the container it is in, presents.
    public var presentedViewController: ViewController? { presented ?? parent?.presentedViewController }

    /// The coordinator of the turn that the controller's window is in; nil at rest.
    public var transitionCoordinator: TransitionCoordinator? { hierarchyWindow?.turn?.coordinator }

    /// The orientation of the interface as far as this controller goes: while it is covered, the one it was last
    /// shown in; unknown outside a window.
    public var interfaceOrientation: InterfaceOrientation {
        guard let window = hierarchyWindow else { return .unknown }
        return window.isShown(self) || lastShown == .unknown ? window.interfaceOrientation : lastShown
    }

    /// This controller, or the container that contains it and is in none.
    var outermost: ViewController {
        var here = self
        while let next = here.parent { here = next }
        return here
    }

    /// The window in whose hierarchy this controller is, shown or not.
    var hierarchyWindow: Window? {
        var here = outermost
        while let below = here.presenter?.outermost { here = below }
        return here.rootWindow
    }

    /// Whether this is `other` or contains it.
    func contains(_ other: ViewController) -> Bool {
        var here: ViewController? = other
        while let each = here {
            if each === self { return true }
            here = each.parent
        }
        return false
    }

    /// ``childForInterfaceOrientation``, if it is in this controller.
    var answeringChild: ViewController? { childForInterfaceOrientation.flatMap(contained) }

    /// ``childForInterfaceOrientationLock``, if it is in this controller.
    var lockingChild: ViewController? { childForInterfaceOrientationLock.flatMap(contained) }

    private func contained(_ other: ViewController) -> ViewController? {
        other !== self && contains(other) ? other : nil
    }

    /// Who carries out a presentation in this style that was asked of this controller.
    func presenter(for style: ModalPresentationStyle) -> ViewController {
        guard style.usesContext else { return outermost }
        var here = self
        while let next = here.parent, !here.definesPresentationContext { here = next }
        return here
    }

    /// Whether the controller is the root, or is presented so that it covers the window: in a style that does, and one
    /// that takes its context's place only where the context covers the window itself.
    var coversWindow: Bool {
        guard let presenter else { return parent == nil }
        guard modalPresentationStyle.covers else { return false }
        return !modalPresentationStyle.usesContext || (presenter.parent == nil && presenter.coversWindow)
    }

    /// This controller and all that are seen in it, parents before children.
    var visibleTree: [ViewController] {
        let inContext = parent != nil ? presented?.visibleTree ?? [] : []
        return [self] + visibleChildren.flatMap(\.visibleTree) + inContext
    }

    /// Those of ``visibleTree`` that hear of a turn without a container's help.
    var rotationTree: [ViewController] {
        let inContext = parent != nil ? presented?.rotationTree ?? [] : []
        guard shouldAutomaticallyForwardRotationMethods else { return [self] + inContext }
        return [self] + visibleChildren.flatMap(\.rotationTree) + inContext
    }
}
