// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Shows a view controller on the screen and turns it.
///
/// A window that covers its screen and has a root view controller decides the orientation of its interface; another window
/// with a root turns with it. The window itself is never rotated, only its root view.
@MainActor open class Window: View {
    /// The application. It is held weakly: keep it as long as its windows are in use. Without it the window never turns,
    /// and calls that need it fail with ``HierarchyError/applicationReleased``.
    public private(set) weak var application: Application?

    /// The screen of the application.
    public let screen: Screen

    /// The delegate, which decides the orientations of this window and observes its geometry.
    public weak var delegate: (any WindowSceneDelegate)? { didSet { announcedGeometry = effectiveGeometry } }

    /// Whether the user is resizing the window. The program sets it while its toolkit does; layouts that are expensive can
    /// wait until it is false.
    public var isInteractivelyResizing = false { didSet { settle() } }

    /// The surface that draws this window; nil if the program draws by other means.
    public weak var surface: (any WindowSurface)?

    var root: ViewController? { didSet { presentationsDidChange() } }

    /// The orientation of the interface in this window.
    ///
    /// A window that does not cover its screen, such as one of two halves, has the orientation of the window that covers
    /// it, or did last, and turns with it. Before any window has covered the screen, it is not rotated; without a root view
    /// controller, it does not turn.
    public internal(set) var interfaceOrientation: InterfaceOrientation

    /// The geometry of which the delegate was notified last.
    var announcedGeometry: Geometry?
    var turn: Turn?
    /// The last request that was granted for the root and for each presented controller with whose dismissal it ends, and
    /// the count of edges at that time. The last counts.
    var requests: [(orientation: InterfaceOrientation, edgeCount: Int, modal: ObjectIdentifier?)] = []
    /// The edge for which the interface was last evaluated; a notification with another edge evaluates it again.
    var followedEdge: Edge?
    var pending: Pending? {
        didSet {
            if (pending == nil) != (oldValue == nil) { application?.pendingWindows += pending == nil ? -1 : 1 }
        }
    }
    /// The controllers that have appeared, in their order.
    var appeared: [ViewController] = []
    /// The controllers between `viewWillDisappear` and `viewDidDisappear`, which is called at the end of the turn.
    var leaving: [ObjectIdentifier: ViewController] = [:]
    /// What is visible, and what may have changed since ``appeared`` was updated.
    var visibility = Visibility()
    var lastDecision: OrientationDecision?
    var ownLock = false
    var turnsInARow = 0
    var hasShownFrame = false
    private var isWaitingForFrame = false
    private(set) var isVisible = false { didSet { visibilityDidChange(.unknown) } }
    /// Whether the window covered its screen when its geometry was last set: it then takes a new size of the screen.
    var followsScreen = false
    /// The shape of the screen for which the orientation is named.
    var namedShape: PanelShape
    /// Whether the content was placed and is drawn after the decision that is pending.
    var drawsWhenSettled = false
    /// Whether the geometry is being set, and is incomplete.
    private var isSettingGeometry = false
    private var callbackDepth = 0 {
        didSet {
            if (callbackDepth == 0) != (oldValue == 0) {
                application?.windowsInCallbacks += callbackDepth == 0 ? -1 : 1
            }
        }
    }
    private var appearanceDepth = 0
    private var afterTurn: [@MainActor () -> Void] = []

    /// Creates a hidden window of an application, by default one that covers the screen. `frame` is in the coordinates
    /// of the unrotated screen; a frame with a non-finite number or a negative size stops the program.
    public init(application: Application, frame: Rect? = nil) {
        frame?.require("Window(frame:)")
        self.application = application
        screen = application.screen
        interfaceOrientation = application.statusBarOrientation
        namedShape = application.screen.shape
        super.init(frame: frame ?? application.screen.fixedBounds)
        followsScreen = coversScreen
        if !coversScreen { interfaceOrientation = application.screen.naturalInterfaceOrientation }
    }

    /// Whether the window covers its screen. Only such a window decides the orientation of its interface.
    public var coversScreen: Bool { frame == application?.screen.fixedBounds }

    /// Whether the window covers its screen with an interface.
    var hasInterface: Bool { coversScreen && rootViewController != nil }

    /// The orientation of a visible window that does not cover its screen: the screen's interface has it. Nil if the
    /// window decides for itself or has no root view controller.
    var sharedOrientation: InterfaceOrientation? {
        isVisible && !coversScreen && rootViewController != nil ? application?.interfaceOrientation : nil
    }

