// SPDX-License-Identifier: Apache-2.0

/// Manages a view, declares its supported orientations, and receives the callbacks of a turn.
///
/// The names are those of UIKit's `UIViewController`. Slow work in a callback delays the frame, and replacing the view
/// tree in one is visible: prepare the new views before the turn, and replace them after it.
@MainActor open class ViewController {
    /// The name of this controller in explanations and errors; nil for the name of its type.
    public var title: String?

    /// The presentation style, by default `fullScreen` in every rule set. UIKit's default is a sheet since iOS 13.
    public var modalPresentationStyle = ModalPresentationStyle.fullScreen {
        didSet { if modalPresentationStyle != oldValue { hierarchyWindow?.presentationsDidChange() } }
    }

    /// Whether a controller that a descendant presents in the style `currentContext` takes the place of this one.
    public var definesPresentationContext = false

    /// The containing controller.
    public internal(set) weak var parent: ViewController?
    /// The contained controllers, in the order in which they were added.
    public internal(set) var children: [ViewController] = []

    private(set) var presented: ViewController?
    /// The window whose hierarchy contains this controller, visible or not.
    private(set) weak var hierarchyWindow: Window?
    /// The number of the newest list of visible controllers that has this one.
    var shownList = 0
    /// The number of the window in which this controller has appeared; 0 for none.
    var appearedWindow = 0
    /// The insets of the view at its last layout.
    var announcedInsets = EdgeInsets.zero
    /// Whether a window or a container has added the view, and not the program.
    var isAddedByOwner = false
    weak var presenter: ViewController?
    weak var rootWindow: Window?
    private var loadedView: View?
    /// The orientation in which it was last on screen; unknown for never.
    var lastShown = InterfaceOrientation.unknown
    /// The preferred orientation when it was presented or last updated; it is queried only then.
    var preferredWhenPresented = InterfaceOrientation.unknown
    /// How it has entered or left the hierarchy, until it has appeared or disappeared.
    var move = Move.none

    /// Creates a controller whose view is loaded when it is needed.
    public init(title: String? = nil) {
        self.title = title
    }

    // MARK: The view

    /// The view. It is loaded when it is first read. A view that is set later replaces the old one in its superview,
    /// with its geometry.
    public var view: View {
        get {
            loadViewIfNeeded()
            return loadedView ?? View()
        }
        set {
            guard newValue !== loadedView else { return }
            let old = loadedView
            old?.controller = nil
            loadedView = newValue
            newValue.controller = self
            if old != nil || !newValue.subviews.isEmpty || newValue.superview != nil {
                hierarchyWindow?.visibilityDidChange(.unknown)
            }
            guard let old, newValue.takePlace(of: old), let window = newValue.window else { return }
            window.viewWasReplaced(of: self)
        }
    }

    /// The view; nil before it is loaded.
    public var viewIfLoaded: View? { loadedView }
    /// Whether the view was loaded.
    public var isViewLoaded: Bool { loadedView != nil }

