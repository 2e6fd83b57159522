// SPDX-License-Identifier: Apache-2.0

/// Decides the orientations of a tab bar controller.
@MainActor public protocol TabBarControllerDelegate: AnyObject {
    /// The orientations that the tab bar controller supports; by default as for any controller.
    func tabBarControllerSupportedInterfaceOrientations(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientationMask

    /// The orientation to turn to when the tab bar controller is presented; unknown for none.
    func tabBarControllerPreferredInterfaceOrientationForPresentation(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientation
}

extension TabBarControllerDelegate {
    /// The controller's answer without a delegate.
    public func tabBarControllerSupportedInterfaceOrientations(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientationMask { tabBarController.ownOrientations }

    /// The controller's answer without a delegate.
    public func tabBarControllerPreferredInterfaceOrientationForPresentation(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientation { tabBarController.ownPreferredOrientation }
}

/// A container that shows one of several controllers.
@MainActor open class TabBarController: ViewController {
    /// The delegate, which may answer for this controller.
    public weak var delegate: (any TabBarControllerDelegate)?

    /// Whether the selected tab gives mask, `shouldAutorotate`, preferred orientation and lock. Off by
    /// default, as in UIKit.
    public var defersOrientationToContent = false

    /// The number of the selected tab, from 0; it is 0 without tabs.
    var selection: Int { children.firstIndex { $0 === selected } ?? 0 }

    /// A reference instead of an index: removing an earlier tab does not change the selection.
    private weak var selected: ViewController? { didSet { contentWasSelected() } }

    /// Creates a tab bar controller with these tabs, and selects the first. It has no tabs if one is listed twice, or is
    /// already a root, a child or presented: the error goes to ``Application/orientationFailureHandler``.
    public init(viewControllers: [ViewController] = [], title: String? = nil) {
        super.init(title: title)
        begin(with: viewControllers)
    }

    open override var childForInterfaceOrientation: ViewController? {
        defersOrientationToContent ? selectedViewController : nil
    }

    open override var supportedInterfaceOrientations: InterfaceOrientationMask {
        delegate?.tabBarControllerSupportedInterfaceOrientations(self) ?? ownOrientations
    }

    open override var preferredInterfaceOrientationForPresentation: InterfaceOrientation {
        delegate?.tabBarControllerPreferredInterfaceOrientationForPresentation(self)
            ?? ownPreferredOrientation
    }

    override var content: Content { .managed(selectedViewController) }
    override var hasDefaultAnswers: Bool { delegate == nil && type(of: self) == TabBarController.self }

    /// Selects a tab.
    ///
    /// - Throws: ``HierarchyError/noSuchTab(index:count:)`` or ``InvalidInterfaceOrientationError``; then the old
    ///   tab stays selected.
    public func trySelect(_ index: Int, animated: Bool = true) throws {
        guard children.indices.contains(index) else {
            throw HierarchyError.noSuchTab(index: index, count: children.count)
        }
        guard index != selection else { return }
        let (former, tab) = (selectedViewController, children[index])
        var change = HierarchyChange(cause: .tabSelected, subject: tab, container: self, isAnimated: animated)
        change.apply = { self.selected = tab }
        change.undo = { self.selected = former }
        try perform(change)
    }

    /// Selects a tab by its controller.
    ///
    /// - Throws: ``HierarchyError/notChildren(of:)`` if the controller is not a tab, or the errors of
    ///   ``trySelect(_:animated:)-(Int,_)``.
    public func trySelect(_ controller: ViewController, animated: Bool = true) throws {
        guard let index = children.firstIndex(where: { $0 === controller }) else {
            throw HierarchyError.notChildren(of: "\(self)")
        }
        try trySelect(index, animated: animated)
    }

    /// Replaces the tabs. The selected tab stays selected if it is among the new ones, else the first is selected.
    public func trySetViewControllers(_ tabs: [ViewController], animated: Bool = true) throws {
        let former = selectedViewController
        let selected = tabs.first { $0 === former } ?? tabs.first
        var change = HierarchyChange(cause: .tabSelected, subject: selected, container: self, isAnimated: animated)
        change.apply = { self.selected = selected }
        change.undo = { self.selected = former }
        try replaceChildren(with: tabs, change)
    }
}
