// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// States of the daemon with a last edge and no reading: on a new connection, flat on a table, after a resume and after
/// a reconnect.
@MainActor @Suite(.onBothShapes) struct LastEdgeTests {
    /// An app that was just started, before its first state.
    private func launched(_ ruleSet: RuleSet = .modern, isAnimated: Bool = false) throws -> Stage {
        let stage = Stage(ruleSet, manifest: .portraitFirst, isAnimated: isAnimated)
        try stage.launch(stage.page("Root"))
        stage.clock.run()
        return stage
    }

    @Test(arguments: RuleSet.allCases)
    func `R18: the first reading is followed although its edge equals the last edge`(ruleSet: RuleSet) throws {
        let stage = try launched(ruleSet)
        let changes = ChangeLog(stage.device)
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .portrait && stage.device.edge == .landscapeLeft && changes.lines.isEmpty)
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight && changes.lines == ["unknown → landscapeLeft"])
        #expect(stage.window.explain()?.edgeSource == "a reading")
    }

    @Test func `R18: a last edge without a reading turns nothing`() throws {
        let stage = try launched(isAnimated: true)
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        stage.device.update(state(.portrait, lastEdge: .portrait))
        #expect(stage.orientation == .portrait && stage.log.take().allSatisfy { !$0.contains("otate") })
    }

    @Test func `R1b: a last edge without a reading is the edge of a decision`() throws {
        let stage = try launched()
        stage.device.update(state(.unknown, lastEdge: .landscapeRight))
        let root = try #require(stage.window.rootViewController)
        try root.present(stage.page("Film", .landscape))
        #expect(stage.orientation == .landscapeLeft)
        try root.dismiss()
        stage.device.update(state(.landscapeRight, lastEdge: .landscapeRight))
        #expect(stage.orientation == .landscapeLeft)
    }

    @Test func `R1b: on a flat device the last edge is followed, and the reading confirms it`() throws {
        for flat in [DeviceOrientation.faceUp, .faceDown] {
            let stage = try launched()
            stage.device.update(state(flat, lastEdge: .landscapeLeft))
            #expect(stage.orientation == .landscapeRight)
            (stage.window.rootViewController as? Page)?.logsQuestions = true
            _ = stage.log.take()
            stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
            #expect(stage.orientation == .landscapeRight && stage.log.take().isEmpty)
        }
    }

    @Test func `R20: a lock turned on before the first reading is followed keeps its edge`() throws {
        let stage = try launched()
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft, lockedTo: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R23: a new edge while a window is hidden ends its request`() throws {
        for isHidden in [true, false] {
            let stage = try launched()
            stage.device.beginGeneratingDeviceOrientationNotifications()
            stage.turn(.portrait)
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
            if isHidden { stage.window.isHidden = true } else { stage.application.suspend() }
            stage.turn(.portraitUpsideDown)
            if isHidden { try stage.window.makeKeyAndVisible() } else { stage.application.resume() }
            #expect(stage.orientation == .portraitUpsideDown)
        }
    }

    /// A decision between a last edge without a reading and the reading.
    enum Between: CaseIterable {
        case update, dismissal, pop, tab, root, otherKeyWindow, request, push, resume, otherWindowOnly
    }

    @Test(arguments: Between.allCases)
    func `R18: a reading is followed although a decision used another last edge before`(between: Between) throws {
        let stage = Stage()
        let navigation = try NavigationController(rootViewController: stage.page("First"))
        try navigation.pushViewController(stage.page("Second"))
        let tabs = try TabBarController(viewControllers: [navigation, stage.page("Tab")])
        try stage.show(tabs)
        let otherRoot = stage.page("Other")
        let other = try stage.addWindow(showing: otherRoot, isKey: false)
        stage.turn(.landscapeLeft)
        if between == .dismissal { try tabs.present(stage.page("Film")) }
        if between == .resume { stage.application.suspend() }
        stage.device.update(.unknown)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        switch between {
        case .update: tabs.setNeedsUpdateOfSupportedInterfaceOrientations()
        case .dismissal: try tabs.dismiss()
        case .pop: navigation.popViewController()
        case .tab: try tabs.select(1)
        case .root: try stage.window.setRootViewController(stage.page("New"))
        case .otherKeyWindow:
            try other.makeKeyAndVisible()
            other.isHidden = true
        case .request: try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        case .push: try navigation.pushViewController(stage.page("Third"))
        case .resume: stage.application.resume()
        case .otherWindowOnly: otherRoot.setNeedsUpdateOfSupportedInterfaceOrientations()
        }
        let keeps = between == .push || between == .otherWindowOnly
        #expect(stage.orientation == (keeps ? .landscapeRight : .portrait))
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
        #expect(other.isHidden || other.interfaceOrientation == .landscapeRight)
        tabs.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        stage.device.update(state(.portrait, lastEdge: .portrait))
        #expect(stage.orientation == .portrait)
        #expect(other.isHidden || other.interfaceOrientation == .portrait)
    }

    @Test(arguments: [true, false])
    func `R18: a reading is followed although a decision of another window used its edge before`(
        pushes: Bool
    ) throws {
        let stage = try launched()
        let navigation = try NavigationController(rootViewController: stage.page("First"))
        let other = try stage.addWindow(showing: navigation, isKey: false)
        stage.turn(.landscapeLeft)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        if pushes {
            try navigation.pushViewController(stage.page("Second"))
        } else {
            navigation.setNeedsUpdateOfSupportedInterfaceOrientations()
        }
        #expect(stage.orientation == .landscapeRight)
        stage.device.update(state(.portrait, lastEdge: .portrait))
        #expect(stage.orientation == .portrait && other.interfaceOrientation == .portrait)
    }

    @Test func `R42: a source that starts with another last edge does not suppress the reading`() throws {
        for isHidden in [true, false] {
            let stage = try launched()
            stage.turn(.landscapeLeft)
            let source = StartingSource(state(.unknown, lastEdge: .portraitUpsideDown))
            stage.device.source = source
            if isHidden {
                stage.window.isHidden = true
                try stage.window.makeKeyAndVisible()
            } else {
                stage.application.suspend()
                stage.application.resume()
            }
            #expect(stage.orientation == .portraitUpsideDown)
            stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
            #expect(stage.orientation == .landscapeRight)
        }
    }

    @Test func `R23: a request holds against the last edge with which it was granted, and the reading of it`() throws {
        let stage = try launched()
        let root = try #require(stage.window.rootViewController)
        stage.turn(.landscapeLeft)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        stage.device.update(state(.portrait, lastEdge: .portrait))
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeLeft)
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        stage.device.update(state(.portrait, lastEdge: .portrait))
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
    }

    @Test func `R18: the reading of the edge before is followed after a last edge that is not allowed`() throws {
        let stage = try launched()
        let root = try #require(stage.window.rootViewController)
        stage.turn(.landscapeLeft)
        let film = stage.page("Film", .portraitUpsideDown)
        try root.present(film)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        film.update(mask: [.portraitUpsideDown, .landscapeRight])
        #expect(stage.orientation == .portraitUpsideDown)
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R33: an edge that is pending at the end of a turn is followed by its reading later`() throws {
        let stage = try launched(isAnimated: true)
        (stage.window.rootViewController as? Page)?.mask = .allButUpsideDown
        stage.turn(.portrait)
        stage.device.update(.landscapeLeft)
        #expect(stage.window.isRotating)
        stage.device.update(.portrait)
        stage.device.update(state(.unknown, lastEdge: .portraitUpsideDown))
        stage.clock.run()
        #expect(stage.orientation == .landscapeRight)
        #expect(stage.turn(.portrait) == .portrait)
    }
}

/// A source that reports a state when it is started.
@MainActor private final class StartingSource: DeviceOrientationSource {
    let state: OrientationState

    init(_ state: OrientationState) { self.state = state }

    func startUpdating(_ device: Device) { device.update(state) }
    func stopUpdating(_ device: Device) {}
}
