// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel

/// A log of calls.
@MainActor final class Log {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    /// Returns and removes the lines of the log.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// A state of the daemon with the names of the stage's screen; locked if it has a locked edge.
func state(_ orientation: DeviceOrientation, lastEdge: Edge? = nil, lockedTo: Edge? = nil) -> OrientationState {
    OrientationState(
        orientation: orientation, lastEdge: Edge(orientation) ?? lastEdge, natural: Stage.shape.natural,
        isLocked: lockedTo != nil, lockedTo: lockedTo, sequence: 1, instance: "a")
}

/// An app on a scripted device: a screen of ``size``, one window, a manual frame clock.
@MainActor final class Stage {
    let log = Log()
    let clock = ManualFrameClock()
    let device = Device()
    let application: Application
    let window: Window
    private(set) var errors: [any Error] = []
    /// The delegate of the application, which does not retain it.
    var delegate: Delegate? {
        didSet { application.delegate = delegate }
    }

    init(
        _ ruleSet: RuleSet = .modern, idiom: UserInterfaceIdiom = .pad, manifest: OrientationManifest = .none,
        screen: Screen = Screen(size: Stage.size), isAnimated: Bool = false
    ) {
        application = Application(
            idiom: idiom, ruleSet: ruleSet, manifest: manifest, device: device, screen: screen,
            frameClock: clock)
        window = Window(application: application)
        if !isAnimated { application.rotationDuration = 0 }
        application.orientationFailureHandler = { [weak self] in self?.errors.append($0) }
    }

    /// Returns an app that shows a page, with its first frame drawn and the device in portrait.
    static func showing(
        _ title: String = "Root", _ mask: InterfaceOrientationMask? = nil,
        preferring preferred: InterfaceOrientation = .unknown, ruleSet: RuleSet = .modern,
        idiom: UserInterfaceIdiom = .pad, manifest: OrientationManifest = .none,
        screen: Screen = Screen(size: Stage.size), isAnimated: Bool = false
    ) throws -> (stage: Stage, page: Page) {
        let stage = Stage(ruleSet, idiom: idiom, manifest: manifest, screen: screen, isAnimated: isAnimated)
        let page = stage.page(title, mask, preferring: preferred)
        try stage.show(page)
        return (stage, page)
    }

    /// Shows a controller before the first frame and the first reading.
    func launch(_ root: ViewController) throws {
        try window.trySetRootViewController(root)
        try window.tryMakeKeyAndVisible()
    }

    /// Shows a controller, draws the first frame, and holds the device in portrait.
    func show(_ root: ViewController) throws {
        try launch(root)
        clock.advance(by: 0)
        device.update(.portrait)
        clock.run()
        _ = log.take()
    }

    /// Returns another window of the app, which is hidden; without a frame it covers the screen.
    func hiddenWindow(showing root: ViewController, frame: Rect? = nil) throws -> Window {
        let window = frame.map { Window(application: application, frame: $0) } ?? Window(application: application)
        try window.trySetRootViewController(root)
        return window
    }

    /// Returns another visible window of the app.
    func addWindow(showing root: ViewController, isKey: Bool = true, frame: Rect? = nil) throws -> Window {
        let window = try hiddenWindow(showing: root, frame: frame)
        if isKey { try window.tryMakeKeyAndVisible() } else { window.isHidden = false }
        return window
    }

    var orientation: InterfaceOrientation { window.interfaceOrientation }

    /// Returns a page that writes to the log.
    func page(
        _ title: String, _ mask: InterfaceOrientationMask? = nil, preferring: InterfaceOrientation = .unknown
    ) -> Page {
        Page(title, mask, preferring: preferring, log: log)
    }

    /// Turns the device and completes the animation; returns the orientation of the interface.
    @discardableResult
    func turn(_ orientations: DeviceOrientation...) -> InterfaceOrientation {
        for orientation in orientations {
            device.update(orientation)
            clock.run()
        }
        return orientation
    }
}

/// A controller with masks set by the test, which logs its callbacks.
@MainActor class Page: ViewController {
    let log: Log
    var mask: InterfaceOrientationMask?
    var preferred: InterfaceOrientation
    var autorotates = true
    var prefersLock = false
    var logsQuestions = false
    var logsLayout = false
    var lockChild: ViewController?
    var onQuery: (@MainActor () -> Void)?
    var onWillRotate: (@MainActor (Page) -> Void)?
    var onDidRotate: (@MainActor (Page) -> Void)?
    var onTransition: (@MainActor (Page, TransitionCoordinator) -> Void)?
    var onAppear: (@MainActor (Page) -> Void)?
    var onLayout: (@MainActor () -> Void)?