    /// Loads the view, unless it is loaded.
    public func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        if loadedView == nil { view = View() }
        viewDidLoad()
    }

    /// Creates the view and sets ``view``; by default an empty one.
    open func loadView() { view = View() }
    /// Called once, after the view was loaded.
    open func viewDidLoad() {}
    /// Called before the view appears. Bounds, transform and ``interfaceOrientation`` already have their new values.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after the view has appeared and was laid out.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called after the view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called before a layout if ``View/safeAreaInsets`` of the view has changed since the last one.
    open func viewSafeAreaInsetsDidChange() {}
    /// Called before the view's subviews are laid out.
    open func viewWillLayoutSubviews() {}
    /// Called after the view's subviews were laid out.
    open func viewDidLayoutSubviews() {}

    /// Sets the window of this controller, and of those that it contains or presents.
    func enter(_ window: Window?) {
        guard hierarchyWindow !== window else { return }
        hierarchyWindow = window
        for child in children { child.enter(window) }
        presented?.enter(window)
    }

    /// Links a presented controller, or removes the links; without callbacks.
    func setPresented(_ controller: ViewController?) {
        let former = presented
        former?.presenter = nil
        former?.noteDeparture(.dismissed)
        presented = controller
        controller?.presenter = self
        controller?.move = .presented
        former?.enter(nil)
        controller?.enter(hierarchyWindow)
        guard parent == nil else {
            hierarchyWindow?.visibilityDidChange(.unknown)
            return
        }
        hierarchyWindow?.presentationDidChange(from: former, to: controller, by: self)
    }

    // MARK: Answers

    /// The orientations that this controller supports: by default those of ``childForInterfaceOrientation``, else those
    /// of the idiom. Queried once in each decision.
    open var supportedInterfaceOrientations: InterfaceOrientationMask { ownOrientations }

    /// The default of ``supportedInterfaceOrientations``.
    var ownOrientations: InterfaceOrientationMask {
        answeringChild.map { DecisionPass.mask(of: $0) } ?? idiom.defaultOrientations
    }

    /// Whether the interface may follow the device while this controller is topmost. Queried by the rule set
    /// `.autorotating` only; never for presentations and requests.
    open var shouldAutorotate: Bool { DecisionPass.contentAnswer(of: self) { $0.shouldAutorotate } ?? true }

    /// The orientation to turn to when this controller is presented and covers the window; unknown for none. Report a
    /// change with `setNeedsUpdateOfSupportedInterfaceOrientations()`.
    open var preferredInterfaceOrientationForPresentation: InterfaceOrientation { ownPreferredOrientation }

    /// The default of ``preferredInterfaceOrientationForPresentation``.
    var ownPreferredOrientation: InterfaceOrientation {
        DecisionPass.contentAnswer(of: self) { $0.preferredInterfaceOrientationForPresentation } ?? .unknown
    }

    /// Whether the interface should stay as it is while this controller is topmost. Used by `.modern` only; report a
    /// change with ``setNeedsUpdateOfPrefersInterfaceOrientationLocked()``.
    open var prefersInterfaceOrientationLocked: Bool { false }

    /// The descendant whose ``prefersInterfaceOrientationLocked`` counts; nil for this controller's own.
    open var childViewControllerForInterfaceOrientationLock: ViewController? { childForInterfaceOrientation }

    /// The descendant that answers for this container; nil if the container answers for itself. A controller that is
    /// not in the container counts as nil. The container's own mask is intersected with the descendant's.
    open var childForInterfaceOrientation: ViewController? { nil }

    /// Returns whether the interface may turn to this orientation. Only the rule set `.legacy` calls it. The default
    /// queries every child, visible or not, and returns false if one does; a navigation controller queries its top page
    /// only. Without children a phone allows portrait and a pad all orientations.
    open func shouldAutorotate(to orientation: InterfaceOrientation) -> Bool {
        let queried = childrenQueriedByLegacyRules
        if !queried.isEmpty { return !queried.contains { DecisionPass.refuses($0, orientation) } }
        return idiom == .pad || orientation == .portrait
    }

    /// The children whose refusal counts by the legacy rules.
    var childrenQueriedByLegacyRules: [ViewController] { children }

    // MARK: The turn

    /// Called before the interface turns; all values are still the old ones. `duration` is in seconds.
    open func willRotate(to orientation: InterfaceOrientation, duration: Double) {}
    /// Called when the animation of the turn begins: its first frame has the changes that are made here. Only the
    /// rotation of the picture is interpolated. `duration` is in seconds.
    open func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {}
    /// Called after the turn if this controller is still visible; one that was covered or removed during it gets
    /// `viewWillDisappear(_:)` instead.
    open func didRotate(from orientation: InterfaceOrientation) {}

    /// Whether the three callbacks above are forwarded to visible children automatically.
    open var shouldAutomaticallyForwardRotationMethods: Bool { true }

    /// Called before the view changes to this size. The default calls the visible children whose size changes; an
    /// override that does not call `super` must forward the call itself.
    open func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        for child in visibleChildren where child.viewIfLoaded?.window != nil {
            let childSize = self.size(forChild: child, parentSize: size)
            if childSize != child.viewIfLoaded?.bounds.size {
                child.viewWillTransition(to: childSize, with: coordinator)
            }
        }
    }

    /// Returns the size that a child will have when this controller's view has `parentSize`: by default the same, with
    /// the sides swapped if the child's view has a quarter turn in its transform.
    open func size(forChild child: ViewController, parentSize: Size) -> Size {
        child.viewIfLoaded?.swapsSides == true ? parentSize.swapped : parentSize
    }

    // MARK: Containment

    /// Called before the parent changes; nil for none. An override calls `super`: ``isMovingFromParent`` is then true
    /// also if the view is removed before ``removeFromParent()`` is called.
    open func willMove(toParent parent: ViewController?) { if parent == nil { noteDeparture(.removed) } }
    /// Called after the parent has changed; nil for none.
    open func didMove(toParent parent: ViewController?) {}

    /// The children whose views are in this controller's view.
    var content: Content { .arranged }

    /// Whether neither a subclass nor a delegate answers for a container that shows one child.
    var hasDefaultAnswers: Bool { false }

    /// The idiom of the app whose decision pass is running, or that shows this controller.
    var idiom: UserInterfaceIdiom {
        DecisionPass.current?.application.idiom ?? hierarchyWindow?.application?.idiom ?? .pad
    }
}

extension ViewController: @MainActor CustomStringConvertible {
    /// The title, or the name of the type.
    public var description: String { title ?? String(describing: type(of: self)) }
}

/// The style in which a controller is presented.
public enum ModalPresentationStyle: Hashable, Sendable {
    /// Covers the window and hides the controllers below.
    case fullScreen
    /// Covers the window; the controllers below stay visible.
    case overFullScreen
    /// Takes the place of the context: the root, or a controller that defines a presentation context.
    case currentContext
    /// Lies over the context, which stays visible.
    case overCurrentContext
    /// A sheet: covers nothing.
    case pageSheet
    /// A small sheet: covers nothing.
    case formSheet
    /// A popover: covers nothing.
    case popover
    /// Placed by the program: covers nothing.
    case custom

    var usesContext: Bool { self == .currentContext || self == .overCurrentContext }
    /// Whether a controller in this style covers the window if its context is the root.
    var covers: Bool { self == .fullScreen || self == .overFullScreen || usesContext }
    /// Whether the controllers below are hidden.
    var hidesWhatIsBelow: Bool { self == .fullScreen || self == .currentContext }
}
