// SPDX-License-Identifier: Apache-2.0

/// Decides the orientations of a navigation controller.
@MainActor public protocol NavigationControllerDelegate: AnyObject {
    /// The orientations that the navigation controller supports; by default as for any controller.
    func navigationControllerSupportedInterfaceOrientations(
        _ navigationController: NavigationController
    ) -> InterfaceOrientationMask

    /// The orientation to turn to when the navigation controller is presented; unknown for none.
    func navigationControllerPreferredInterfaceOrientationForPresentation(
        _ navigationController: NavigationController
    ) -> InterfaceOrientation
}

extension NavigationControllerDelegate {
    /// The controller's answer without a delegate.
    public func navigationControllerSupportedInterfaceOrientations(
        _ navigationController: NavigationController
    ) -> InterfaceOrientationMask { navigationController.ownOrientations }

    /// The controller's answer without a delegate.
    public func navigationControllerPreferredInterfaceOrientationForPresentation(
        _ navigationController: NavigationController
    ) -> InterfaceOrientation { navigationController.ownPreferredOrientation }
}

/// A container that shows the last of a stack of pages.
@MainActor open class NavigationController: ViewController {
    /// The delegate, which may answer for this controller.
    public weak var delegate: (any NavigationControllerDelegate)?

    /// Whether the page on top gives mask, `shouldAutorotate`, preferred orientation and lock. Off by default,
    /// as in UIKit, where the container's answer holds for every page.
    public var defersOrientationToContent = false

    /// Creates a navigation controller without pages; ``trySetViewControllers(_:animated:)`` adds them.
    public override init(title: String? = nil) { super.init(title: title) }

    /// Creates a navigation controller with this root page. It has no page if this one is already a root, a child or
    /// presented: the error goes to ``Application/orientationFailureHandler``.
    public init(rootViewController: ViewController, title: String? = nil) {
        super.init(title: title)
        begin(with: [rootViewController])
    }

    /// The page on top of the stack.
    public var topViewController: ViewController? { viewControllers.last }

    /// The visible page: the presented controller, else the page on top.
    public var visibleViewController: ViewController? { presentedViewController ?? topViewController }

    open override var childForInterfaceOrientation: ViewController? {
        defersOrientationToContent ? topViewController : nil
    }

    open override var supportedInterfaceOrientations: InterfaceOrientationMask {
        delegate?.navigationControllerSupportedInterfaceOrientations(self) ?? ownOrientations
    }

    open override var preferredInterfaceOrientationForPresentation: InterfaceOrientation {
        delegate?.navigationControllerPreferredInterfaceOrientationForPresentation(self)
            ?? ownPreferredOrientation
    }

    override var content: Content { .managed(topViewController) }
    override var hasDefaultAnswers: Bool { delegate == nil && type(of: self) == NavigationController.self }
    override var childrenQueriedByLegacyRules: [ViewController] { topViewController.map { [$0] } ?? [] }

    // MARK: The stack

    /// Pushes a page. A new decision is made, whether or not the page itself is queried.
    ///
    /// - Throws: `HierarchyError`, or ``InvalidInterfaceOrientationError``; then nothing has changed.
    public func tryPushViewController(_ page: ViewController, animated: Bool = true) throws {
        let change = HierarchyChange(cause: .pushed, subject: page, container: self, isAnimated: animated)
        try replaceChildren(with: viewControllers + [page], change)
    }

    /// Pops the page on top and returns it; nil if only the root page is left.
    @discardableResult
    public func popViewController(animated: Bool = true) -> ViewController? {
        guard viewControllers.count > 1 else { return nil }
        return pop(to: viewControllers.count - 2, animated: animated).last
    }

    /// Pops all pages but the root and returns them.
    @discardableResult
    public func popToRootViewController(animated: Bool = true) -> [ViewController] {
        pop(to: 0, animated: animated)
    }

    /// Pops all pages above `page` and returns them; none if it is not in the stack.
    @discardableResult
    public func popToViewController(_ page: ViewController, animated: Bool = true) -> [ViewController] {
        guard let index = viewControllers.firstIndex(where: { $0 === page }) else { return [] }
        return pop(to: index, animated: animated)
    }

    /// Replaces the whole stack.
    ///
    /// - Throws: ``HierarchyError``, also for an empty stack, or ``InvalidInterfaceOrientationError``; then nothing has
    ///   changed.
    public func trySetViewControllers(_ pages: [ViewController], animated: Bool = true) throws {
        guard !pages.isEmpty else { throw HierarchyError.emptyStack("\(self)") }
        let change = HierarchyChange(cause: .childAdded, subject: pages.last, container: self, isAnimated: animated)
        try replaceChildren(with: pages, change)
    }

    private func pop(to index: Int, animated: Bool) -> [ViewController] {
        let leaving = Array(viewControllers.dropFirst(index + 1))
        guard !leaving.isEmpty else { return [] }
        leaving.forEach { $0.willMove(toParent: nil) }
        let page = viewControllers[index]
        var change = HierarchyChange(cause: .popped, subject: page, container: self, isAnimated: animated)
        change.apply = { leaving.forEach(self.unlink) }
        change.didCommit = { leaving.forEach { $0.didMove(toParent: nil) } }
        performDeparture(change)
        return leaving
    }
}
