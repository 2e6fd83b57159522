// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct OverrideTests {
    @Test func `R26: an override keeps its edge while the device is flat, and ends when it turns`() {
        let device = Device.notifying()
        func tell(_ orientation: DeviceOrientation, lastEdge: Edge) {
            device.update(
                OrientationState(
                    orientation: orientation, lastEdge: lastEdge, isLocked: false, lockedTo: nil, sequence: 1,
                    instance: "a"))
        }
        tell(.portrait, lastEdge: .portrait)
        device.overrideOrientation(.landscapeLeft)
        device.overrideOrientation(.faceUp)
        tell(.faceDown, lastEdge: .portrait)
        #expect(device.orientation == .faceUp && device.edge == .landscapeLeft)
        // Turned without readings: the first reading of another edge ends the override.
        tell(.unknown, lastEdge: .portraitUpsideDown)
        #expect(device.orientation == .faceUp && device.edge == .landscapeLeft)
        tell(.portraitUpsideDown, lastEdge: .portraitUpsideDown)
        #expect(device.orientation == .portraitUpsideDown && device.edge == .portraitUpsideDown)
    }

    @Test(arguments: RuleSet.allCases)
    func `R26: the next turn of the device ends an override that was set after a reset`(ruleSet: RuleSet) throws {
        let (stage, _) = try Stage.showing(ruleSet: ruleSet)
        for value in [DeviceOrientation.landscapeRight, .landscapeLeft] {
            stage.device.overrideOrientation(.unknown)
            stage.device.overrideOrientation(value)
        }
        #expect(stage.orientation == .landscapeRight)
        stage.turn(.landscapeRight)
        #expect(stage.device.orientation == .landscapeRight && stage.orientation == .landscapeLeft)
        #expect(stage.window.explain()?.edgeSource == "a reading")
        #expect(stage.turn(.portrait) == .portrait)
        // After its end, the same value is a new override.
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R26: the first reading does not end an override that was set before it`() throws {
        let stage = Stage()
        try stage.launch(stage.page("Root"))
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.turn(.portrait) == .landscapeRight)
        #expect(stage.turn(.portraitUpsideDown) == .portraitUpsideDown)
    }

    @Test func `R26: a turn to the edge of the override ends it and posts nothing`() throws {
        let (stage, _) = try Stage.showing()
        stage.device.overrideOrientation(.landscapeLeft)
        let changes = ChangeLog(stage.device)
        stage.turn(.landscapeLeft)
        #expect(changes.lines.isEmpty && stage.orientation == .landscapeRight)
        stage.turn(.portrait)
        #expect(changes.lines == ["landscapeLeft → portrait"] && stage.orientation == .portrait)
    }

    @Test func `R26: a turn under the user's lock ends an override, with effect when the lock is turned off`() throws {
        let (stage, _) = try Stage.showing()
        stage.device.overrideOrientation(.landscapeLeft)
        stage.device.lock()
        stage.turn(.portraitUpsideDown)
        #expect(stage.device.orientation == .landscapeLeft && stage.orientation == .landscapeRight)
        stage.device.unlock()
        #expect(stage.device.orientation == .portraitUpsideDown && stage.orientation == .portraitUpsideDown)
    }

    @Test func `R26: clearing an override while the device is flat restores the last edge`() throws {
        let (stage, _) = try Stage.showing()
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.turn(.faceUp) == .landscapeRight)
        stage.device.clearOverride()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R26: an override that an observer sets is evaluated after the current notification`() {
        let device = Device.notifying()
        let changes = ChangeLog(device)
        var isFirst = true
        device.orientationDidChange.addObserver(device) { _, _ in
            guard isFirst else { return }
            isFirst = false
            for orientation in [DeviceOrientation.landscapeLeft, .landscapeLeft, .unknown, .landscapeLeft] {
                device.overrideOrientation(orientation)
            }
        }
        device.update(.portrait)
        #expect(changes.lines == ["unknown → portrait"] + Array(repeating: "portrait → landscapeLeft", count: 2))
    }

    @Test func `R1b: after a reset of an override, the edge is that of the current reading`() throws {
        let (stage, _) = try Stage.showing()
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight && badge.transform == stage.orientation.transform)
        stage.device.overrideOrientation(.unknown)
        #expect(stage.device.orientation == .portrait && stage.device.edge == .portrait)
        #expect(badge.transform == InterfaceOrientation.portrait.transform)
        // A reset turns nothing; the next reading does, even if unchanged.
        #expect(stage.orientation == .landscapeRight)
        #expect(stage.turn(.portrait) == .portrait)
    }

    @Test func `R36: a view that follows the device turns to the locked edge`() throws {
        let (stage, _) = try Stage.showing()
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.device.lock(to: .landscapeLeft)
        #expect(badge.transform == InterfaceOrientation.landscapeRight.transform)
        #expect(stage.orientation == .portrait)
    }
}
