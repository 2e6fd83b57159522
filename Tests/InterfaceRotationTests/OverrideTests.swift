// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite struct OverrideTests {
    @Test func `R26: a daemon's state leaves the edge of an override, and has its own back when that is cleared`() {
        let device = Device()
        device.beginGeneratingDeviceOrientationNotifications()
        func tell(_ orientation: DeviceOrientation, lastEdge: Edge) {
            device.update(
                OrientationState(
                    orientation: orientation, lastEdge: lastEdge, isLocked: false, lockedTo: nil, sequence: 1,
                    instance: "a"))
        }
        tell(.portrait, lastEdge: .portrait)
        device.overrideOrientation(.landscapeLeft)
        device.overrideOrientation(.faceUp)
        tell(.portraitUpsideDown, lastEdge: .portraitUpsideDown)
        tell(.faceUp, lastEdge: .portraitUpsideDown)
        #expect(device.edge == .landscapeLeft)
        device.clearOverride()
        #expect(device.edge == .portraitUpsideDown)
    }

    @Test func `R26: what an observer overrides is judged when its turn has come`() {
        let device = Device()
        device.beginGeneratingDeviceOrientationNotifications()
        let ear = Ear(device)
        var isFirst = true
        let meddler = Handler { _ in
            guard isFirst else { return }
            isFirst = false
            for orientation in [DeviceOrientation.landscapeLeft, .landscapeLeft, .unknown, .landscapeLeft] {
                device.overrideOrientation(orientation)
            }
        }
        device.orientationDidChange.addObserver(meddler) { $0.body($1) }
        device.update(.portrait)
        #expect(ear.heard == ["unknown → portrait"] + Array(repeating: "portrait → landscapeLeft", count: 2))
    }

    @Test func `R1b: when an override is reset, the edge is that of the orientation that is read`() throws {
        let stage = Stage()
        try stage.show(stage.page("Root"))
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight && badge.transform == stage.orientation.transform)
        stage.device.overrideOrientation(.unknown)
        #expect(stage.device.orientation == .portrait && stage.device.edge == .portrait)
        #expect(badge.transform == .identity)
        // A reset turns nothing; the next reading does, though it is the same as before.
        #expect(stage.orientation == .landscapeRight)
        stage.turn(.portrait)
        #expect(stage.orientation == .portrait)
    }

    @Test(arguments: RuleSet.allCases)
    func `R26: an override turns the interface in every rule set`(ruleSet: RuleSet) throws {
        let stage = Stage(ruleSet)
        try stage.show(stage.page("Root"))
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight)
        stage.device.clearOverride()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R36: a view that follows the device goes to the edge at which it is locked`() throws {
        let stage = Stage()
        try stage.show(stage.page("Root"))
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.device.lock(to: .landscapeLeft)
        #expect(badge.transform == InterfaceOrientation.landscapeRight.transform)
        #expect(stage.orientation == .portrait)
    }
}
