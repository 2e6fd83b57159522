// SPDX-License-Identifier: Apache-2.0

/// The error of a call with UIKit's name, which does not throw and has changed nothing. It goes to
/// ``Application/orientationFailureHandler``. Each such call has a throwing form, whose name begins with `try`.
public struct RefusedCallError: Error, CustomStringConvertible {
    /// The call, such as `present(_:animated:completion:)`.
    public let call: String
    /// The error of the throwing form.
    public let error: any Error

    /// The call, the cause and the remedy.
    public var description: String { "\(call): \(error)" }
}

extension Window {
    /// Performs a call. Its error goes to the failure handler, or without an application to standard error.
    static func reporting(in window: Window?, _ call: String = #function, _ body: () throws -> Void) {
        do { try body() } catch {
            let refusal = RefusedCallError(call: call, error: error)
            guard let application = window?.application else { return StandardError.write("\(refusal)") }
            application.report(refusal)
        }
    }
}

// MARK: - Controllers

extension ViewController {
    /// Presents a controller over this one: ``tryPresent(_:animated:completion:)`` that reports ``RefusedCallError``.
    public func present(
        _ controller: ViewController, animated: Bool = true, completion: (@MainActor () -> Void)? = nil
    ) {
        Window.reporting(in: hierarchyWindow) { try tryPresent(controller, animated: animated, completion: completion) }
    }

    /// Pushes a page in the nearest navigation controller, or presents it if there is none.
    public func show(_ controller: ViewController, sender: Any? = nil) {
        guard let navigation = self as? NavigationController ?? navigationController else { return present(controller) }
        navigation.pushViewController(controller)
    }

    /// Adds a child: ``tryAddChild(_:)`` that reports ``RefusedCallError``.
    public func addChild(_ child: ViewController) { Window.reporting(in: hierarchyWindow) { try tryAddChild(child) } }

    /// Replaces one child with another: ``tryTransition(from:to:duration:animations:completion:)`` that reports
    /// ``RefusedCallError``. The argument of `completion` is always true.
    public func transition(
        from old: ViewController, to new: ViewController, duration: Double = 0,
        animations: (@MainActor () -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        Window.reporting(in: hierarchyWindow) {
            try tryTransition(from: old, to: new, duration: duration, animations: animations) { completion?(true) }
        }
    }

    /// The nearest navigation controller that contains this controller.
    public var navigationController: NavigationController? { nearestContainer() }

    /// The nearest tab bar controller that contains this controller.
    public var tabBarController: TabBarController? { nearestContainer() }

    private func nearestContainer<Container>() -> Container? {
        parent.flatMap { $0 as? Container ?? $0.nearestContainer() }
    }

    /// Whether the controller appears because it was presented.
    public var isBeingPresented: Bool { move == .presented }
    /// Whether the controller disappears because it was dismissed.
    public var isBeingDismissed: Bool { move == .dismissed }
    /// Whether the controller appears because it was added to its container.
    public var isMovingToParent: Bool { move == .added }
    /// Whether the controller disappears because it was removed from its container.
    public var isMovingFromParent: Bool { move == .removed }
}

extension NavigationController {
    /// The pages, the root first. Setting them replaces the stack.
    public var viewControllers: [ViewController] {
        get { children }
        set { Window.reporting(in: hierarchyWindow) { try trySetViewControllers(newValue, animated: false) } }
    }

    /// Replaces the whole stack: ``trySetViewControllers(_:animated:)`` that reports ``RefusedCallError``.
    public func setViewControllers(_ pages: [ViewController], animated: Bool = true) {
        Window.reporting(in: hierarchyWindow) { try trySetViewControllers(pages, animated: animated) }
    }

    /// Pushes a page: ``tryPushViewController(_:animated:)`` that reports ``RefusedCallError``.
    public func pushViewController(_ page: ViewController, animated: Bool = true) {
        Window.reporting(in: hierarchyWindow) { try tryPushViewController(page, animated: animated) }
    }
}

extension TabBarController {
    /// The tabs. Setting them replaces them.
    public var viewControllers: [ViewController] {
        get { children }
        set { Window.reporting(in: hierarchyWindow) { try trySetViewControllers(newValue, animated: false) } }
    }

    /// Replaces the tabs: ``trySetViewControllers(_:animated:)`` that reports ``RefusedCallError``.
    public func setViewControllers(_ tabs: [ViewController], animated: Bool = true) {
        Window.reporting(in: hierarchyWindow) { try trySetViewControllers(tabs, animated: animated) }
    }

    /// The number of the selected tab, from 0; it is 0 without tabs. Setting it is ``trySelect(_:animated:)-(Int,_)`` that
    /// reports ``RefusedCallError``; the old tab then stays selected.
    public var selectedIndex: Int {
        get { selection }
        set { Window.reporting(in: hierarchyWindow) { try trySelect(newValue) } }
    }

    /// The selected tab; nil without tabs. Setting it selects one, as ``selectedIndex`` does; nil has no effect.
    public var selectedViewController: ViewController? {
        get { children.isEmpty ? nil : children[selection] }
        set { if let newValue { Window.reporting(in: hierarchyWindow) { try trySelect(newValue) } } }
    }
}

// MARK: - Windows

extension Window {
    /// The root view controller. Setting it is ``trySetRootViewController(_:)`` that reports ``RefusedCallError``; the old
    /// one then stays.
    public var rootViewController: ViewController? {
        get { root }
        set { Self.reporting(in: self) { try trySetRootViewController(newValue) } }
    }

    /// Shows the window in front of the others as the key window: ``tryMakeKeyAndVisible()`` that reports
    /// ``RefusedCallError``.
    public func makeKeyAndVisible() { Self.reporting(in: self) { try tryMakeKeyAndVisible() } }

    /// Whether the window is the application's key window.
    public var isKeyWindow: Bool { application?.keyWindow === self }
}

// MARK: - Application and device

extension Application {
    /// The visible windows, each of which is its own scene.
    public var connectedScenes: [WindowScene] { windows }

    /// Returns the orientations that the app allows without a delegate: the manifest's, else the idiom's.
    public func supportedInterfaceOrientations(for window: Window?) -> InterfaceOrientationMask {
        manifest.mask ?? idiom.defaultOrientations
    }
}

extension Device {
    /// The idiom of the application; before there is one, `pad`.
    public var userInterfaceIdiom: UserInterfaceIdiom { application?.idiom ?? .pad }
}

// MARK: - Transitions

extension TransitionCoordinator {
    /// The duration of the animation in seconds; 0 without one.
    public var transitionDuration: Double { duration }
    /// Always false: a turn is completed.
    public var isCancelled: Bool { false }
}

/// UIKit's name without the prefix.
public typealias ViewControllerTransitionCoordinator = TransitionCoordinator