    init(
        _ title: String, _ mask: InterfaceOrientationMask? = nil,
        preferring preferred: InterfaceOrientation = .unknown, log: Log
    ) {
        self.log = log
        self.mask = mask
        self.preferred = preferred
        super.init(title: title)
    }

    func note(_ what: String) { log.note("\(self).\(what)") }

    /// Changes answers and announces it.
    func update(mask: InterfaceOrientationMask? = nil, preferred: InterfaceOrientation? = nil) {
        self.mask = mask ?? self.mask
        self.preferred = preferred ?? self.preferred
        setNeedsUpdateOfSupportedInterfaceOrientations()
    }

    /// Adds a child and its view.
    func add(_ child: Page) throws {
        try tryAddChild(child)
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }

    func update(prefersLock: Bool) {
        self.prefersLock = prefersLock
        setNeedsUpdateOfPrefersInterfaceOrientationLocked()
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        if logsQuestions { note("supported") }
        onQuery?()
        return mask ?? super.supportedInterfaceOrientations
    }
    override var shouldAutorotate: Bool {
        if logsQuestions { note("shouldAutorotate") }
        return autorotates
    }
    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation {
        if logsQuestions { note("preferred") }
        return preferred
    }
    override var prefersInterfaceOrientationLocked: Bool { prefersLock }
    override var childViewControllerForInterfaceOrientationLock: ViewController? { lockChild }

    override func viewDidLoad() { note("didLoad") }
    override func viewWillAppear(_ animated: Bool) { note("willAppear \(interfaceOrientation)") }
    override func viewDidAppear(_ animated: Bool) {
        note("didAppear")
        onAppear?(self)
    }
    override func viewWillDisappear(_ animated: Bool) { note("willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { note("didDisappear") }
    override func viewWillLayoutSubviews() {
        if logsLayout { note("willLayout \(view.bounds.size.short)") }
    }
    override func viewDidLayoutSubviews() {
        if logsLayout { note("didLayout") }
        onLayout?()
    }
    override func willMove(toParent parent: ViewController?) {
        note("willMove \(parent.map { "\($0)" } ?? "nil")")
    }
    override func didMove(toParent parent: ViewController?) {
        note("didMove \(parent.map { "\($0)" } ?? "nil")")
    }

    override func willRotate(to orientation: InterfaceOrientation, duration: Double) {
        note("willRotate \(orientation) \(duration)")
        onWillRotate?(self)
    }
    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        note("willAnimate \(orientation)")
    }
    override func didRotate(from orientation: InterfaceOrientation) {
        note("didRotate \(orientation)")
        onDidRotate?(self)
    }
    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        note("transition \(size.short)")
        onTransition?(self, coordinator)
        super.viewWillTransition(to: size, with: coordinator)
    }
}

extension Size {
    var short: String { "\(Int(width))×\(Int(height))" }
}

/// An application delegate with masks set by the test.
@MainActor final class Delegate: ApplicationDelegate {
    var mask: (@MainActor (Window?) -> InterfaceOrientationMask)
    let log: Log?

    init(log: Log? = nil, _ mask: @escaping @MainActor (Window?) -> InterfaceOrientationMask) {
        self.log = log
        self.mask = mask
    }

    func application(
        _ application: Application, supportedInterfaceOrientationsFor window: Window?
    ) -> InterfaceOrientationMask { mask(window) }

    func application(
        _ application: Application, willChangeStatusBarOrientation orientation: InterfaceOrientation,
        duration: Double
    ) { log?.note("app.willChange \(orientation) \(duration)") }

    func application(_ application: Application, didChangeStatusBarOrientation old: InterfaceOrientation) {
        log?.note("app.didChange \(old)")
    }
}

extension Device {
    /// Returns a device that sends notifications.
    static func notifying() -> Device {
        let device = Device()
        device.beginGeneratingDeviceOrientationNotifications()
        return device
    }
}