    /// The window's own coordinate system. A new size resizes the root view, and a window that is resized to cover its
    /// screen rotates from then on. Geometry with a non-finite number or a negative size is ignored: an
    /// ``InvalidGeometryError`` goes to ``Application/orientationFailureHandler``.
    public override var bounds: Rect {
        get { super.bounds }
        set {
            guard newValue != super.bounds, accepts(newValue, "bounds") else { return }
            super.bounds = newValue
            geometryDidChange()
        }
    }

    /// The center of the window on its screen.
    public override var center: Point {
        get { super.center }
        set {
            guard newValue != super.center, accepts(newValue, "center") else { return }
            super.center = newValue
            geometryDidChange()
        }
    }

    /// The transform of the window about its center.
    public override var transform: Transform {
        get { super.transform }
        set {
            guard newValue != super.transform, accepts(newValue, "transform") else { return }
            super.transform = newValue
            geometryDidChange()
        }
    }

    /// The frame of the window on its screen.
    public override var frame: Rect {
        get { super.frame }
        set {
            guard accepts(newValue, "frame") else { return }
            let old = (center, bounds)
            settingGeometry { super.frame = newValue }
            if (center, bounds) != old { geometryDidChange() }
        }
    }

    /// Runs `body`, which sets several properties of the geometry, without evaluating what is between.
    func settingGeometry(_ body: () -> Void) {
        let former = isSettingGeometry
        isSettingGeometry = true
        body()
        isSettingGeometry = former
    }

    /// Reports an invalid value; returns whether it is valid.
    private func accepts(_ value: some CheckedGeometry, _ property: String) -> Bool {
        if !value.isValid { application?.report(InvalidGeometryError("window.\(property)", value)) }
        return value.isValid
    }

    /// The window itself.
    public override var window: Window? { self }

    /// The shape of the screen that the window is on.
    var screenShape: PanelShape { application?.screen.shape ?? .tall }

    /// Whether a turn of this window is running.
    public var isRotating: Bool { turn != nil }

    /// The safe-area insets in the orientation of the interface. A view that turns by itself does not change them.
    public override var safeAreaInsets: EdgeInsets {
        super.safeAreaInsets.turned(from: screenShape.naturalInterfaceOrientation, to: interfaceOrientation)
    }

    /// The safe area of the screen, as it is in the orientation of the interface, in the coordinates of the screen.
    var safeAreaOfScreen: Rect? {
        guard let screen = application?.screen else { return nil }
        let insets = screen.safeArea.safeAreaInsets(for: interfaceOrientation)
        return screen.fixedBounds.inset(
            by: insets.turned(from: interfaceOrientation, to: screen.naturalInterfaceOrientation))
    }

    /// Whether the window is hidden. Setting false shows it without making it the key window, and an error goes to
    /// ``Application/orientationFailureHandler``. ``tryMakeKeyAndVisible()`` throws the error instead.
    open override var isHidden: Bool {
        get { !isVisible }
        set {
            if newValue { return hide() }
            Self.reporting(in: self) { try show(asKey: false) }
        }
    }

    // MARK: The root

    /// Sets ``rootViewController``. Controllers that the old root presents are removed with it.
    ///
    /// - Throws: ``InvalidInterfaceOrientationError`` if the window is visible and no orientation is left, or
    ///   `HierarchyError`; then the old root stays.
    public func trySetRootViewController(_ controller: ViewController?) throws {
        let former = root
        guard controller !== former else { return }
        if let controller,
            controller.outermost !== controller || controller.presenter != nil
                || controller.rootWindow != nil
        {
            throw HierarchyError.alreadyInUse("\(controller)")
        }
        var change = HierarchyChange(cause: .rootSet, subject: controller, isAnimated: false)
        change.apply = { self.putRoot(controller, insteadOf: former) }
        change.undo = { self.putRoot(former, insteadOf: controller) }
        try perform(change)
        if controller == nil { forgetDecision() }
        application?.updateGenerating()
        application?.keyMayHaveChanged()
    }

    /// Without a root there is no decision to explain, and no lock.
    private func forgetDecision() {
        lastDecision = nil
        ownLock = false
    }

    private func putRoot(_ controller: ViewController?, insteadOf former: ViewController?) {
        former?.rootWindow = nil
        former?.enter(nil)
        controller?.rootWindow = self
        controller?.enter(self)
        root = controller
    }

