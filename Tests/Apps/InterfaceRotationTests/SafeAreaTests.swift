// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Safe areas of views.
@MainActor @Suite(.onBothShapes) struct SafeAreaTests {
    /// 40 at the top of a portrait interface, 34 at its bottom.
    private let stage = Stage(
        screen: Screen(
            size: Stage.size, safeArea: SafeArea(portrait: EdgeInsets(top: 40, left: 0, bottom: 34, right: 0))))

    @Test func `R37: a view has the insets of its window as far as it reaches into the unsafe area`() throws {
        let root = stage.page("Root")
        #expect(root.view.safeAreaInsets == .zero)
        try stage.show(root)
        #expect(root.view.safeAreaInsets == stage.window.safeAreaInsets && root.view.safeAreaInsets.top == 40)
        let bar = View(frame: Rect(x: 20, y: 10, width: 100, height: 50))
        let inner = View(frame: Rect(x: 0, y: 10, width: 100, height: 10))
        let middle = View(frame: Rect(x: 0, y: 100, width: 100, height: 100))
        for view in [bar, middle] { root.view.addSubview(view) }
        bar.addSubview(inner)
        #expect(bar.safeAreaInsets == EdgeInsets(top: 30, left: 0, bottom: 0, right: 0))
        #expect(inner.safeAreaInsets == EdgeInsets(top: 20, left: 0, bottom: 0, right: 0))
        #expect(middle.safeAreaInsets == .zero)
        stage.turn(.landscapeRight)
        #expect(root.view.safeAreaInsets == EdgeInsets(top: 0, left: 34, bottom: 0, right: 40))
        #expect(root.view.safeAreaInsets == stage.window.safeAreaInsets)
        #expect(bar.safeAreaInsets == EdgeInsets(top: 0, left: 14, bottom: 0, right: 0))
    }

    @Test func `R37: halves have the insets of their own sides`() throws {
        try stage.show(stage.page("Root"))
        let page = stage.page("Half")
        let half = try stage.addWindow(showing: page, isKey: false, frame: Rect(size: .zero))
        for edge in [DeviceOrientation.portrait, .landscapeRight, .portraitUpsideDown] {
            stage.turn(edge)
            let bounds = stage.application.screen.bounds
            let full = stage.window.safeAreaInsets
            half.interfaceFrame = Rect(x: 0, y: 0, width: bounds.size.width, height: bounds.size.height / 2)
            #expect(half.safeAreaInsets == EdgeInsets(top: full.top, left: full.left, bottom: 0, right: full.right))
            #expect(page.view.safeAreaInsets == half.safeAreaInsets)
        }
    }

    @Test func `R37: a controller is called when the insets of its view change, before its layout`() throws {
        let root = Inset("Root", log: stage.log)
        root.logsLayout = true
        try stage.launch(root)
        stage.turn(.portrait)
        let first = stage.log.take()
        #expect(first.filter { $0.contains("inset") }.count == Set(first.filter { $0.contains("inset") }).count)
        #expect(first.contains { $0.hasPrefix("Root.insets") })
        stage.turn(.landscapeLeft)
        let insets = EdgeInsets(top: 0, left: 40, bottom: 0, right: 34)
        #expect(
            stage.log.take().filter { $0.contains("ayout") || $0.contains("inset") } == [
                "Root.insets \(insets)", "Root.willLayout 568×320", "Root.didLayout",
            ])
        root.view.layoutIfNeeded()
        #expect(!stage.log.take().contains { $0.contains("inset") })
    }
}

/// Logs the insets of its view.
@MainActor private final class Inset: Page {
    override func viewSafeAreaInsetsDidChange() { note("insets \(view.safeAreaInsets)") }
}
