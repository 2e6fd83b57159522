// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// States of the daemon with a last edge and no reading: on a new connection, flat on a table, after a resume and after
/// a reconnect.
@MainActor @Suite(.onBothShapes) struct LastEdgeTests {
    private func state(
        _ orientation: DeviceOrientation, lastEdge: Edge?, lockedTo: Edge? = nil
    ) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: lastEdge, natural: Stage.shape.natural, isLocked: lockedTo != nil,
            lockedTo: lockedTo, sequence: 1,
            instance: "a")
    }

    /// An app that was just started, before its first state.
    private func launched(_ ruleSet: RuleSet = .modern, isAnimated: Bool = false) throws -> Stage {
        let stage = Stage(ruleSet, manifest: .portraitFirst, isAnimated: isAnimated)
        try stage.window.setRootViewController(stage.page("Root"))
        try stage.window.makeKeyAndVisible()
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

    @Test func `R42: after a resume the first reading is followed`() throws {
        let stage = try launched()
        stage.device.update(state(.portrait, lastEdge: .portrait))
        stage.application.suspend()
        stage.application.resume()
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R34: after a reconnect the first reading is followed`() throws {
        let stage = try launched()
        stage.device.update(state(.portrait, lastEdge: .portrait))
        stage.device.update(.unknown)
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .portrait)
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R20: a lock turned on before the first reading is followed keeps its edge`() throws {
        let stage = try launched()
        stage.device.update(state(.unknown, lastEdge: .landscapeLeft))
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft, lockedTo: .landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R20: after a lock is turned off without a reading, the next reading is followed`() throws {
        let stage = try launched()
        stage.device.update(state(.portrait, lastEdge: .portrait, lockedTo: .portrait))
        stage.device.update(state(.unknown, lastEdge: nil))
        stage.device.update(state(.landscapeLeft, lastEdge: .landscapeLeft))
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
}