    // MARK: Visibility

    /// Shows the window in front of the others and makes it the key window, the one that gives the status bar its
    /// orientation.
    ///
    /// - Throws: ``InvalidInterfaceOrientationError``; then the visibility of the window is unchanged.
    public func tryMakeKeyAndVisible() throws { try show(asKey: true) }

    private func show(asKey: Bool) throws {
        guard let application else { throw HierarchyError.applicationReleased }
        if isVisible {
            if asKey { try application.makeKey(self) }
            return
        }
        followScreen()
        isVisible = true
        let shown = becomingVisible(isAnimated: false)
        let mustWait = mustWait
        if isCalledFromOutside { resetTurnCount() }
        // A source that starts now may call `update` at once; that is evaluated after the first decision.
        callbackDepth += 1
        application.enter(self, asKey: asKey)
        if let sharedOrientation { interfaceOrientation = sharedOrientation }
        defer { settle() }
        defer { callbackDepth -= 1 }
        do {
            if mustWait { wait(for: shown) } else if isRotatable { try evaluateNow(shown) }
        } catch {
            isVisible = false
            application.leave(self)
            throw error
        }
        application.keyMayHaveChanged()
        followReference()
        waitForFrame()
    }

    /// Records when the next frame is drawn. Before it, readings turn the interface without animation.
    func waitForFrame() {
        isWaitingForFrame = true
        application?.requestFrame()
    }

    /// Notes a frame of the application.
    func frameWasShown() {
        guard isWaitingForFrame else { return }
        (isWaitingForFrame, hasShownFrame) = (false, true)
    }

    /// Decides as for a window that becomes visible, if it covers its screen now and did not before.
    func geometryDidChange() {
        guard !isSettingGeometry else { return }
        let (covered, former) = (followsScreen, interfaceOrientation)
        followsScreen = coversScreen
        if isVisible, covered != coversScreen {
            if coversScreen {
                wait(for: becomingVisible(isAnimated: false))
            } else {
                if !isUndecided { application?.noteInterface(former) }
                application?.keyMayHaveChanged()
            }
            application?.updateGenerating()
        }
        shareOrientation()
        settle()
        // A turn has placed the content: it is laid out and drawn once.
        if interfaceOrientation == former { inCallbacks(resizeContent) }
        settle()
        application?.keyMayHaveChanged()
    }

    /// Lets a window that does not cover its screen turn to the orientation of the screen's interface.
    func shareOrientation() {
        guard let sharedOrientation, sharedOrientation != interfaceOrientation else { return }
        wait(for: Pending(isAnimated: true))
    }

    /// The evaluation for a window that becomes visible, for the first time or again.
    func becomingVisible(isAnimated: Bool) -> Pending {
        let cause: OrientationCause = lastDecision == nil ? .rootSet : .windowMadeKey
        return Pending(shown: .init(cause: cause, subject: nil), isAnimated: isAnimated)
    }

    private func hide() {
        guard isVisible else { return }
        turn?.finish()
        isVisible = false
        // The end of a turn may have begun another one.
        turn?.finish()
        settle()
        guard let application else { return }
        let wasKey = application.keyWindow === self
        application.leave(self)
        announceGeometry()
        if wasKey { application.keyWindow?.becameVisible(isAnimated: true) }
        application.keyMayHaveChanged()
    }

    // MARK: Callbacks

    /// Whether a callback of the program is running: evaluations wait for its end.
    var isInCallbacks: Bool { callbackDepth > 0 }

    func inCallbacks(_ body: () -> Void) {
        callbackDepth += 1
        body()
        callbackDepth -= 1
    }

    /// Suppresses appearance updates: views that are placed meanwhile belong to the running appearance.
    func whileAppearing(_ body: () -> Void) {
        appearanceDepth += 1
        body()
        appearanceDepth -= 1
    }

    var isAppearing: Bool { appearanceDepth > 0 }

    /// Runs at the end of the running turn, or now.
    func afterTurn(_ body: @escaping @MainActor () -> Void) {
        if turn == nil { inCallbacks(body) } else { afterTurn.append(body) }
    }

    func turnEnded() {
        turn = nil
        let blocks = afterTurn
        afterTurn = []
        inCallbacks { for block in blocks { block() } }
        application?.keyMayHaveChanged()
        settle()
    }
}
