// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import InterfaceRotation

/// A removal costs what it removes: the controllers that stay get no callbacks, and the callbacks are those of a larger
/// change.
@MainActor @Suite(.onBothShapes) struct RemovalTests {
    private let stage = Stage()

    /// Shows a root with children side by side.
    private func shown(_ count: Int, in stage: Stage) throws -> (root: Page, children: [Page]) {
        let root = stage.page("Root")
        try stage.show(root)
        let children = (1...count).map { stage.page("Child\($0)") }
        for child in children { try root.add(child) }
        _ = stage.log.take()
        return (root, children)
    }

    private func remove(_ child: Page) {
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
    }

    @Test func `R32: a removed child disappears, and the others are not laid out`() throws {
        let (root, children) = try shown(4, in: stage)
        for page in [root] + children { page.logsLayout = true }
        remove(children[1])
        let size = root.view.bounds.size.short
        #expect(
            stage.log.take() == [
                "Child2.willMove nil", "Child2.willDisappear", "Root.willLayout \(size)", "Root.didLayout",
                "Child2.didDisappear", "Child2.didMove nil",
            ])
        #expect(root.children.map(\.description) == ["Child1", "Child3", "Child4"] && root.view.subviews.count == 3)
        stage.turn(.landscapeLeft)
        let turned = stage.log.take().filter { $0.contains("didRotate") }
        #expect(turned == ["Root", "Child1", "Child3", "Child4"].map { "\($0).didRotate portrait" })
    }

    @Test func `R32: a child that is removed and added again appears again`() throws {
        let (root, children) = try shown(3, in: stage)
        for _ in 0..<20 {
            remove(children[0])
            try root.add(children[0])
        }
        let lines = stage.log.take().filter { $0.hasPrefix("Child1.did") || $0.hasPrefix("Child1.will") }
        #expect(lines.filter { $0.contains("didAppear") }.count == 20)
        #expect(lines.filter { $0.contains("didDisappear") }.count == 20)
        stage.turn(.landscapeLeft)
        #expect(stage.log.take().filter { $0 == "Child1.didRotate portrait" }.count == 1)
        try stage.window.trySetRootViewController(stage.page("Next"))
        #expect(stage.log.take().filter { $0.hasSuffix("didDisappear") }.count == 4)
    }

    @Test func `R32: a child that is removed in its own viewWillDisappear disappears once`() throws {
        let (stage, root) = try Stage.showing()
        let leaving = Leaving("Leaving", log: stage.log)
        try root.add(leaving)
        _ = stage.log.take()
        leaving.view.removeFromSuperview()
        #expect(
            stage.log.take() == ["Leaving.willDisappear", "Leaving.didMove nil", "Leaving.didDisappear"])
        #expect(root.children.isEmpty && leaving.view.superview == nil)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
    }

    @Test func `R32: a sheet that is dismissed disappears, and the controllers below are not laid out`() throws {
        let (root, children) = try shown(2, in: stage)
        let sheets = ["Sheet1", "Sheet2"].map { stage.page($0) }
        for sheet in sheets { sheet.modalPresentationStyle = .pageSheet }
        try root.tryPresent(sheets[0])
        try sheets[0].tryPresent(sheets[1])
        for page in [root] + children + sheets { page.logsLayout = true }
        _ = stage.log.take()
        sheets[0].dismiss()
        #expect(stage.log.take() == ["Sheet2.willDisappear", "Sheet2.didDisappear"])
        #expect(sheets[1].view.superview == nil && sheets[0].presentedViewController == nil)
        root.dismiss()
        #expect(stage.log.take() == ["Sheet1.willDisappear", "Sheet1.didDisappear"])
        #expect(stage.window.subviews.count == 1)
    }

    @Test func `R32: controllers that are removed in a callback of a turn disappear after it`() throws {
        let stage = Stage(isAnimated: true)
        let (root, children) = try shown(3, in: stage)
        root.onWillRotate = { [self] _ in children.prefix(2).forEach(remove) }
        stage.turn(.landscapeLeft)
        let lines = stage.log.take()
        #expect(lines.filter { $0.hasSuffix("didDisappear") } == ["Child1.didDisappear", "Child2.didDisappear"])
        #expect(lines.filter { $0.contains("didRotate") } == ["Root.didRotate portrait", "Child3.didRotate portrait"])
    }

    @Test func `R34: observers that are removed, deallocated or added again are called as registered`() {
        let device = Device.notifying()
        let log = Log()
        final class Name {
            let name: String
            init(_ name: String) { self.name = name }
        }
        func observe(_ observer: Name) {
            device.orientationDidChange.addObserver(observer) { observer, _ in log.note(observer.name) }
        }
        let names = (0..<6).map { Name("\($0)") }
        names.forEach(observe)
        for index in [0, 2, 3, 5] { device.orientationDidChange.removeObserver(names[index]) }
        device.update(.portrait)
        #expect(log.take() == ["1", "4"])
        observe(names[2])
        observe(names[1])
        device.update(.landscapeLeft)
        #expect(log.take() == ["1", "4", "2", "1"])
        device.orientationDidChange.removeObserver(names[1])
        device.update(.portrait)
        #expect(log.take() == ["4", "2"])
        // A new observer can have the address of a deallocated one.
        for round in 0..<50 {
            var observer: Name? = Name("new")
            if let observer { observe(observer) }
            observer = nil
            if round.isMultiple(of: 7) { device.update(round.isMultiple(of: 2) ? .landscapeLeft : .portrait) }
        }
        let last = Name("last")
        observe(last)
        _ = log.take()
        device.update(.portraitUpsideDown)
        #expect(log.take() == ["4", "2", "last"])
    }

    @Test func `R34: the closure of a removed observer is released at once`() {
        let device = Device()
        final class Document {}
        let observers = (0..<3).map { _ in Log() }
        weak var captured: Document?
        do {
            let document = Document()
            captured = document
            device.orientationDidChange.addObserver(observers[0]) { _, _ in withExtendedLifetime(document) {} }
        }
        for observer in observers.dropFirst() { device.orientationDidChange.addObserver(observer) { _, _ in } }
        #expect(captured != nil)
        device.orientationDidChange.removeObserver(observers[0])
        #expect(captured == nil)
    }

    @Test func `R34: an observer can remove others that are registered twice`() {
        let device = Device.notifying()
        let (log, other) = (Log(), Log())
        device.orientationDidChange.addObserver(log) { log, _ in
            log.note("first")
            device.orientationDidChange.removeObserver(other)
            device.orientationDidChange.removeObserver(log)
        }
        for _ in 0..<2 { device.orientationDidChange.addObserver(other) { other, _ in other.note("called") } }
        device.orientationDidChange.addObserver(log) { log, _ in log.note("second") }
        device.update(.portrait)
        device.update(.landscapeLeft)
        #expect(log.take() == ["first"] && other.take().isEmpty)
    }

    @Test func `R30: a child that a callback moves to another window stays visible there`() throws {
        let (stage, root) = try Stage.showing()
        let (other, child) = (stage.page("Other"), stage.page("Child"))
        try root.tryAddChild(child)
        root.view.addSubview(child.view)
        let second = try stage.addWindow(showing: other)
        root.onWillRotate = { root in
            root.onWillRotate = nil
            do { try other.tryAddChild(child) } catch { stage.log.note("\(error)") }
            other.view.addSubview(child.view)
        }
        stage.turn(.landscapeLeft)
        #expect(child.view.window === second && child.view.superview === other.view)
        #expect(stage.log.take().filter { $0 == "Child.willDisappear" }.count == 1)
        stage.turn(.portrait)
        #expect(stage.log.take().contains { $0.hasPrefix("Child.willRotate") } && stage.errors.isEmpty)
    }

    @Test func `R12: the view of a controller that is in no hierarchy stays where the program has put it`() throws {
        let root = NavigationController(rootViewController: stage.page("Page"))
        try stage.show(root)
        let strangers = [stage.page("First"), stage.page("Second")]
        stage.window.addSubview(strangers[0].view)
        root.view.addSubview(strangers[1].view)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        try root.tryPresent(stage.page("Film"))
        root.dismiss()
        #expect(strangers[0].view.superview === stage.window && strangers[1].view.superview === root.view)
        #expect(!stage.log.take().contains { $0.hasPrefix("First") || $0.hasPrefix("Second") })
    }
}

/// Leaves its parent when its view disappears.
@MainActor private final class Leaving: Page {
    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        removeFromParent()
    }
}
