// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceRotation
import Testing

/// An app of three screens, as a UIKit developer types it without the prefixes: a list in a navigation in tabs, a page
/// that it pushes, and a player that it presents. Its lines are those of the table in `FromUIKit.md`.
@MainActor @Suite struct UIKitNamesTests {
    private let application = Application(
        screen: Screen(size: Size(width: 320, height: 568)), frameClock: ManualFrameClock())
    private let scene = SceneDelegate()

    /// Returns what is typed in UIKit, what it is here, and the reason.
    private func rows() throws -> [(typed: String, here: String, reason: String)] {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let page = root.appending(path: "Sources/Apps/InterfaceRotation/InterfaceRotation.docc/FromUIKit.md")
        let names = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## Names\n").last ?? ""
        return names.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[1].trimmingCharacters(in: ["`"]), cells[2], cells[3])
        }
    }

    @Test func `R4: each line of UIKit compiles, or is listed with its replacement or a reason`() throws {
        func withoutSpaces(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        let text = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        // The app follows this suite, whose comments and expectations do not count.
        let source = withoutSpaces(text.components(separatedBy: "\n}\n").dropFirst().joined(separator: "}"))
        let rows = try rows()
        #expect(rows.count > 70 && Set(rows.map(\.typed)).count == rows.count)
        for row in rows {
            let other = row.here.hasPrefix("`") ? row.here.trimmingCharacters(in: ["`"]) : nil
            #expect(other != nil || ["same", "none"].contains(row.here), "\(row.typed): \(row.here)")
            #expect(row.here == "same" || !row.reason.isEmpty, "\(row.typed): there is no reason")
            guard let line = row.here == "same" ? row.typed : other else { continue }
            #expect(source.contains(withoutSpaces(line)), "'\(line)' is not in the app")
        }
    }

    @Test func `R14: the app of these lines turns, and knows why its screens appear`() throws {
        application.rotationDuration = 0
        var errors: [any Error] = []
        application.orientationFailureHandler = { errors.append($0) }
        scene.connect(application)
        application.device.update(.landscapeLeft)
        #expect(scene.window?.interfaceOrientation == .landscapeRight && scene.updates == [.portrait])
        let list = scene.list
        list.open()
        list.detail.play()
        #expect(list.detail.tabBarController?.presentedViewController === list.detail.player)
        list.detail.player.close()
        list.detail.back()
        #expect(list.detail.navigationController == nil && list.navigationController?.viewControllers.count == 1)
        #expect(list.detail.changes == ["moves in", "moves out"])
        #expect(list.detail.player.changes == ["presented", "dismissed"])
        #expect(errors.isEmpty)
    }

    @Test func `R16: a refused call with UIKit's name is reported with its name, and changes nothing`() throws {
        var errors: [String] = []
        application.orientationFailureHandler = { errors.append("\($0)") }
        scene.connect(application)
        scene.mask = .portrait
        let (tabs, player) = (scene.window?.rootViewController as? TabBarController, Player())
        tabs?.present(player)
        tabs?.selectedIndex = 7
        tabs?.viewControllers = [player, player]
        scene.list.navigationController?.pushViewController(scene.list)
        scene.list.navigationController?.viewControllers = []
        scene.list.addChild(scene.list)
        scene.window?.rootViewController = scene.list
        scene.list.dismiss()
        let calls = errors.map { String($0.prefix { $0 != ":" && $0 != "(" }) }
        #expect(
            calls == [
                "present", "selectedIndex", "viewControllers", "pushViewController", "viewControllers", "addChild",
                "rootViewController", "dismiss",
            ])
        #expect(errors.first?.contains("the window's delegate allows portrait") == true)
        #expect(player.presentingViewController == nil && scene.window?.rootViewController === tabs)
        #expect(tabs?.selectedIndex == 0 && tabs?.viewControllers.count == 2 && scene.list.children.isEmpty)
        scene.window?.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape)) { errors.append("handler: \($0)") }
        #expect(errors.last?.hasPrefix("handler: none of the requested") == true)
    }

    @Test func `R23: the handler of a deferred request that a new edge ended receives no error`() throws {
        var (errors, refusals) = (0, 0)
        application.orientationFailureHandler = { _ in errors += 1 }
        scene.connect(application)
        try #require(application.frameClock as? ManualFrameClock).run()
        application.device.update(.landscapeLeft)
        scene.window?.requestGeometryUpdate(.iOS(interfaceOrientations: .portrait)) { _ in refusals += 1 }
        application.device.update(.portraitUpsideDown)
        scene.mask = []
        application.finishRotation()
        #expect(refusals == 0 && errors == 1 && scene.window?.interfaceOrientation == .landscapeRight)
    }

    @Test func `R40: a window whose application was released says so`() throws {
        var application: Application? = Application(screen: Screen(size: .zero), frameClock: ManualFrameClock())
        let window = Window(application: try #require(application))
        let root = Detail()
        window.rootViewController = root
        window.makeKeyAndVisible()
        application = nil
        #expect(throws: HierarchyError.applicationReleased) { try root.tryPresent(Player()) }
        #expect(root.presentedViewController == nil)
        #expect(throws: HierarchyError.applicationReleased) { try window.tryMakeKeyAndVisible() }
        #expect(throws: HierarchyError.applicationReleased) {
            try window.requestGeometryUpdate(interfaceOrientations: .portrait)
        }
        window.isHidden = true
        #expect(window.isHidden)
    }

    @Test func `R29: a view that needs layout is laid out once, at the next frame`() throws {
        scene.connect(application)
        let clock = try #require(application.frameClock as? ManualFrameClock)
        clock.run()
        let former = scene.list.layouts
        scene.list.view.setNeedsLayout()
        scene.list.view.setNeedsLayout()
        #expect(scene.list.layouts == former)
        clock.run()
        #expect(scene.list.layouts == former + 1)
    }
}

