// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import Testing

/// The delegate of a window: the orientations that it allows, and the geometry that it observes.
@MainActor @Suite(.onBothShapes) struct WindowSceneTests {
    @Test func `R7: the window's delegate replaces the application's delegate, in its window only`() throws {
        let (stage, _) = try Stage.showing()
        let delegate = Answering()
        stage.delegate = Delegate { _ in .landscape }
        stage.window.delegate = delegate
        stage.turn(.landscapeLeft)
        #expect(stage.orientation == .portrait && delegate.geometries.isEmpty)
        #expect(stage.window.explain()?.queried.map(\.source).contains("the window's delegate") == true)
        let other = try stage.addWindow(showing: stage.page("Other"))
        #expect(other.interfaceOrientation == .landscapeRight)
    }

    @Test func `R7: a window's delegate without an answer leaves it to the application's delegate`() throws {
        let (stage, _) = try Stage.showing()
        let delegate = WithoutAnswers()
        var queries = 0
        stage.delegate = Delegate { _ in
            queries += 1
            return .landscape
        }
        stage.window.delegate = delegate
        stage.turn(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight && queries == 1)
        #expect(stage.window.explain()?.queried.map(\.source).contains("the application's delegate") == true)
    }

    @Test func `R29: the window's delegate is called once in a turn, before the animation`() throws {
        let (stage, page) = try Stage.showing(isAnimated: true)
        let delegate = Answering()
        delegate.mask = .all
        stage.window.delegate = delegate
        delegate.onUpdate = { page.note("geometry") }
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        stage.clock.run()
        let calls = stage.log.take().filter { $0.hasPrefix("Root.geometry") || $0.hasPrefix("Root.willAnimate") }
        #expect(calls == ["Root.geometry", "Root.willAnimate landscapeRight"])
        #expect(delegate.geometries.map(\.interfaceOrientation) == [.portrait])
    }

    @Test func `R20: the window's delegate is called when the app's lock or interactive resizing changes`() throws {
        let (stage, page) = try Stage.showing()
        let delegate = Answering()
        stage.window.delegate = delegate
        page.update(prefersLock: true)
        #expect(stage.window.effectiveGeometry.isInterfaceOrientationLocked)
        page.update(prefersLock: false)
        stage.window.isInteractivelyResizing = true
        stage.window.isInteractivelyResizing = false
        #expect(delegate.geometries.map(\.isInterfaceOrientationLocked) == [false, true, false, false])
        #expect(delegate.geometries.map(\.isInteractivelyResizing) == [false, false, false, true])
    }

    @Test(arguments: [true, false])
    func `R20: the window's delegate is called when the app's lock ends with its key window`(isAnimated: Bool) throws {
        let (stage, page) = try Stage.showing(isAnimated: isAnimated)
        let delegate = Answering()
        page.prefersLock = true
        stage.window.delegate = delegate
        page.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        let other = try stage.addWindow(showing: stage.page("Other"))
        #expect(delegate.geometries.map(\.isInterfaceOrientationLocked) == [false, true])
        other.isHidden = true
        #expect(delegate.geometries.count == 3 && stage.window.isInterfaceOrientationLocked)
        stage.window.isHidden = true
        #expect(delegate.geometries.count == 4 && !stage.window.isInterfaceOrientationLocked)
    }

    @Test func `R7: a delegate that queries a default of the other one keeps its own answer`() throws {
        let (stage, _) = try Stage.showing()
        let (delegate, silent) = (Answering(), WithoutAnswers())
        stage.application.delegate = silent
        stage.window.delegate = delegate
        let window = stage.window
        delegate.onQuery = { silent.application(stage.application, supportedInterfaceOrientationsFor: window) }
        delegate.mask = .portrait
        #expect(stage.turn(.landscapeLeft) == .portrait)
        stage.window.delegate = silent
        stage.delegate = Delegate { _ in
            silent.supportedInterfaceOrientations(for: window).intersection(.portrait)
        }
        #expect(stage.turn(.landscapeRight) == .portrait)
    }
}

/// A delegate that implements nothing.
@MainActor private final class WithoutAnswers: WindowSceneDelegate, ApplicationDelegate {}

/// A delegate that answers, and keeps the former geometry of each call.
@MainActor final class Answering: WindowSceneDelegate {
    var mask = InterfaceOrientationMask.portrait
    var geometries: [WindowScene.Geometry] = []
    var onUpdate: () -> Void = {}

    var onQuery: (() -> InterfaceOrientationMask)?

    func supportedInterfaceOrientations(for windowScene: WindowScene) -> InterfaceOrientationMask {
        onQuery?().intersection(mask) ?? mask
    }

    func windowScene(
        _ windowScene: WindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: WindowScene.Geometry
    ) {
        geometries.append(previousEffectiveGeometry)
        onUpdate()
    }
}
