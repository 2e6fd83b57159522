// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// States of the daemon with a last edge and no reading: on a new connection, flat on a table, after a resume and after
/// a reconnect.
@MainActor @Suite(.onBothShapes) struct LastEdgeTests {
    /// An app that was just started, before its first state.
    private func launched() throws -> Stage {
        let stage = Stage(manifest: .portraitFirst)
        try stage.launch(stage.page("Root"))
        stage.clock.run()
        return stage
    }

    /// A decision between a last edge without a reading and the reading.
    enum Between: CaseIterable {
        case update, dismissal, pop, tab, root, otherKeyWindow, request, push, resume, otherWindowOnly
    }

    @Test(arguments: Between.allCases)
    func `R18: a reading is followed although a decision used another last edge before`(between: Between) throws {
        let stage = Stage()
        let navigation = NavigationController(rootViewController: stage.page("First"))
        try navigation.tryPushViewController(stage.page("Second"))
        let tabs = TabBarController(viewControllers: [navigation, stage.page("Tab")])
        try stage.show(tabs)
        let otherRoot = stage.page("Other")
        let other = try stage.addWindow(showing: otherRoot, isKey: false)
        stage.turn(.landscapeLeft)
        if between == .dismissal { try tabs.tryPresent(stage.page("Film")) }
        if between == .resume { stage.application.suspend() }
        stage.device.update(.unknown)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        switch between {
        case .update: tabs.setNeedsUpdateOfSupportedInterfaceOrientations()
        case .dismissal: tabs.dismiss()
        case .pop: navigation.popViewController()
        case .tab: try tabs.trySelect(1)
        case .root: try stage.window.trySetRootViewController(stage.page("New"))
        case .otherKeyWindow:
            try other.tryMakeKeyAndVisible()
            other.isHidden = true
        case .request: try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        case .push: try navigation.tryPushViewController(stage.page("Third"))
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
        let navigation = NavigationController(rootViewController: stage.page("First"))
        let other = try stage.addWindow(showing: navigation, isKey: false)
        stage.turn(.landscapeLeft)
        stage.device.update(state(.unknown, lastEdge: .portrait))
        if pushes {
            try navigation.tryPushViewController(stage.page("Second"))
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
            let source = PromptSensor(state(.unknown, lastEdge: .portraitUpsideDown))
            stage.device.source = source
            if isHidden {
                stage.window.isHidden = true
                try stage.window.tryMakeKeyAndVisible()
            } else {
                stage.application.suspend()
                stage.application.resume()
            }
            #expect(stage.orientation == .portraitUpsideDown)
            stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
            #expect(stage.orientation == .landscapeRight)
        }
    }
}