@MainActor private final class AppDelegate: ApplicationDelegate {
    func application(
        _ application: Application, supportedInterfaceOrientationsFor window: Window?
    ) -> InterfaceOrientationMask {
        application.supportedInterfaceOrientations(for: window)
    }
}

@MainActor private final class SceneDelegate: WindowSceneDelegate {
    let appDelegate = AppDelegate()
    let list = List()
    let settings = ViewController()
    var window: Window?
    var mask = InterfaceOrientationMask.all
    var updates: [InterfaceOrientation] = []

    func connect(_ application: Application) {
        application.delegate = appDelegate
        window = Window(application: application)
        window?.delegate = self
        let navigation = NavigationController(rootViewController: list)
        navigation.viewControllers = [list]
        navigation.setViewControllers([list], animated: false)
        let tabs = TabBarController()
        tabs.viewControllers = [navigation, settings]
        tabs.selectedIndex = 1
        tabs.selectedViewController = navigation
        window?.rootViewController = tabs
        window?.makeKeyAndVisible()
        #expect(window?.isKeyWindow == true)
        #expect(application.connectedScenes.first === window)
        #expect(window?.windowScene?.interfaceOrientation == application.statusBarOrientation)
    }

    func supportedInterfaceOrientations(for windowScene: WindowScene) -> InterfaceOrientationMask { mask }

    func windowScene(
        _ windowScene: WindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: WindowScene.Geometry
    ) {
        guard !windowScene.effectiveGeometry.isInteractivelyResizing else { return }
        #expect(windowScene.effectiveGeometry.interfaceOrientation == windowScene.picture.orientation)
        #expect(!windowScene.effectiveGeometry.isInterfaceOrientationLocked)
        #expect(windowScene.picture.bounds.size != Size.zero)
        updates.append(previousEffectiveGeometry.interfaceOrientation)
    }
}

/// A list, which pushes a page.
@MainActor private final class List: ViewController {
    let detail = Detail()
    var layouts = 0

