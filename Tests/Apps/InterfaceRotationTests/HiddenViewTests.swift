// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// A hidden view is in its window: only windows and membership decide which controllers are visible.
@MainActor @Suite(.onBothShapes) struct HiddenViewTests {
    /// Shows a root with a child that has a child.
    private func shown(in stage: Stage) throws -> (root: Page, child: Page, inner: Page) {
        let (root, child, inner) = (stage.page("Root"), stage.page("Child"), stage.page("Inner"))
        try stage.show(root)
        try root.add(child)
        try child.add(inner)
        _ = stage.log.take()
        return (root, child, inner)
    }

    @Test func `R31: a view that is hidden during each turn keeps its place and all callbacks`() throws {
        let stage = Stage(isAnimated: true)
        let (root, child, inner) = try shown(in: stage)
        root.onWillRotate = { _ in child.view.isHidden = true }
        root.onDidRotate = { _ in child.view.isHidden = false }
        for (edge, name) in [(DeviceOrientation.landscapeLeft, "portrait"), (.portrait, "landscapeRight")] {
            stage.turn(edge)
            let lines = stage.log.take()
            for page in [child, inner] {
                let calls = lines.filter { $0.hasPrefix("\(page).") && $0.contains("otate") }
                #expect(calls.count == 2 && calls.last == "\(page).didRotate \(name)")
                #expect(lines.contains { $0.hasPrefix("\(page).willAnimate") })
            }
            #expect(!lines.contains { $0.contains("ppear") })
            #expect(child.view.superview === root.view && inner.view.superview === child.view)
        }
    }

    @Test func `R32: a hidden view has no appearance callbacks, whatever of it or around it is hidden`() throws {
        let stage = Stage()
        let (root, child, inner) = try shown(in: stage)
        let box = View()
        root.view.addSubview(box)
        box.addSubview(child.view)
        _ = stage.log.take()
        for view in [child.view, inner.view, box, root.view] {
            view.isHidden = true
            stage.turn(.landscapeLeft, .portrait)
            view.isHidden = false
            #expect(!stage.log.take().contains { $0.contains("ppear") })
            #expect(child.view.superview === box && inner.view.superview === child.view && box.superview === root.view)
        }
        let late = stage.page("Late")
        child.view.isHidden = true
        try child.add(late)
        #expect(stage.log.take().contains("Late.didAppear") && late.interfaceOrientation == stage.orientation)
    }

    @Test func `R31: a child whose view is in the window, and not in its parent's view, keeps its callbacks`() throws {
        let stage = Stage(isAnimated: true)
        let (root, child, inner) = try shown(in: stage)
        /// Checks that both children, or none, have appeared or disappeared.
        func expect(_ callback: String?, line: Int = #line) {
            let lines = stage.log.take().filter { !$0.hasPrefix("Root") && !$0.hasPrefix("Film") }
            let calls = lines.filter { $0.contains("ppear") }.map { String($0.prefix { $0 != " " }) }
            let expected = callback.map { name in
                ["Child", "Inner"].flatMap { ["\($0).will\(name)", "\($0).did\(name)"] }
            }
            #expect(calls.sorted() == (expected ?? []).sorted(), "line \(line)")
        }
        stage.window.addSubview(child.view)
        expect(nil)
        stage.device.update(.landscapeLeft)
        stage.clock.run()
        let turned = stage.log.take().filter { $0.contains("Rotate") }
        #expect(turned.count == 6 && turned.suffix(3).map { $0.prefix(5) } == ["Root.", "Child", "Inner"])
        #expect(child.view.superview === stage.window)
        try root.present(stage.page("Film"))
        expect("Disappear")
        try root.dismiss()
        expect("Appear")
        child.view.removeFromSuperview()
        expect("Disappear")
        stage.window.addSubview(child.view)
        expect("Appear")
        stage.window.addSubview(inner.view)
        expect(nil)
        // What is in a controller leaves with it.
        child.removeFromParent()
        expect("Disappear")
        try root.addChild(child)
        expect("Appear")
        child.view.removeFromSuperview()
        expect("Disappear")
        #expect(inner.view.superview === stage.window)
    }

    @Test func `R32: a hidden view stays in a container that is covered, and returns with it`() throws {
        let stage = Stage()
        let (root, child, inner) = try shown(in: stage)
        child.view.isHidden = true
        try root.present(stage.page("Film", .landscape))
        try root.dismiss()
        child.view.isHidden = false
        let lines = stage.log.take()
        for page in [root, child, inner] {
            #expect(lines.filter { $0 == "\(page).didDisappear" || $0 == "\(page).didAppear" }.count == 2)
            #expect(page.view.window === stage.window)
        }
    }

    @Test func `R12: the view of a controller that is in no hierarchy stays where the program has put it`() throws {
        let stage = Stage()
        let root = try NavigationController(rootViewController: stage.page("Page"))
        try stage.show(root)
        let strangers = [stage.page("First"), stage.page("Second")]
        stage.window.addSubview(strangers[0].view)
        root.view.addSubview(strangers[1].view)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        try root.present(stage.page("Film"))
        try root.dismiss()
        #expect(strangers[0].view.superview === stage.window && strangers[1].view.superview === root.view)
        #expect(!stage.log.take().contains { $0.hasPrefix("First") || $0.hasPrefix("Second") })
    }
}
