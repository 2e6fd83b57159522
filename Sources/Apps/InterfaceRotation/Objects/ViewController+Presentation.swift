// SPDX-License-Identifier: Apache-2.0

extension ViewController {
    /// Presents a controller over this one. The outermost container or the presentation context becomes its presenter.
    ///
    /// - Parameters:
    ///   - controller: The controller to present.
    ///   - animated: Whether a turn that the presentation causes is animated.
    ///   - completion: Called when the controller is on screen and such a turn has ended.
    /// - Throws: ``HierarchyError``, ``InvalidInterfaceOrientationError`` or ``PreferredOrientationNotSupportedError``.
    ///   Then nothing has changed.
    public func tryPresent(
        _ controller: ViewController, animated: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) throws {
        let presenter = presenter(for: controller.modalPresentationStyle)
        guard let window = hierarchyWindow else { throw HierarchyError.noWindow(description) }
        if let other = presenter.presented {
            throw HierarchyError.alreadyPresenting("\(presenter)", presented: "\(other)")
        }
        guard controller.parent == nil, controller.presenter == nil, controller.rootWindow == nil else {
            throw HierarchyError.alreadyInUse("\(controller)")
        }
        var change = HierarchyChange(cause: .presented, subject: controller, isAnimated: animated)
        change.needsDecision = controller.coversWindow(over: presenter)
        change.apply = { presenter.setPresented(controller) }
        change.undo = {
            presenter.setPresented(nil)
            (controller.preferredWhenPresented, controller.move) = (.unknown, .none)
        }
        change.completed = completion
        try window.perform(change)
    }

    /// Dismisses the controller that this one presents and all controllers above it, or this controller if it presents
    /// none.
    ///
    /// The dismissal always happens. If it leaves no common orientation, the interface keeps its orientation and the
    /// error goes to ``Application/orientationFailureHandler``, as does ``HierarchyError/notPresented(_:)`` if there is
    /// nothing to dismiss.
    public func dismiss(animated: Bool = true, completion: (@MainActor () -> Void)? = nil) {
        guard let presenter = presentedViewController?.presenter ?? presentingViewController else {
            return Window.reporting(in: hierarchyWindow) { throw HierarchyError.notPresented(description) }
        }
        var leaving: [ViewController] = []
        while let next = (leaving.last ?? presenter).presented { leaving.append(next) }
        var change = HierarchyChange(cause: .dismissed, isAnimated: animated)
        change.needsDecision = leaving.contains(where: \.coversWindow)
        change.apply = {
            presenter.setPresented(nil)
            for controller in leaving {
                controller.setPresented(nil)
                controller.preferredWhenPresented = .unknown
            }
        }
        change.completed = completion
        presenter.performDeparture(change)
    }
}

/// An invalid change of the hierarchy of controllers.
public enum HierarchyError: Error, Hashable, CustomStringConvertible {
    /// The controller already presents another one.
    case alreadyPresenting(String, presented: String)
    /// The controller is already a root, a child or presented, or is listed twice.
    case alreadyInUse(String)
    /// The controller neither presents nor is presented.
    case notPresented(String)
    /// The application of the window was released.
    case applicationReleased
    /// The controller is in no window.
    case noWindow(String)
    /// The window is hidden or has no root view controller, or the app is suspended.
    case windowDoesNotRotate
    /// The controller would contain itself.
    case containsItself(String)
    /// The controllers are not children of this one.
    case notChildren(of: String)
    /// A navigation controller without a page.
    case emptyStack(String)
    /// The index of a tab is out of range.
    case noSuchTab(index: Int, count: Int)

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .alreadyPresenting(let presenter, let presented):
            "\(presenter) already presents \(presented); dismiss it first, or present from \(presented)"
        case .alreadyInUse(let name):
            "\(name) is already a root, a child or presented, or is listed twice; dismiss or remove it first"
        case .notPresented(let name):
            "\(name) neither presents a controller nor is presented; dismiss only presented controllers"
        case .noWindow(let name):
            "\(name) is not in a window; make it a root view controller, or add it to a controller in a window, "
                + "before it presents"
        case .applicationReleased:
            "the application was released: without it a window never turns; keep it as long as its windows are in use"
        case .windowDoesNotRotate:
            "the window is hidden or has no root view controller, or the app is suspended; set one and call "
                + "makeKeyAndVisible() first, or resume()"
        case .containsItself(let name):
            "\(name) cannot contain itself; add another controller"
        case .notChildren(let name):
            "only children of \(name) can be shown in it; call addChild or setViewControllers first"
        case .emptyStack(let name):
            "\(name) needs at least one page; set the root page"
        case .noSuchTab(let index, let count):
            count == 0
                ? "tab \(index): out of range: there are no tabs; call setViewControllers first"
                : "tab \(index): out of range: must be 0 to \(count - 1)"
        }
    }
}