    override func viewDidLoad() {
        title = "List"
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        guard let window = tabBarController?.view.window, let application = window.application else { return }
        let device = application.device
        device.beginGeneratingDeviceOrientationNotifications()
        device.orientationDidChange.addObserver(self) { list, change in
            if change.new.isValidInterfaceOrientation { list.view.setNeedsLayout() }
        }
        #expect(device.userInterfaceIdiom == .pad && window.screen.fixedBounds == window.interfaceFrame)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        layouts += 1
    }

    func open() {
        show(detail, sender: self)
        #expect(navigationController?.visibleViewController === detail)
    }
}

/// A page, which presents the player.
@MainActor private final class Detail: ViewController {
    let player = Player()
    var changes: [String] = []

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        if isMovingToParent { changes.append("moves in") }
    }

    override func viewDidDisappear(_ animated: Bool) {
        if isMovingFromParent { changes.append("moves out") }
        super.viewDidDisappear(animated)
    }

    func play() {
        player.modalPresentationStyle = .fullScreen
        present(player, animated: true)
    }

    func back() { navigationController?.popViewController(animated: true) }
}

/// A film: landscape only.
@MainActor private final class Player: ViewController {
    var changes: [String] = []
    private var isLocked = false

    init() { super.init() }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }
    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation { .landscapeRight }
    override var shouldAutorotate: Bool { false }
    override var prefersInterfaceOrientationLocked: Bool { isLocked }
    override var childViewControllerForInterfaceOrientationLock: ViewController? { children.first }

    override func viewWillAppear(_ animated: Bool) { if isBeingPresented { changes.append("presented") } }
    override func viewWillDisappear(_ animated: Bool) { if isBeingDismissed { changes.append("dismissed") } }
    override func viewSafeAreaInsetsDidChange() { view.layoutIfNeeded() }

    func close() { dismiss(animated: true) }
}

/// Lines that the app above has no place for.
@MainActor private final class Others: NavigationController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        topViewController?.supportedInterfaceOrientations ?? .all
    }

    override func viewWillTransition(to size: Size, with coordinator: ViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate(alongsideTransition: { context in
            guard !context.isCancelled else { return }
            print(context.transitionDuration, context.targetTransform)
        })
    }

    override func willRotate(to toInterfaceOrientation: InterfaceOrientation, duration: Double) {}
    override func willAnimateRotation(to toInterfaceOrientation: InterfaceOrientation, duration: Double) {}
    override func didRotate(from fromInterfaceOrientation: InterfaceOrientation) {}
    override func size(forChild child: ViewController, parentSize: Size) -> Size { parentSize }

    func others(_ clock: any FrameClock, _ screen: Screen, _ detail: ViewController, _ player: ViewController) throws {
        let application = Application(screen: screen, frameClock: clock)
        let (device, orientation) = (application.device, interfaceOrientation)
        try #require(view.window).windowScene?.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape))
        navigationController?.pushViewController(detail, animated: true)
        navigationController?.popToRootViewController(animated: true)
        tabBarController?.selectedIndex = 0
        setNeedsUpdateOfSupportedInterfaceOrientations()
        setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        application.attemptRotationToDeviceOrientation()
        device.overrideOrientation(.landscapeLeft)
        print(InterfaceOrientationMask(rawValue: 1 << UInt(orientation.rawValue)))
        print(view.bounds.width > view.bounds.height, view.bounds.midX, view.bounds.insetBy(dx: 8, dy: 8))
        print(view.bounds.inset(by: view.safeAreaInsets))
        view.transform = Transform(rotationAngle: .pi / 2)
        let transform = view.transform
        view.transform = transform.inverted() ?? .identity
        present(player, animated: true)
        device.endGeneratingDeviceOrientationNotifications()
        print(device.orientation.isValidInterfaceOrientation, application.areAnimationsEnabled)
        application.withoutAnimation { view.layoutIfNeeded() }
    }

    func swap(_ old: ViewController, for child: ViewController) {
        addChild(child)
        transition(from: old, to: child, duration: 0.3, animations: nil) { _ in
            child.didMove(toParent: self)
        }
    }

    func request(_ windowScene: WindowScene) {
        windowScene.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape)) { error in
            print(error)
        }
    }
}
