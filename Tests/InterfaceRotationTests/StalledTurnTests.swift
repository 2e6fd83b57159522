// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Turns whose frames stop, as those of a minimized window.
@MainActor @Suite(.onBothShapes) struct StalledTurnTests {
    private func turning() throws -> (Stage, Alarm) {
        let (stage, alarm) = (Stage(isAnimated: true), Alarm())
        stage.device.source = alarm
        try stage.show(stage.page("Root"))
        stage.device.update(.landscapeLeft)
        return (stage, alarm)
    }

    @Test func `R33: a turn that gets no frame for a second is completed`() throws {
        let (stage, _) = try turning()
        #expect(stage.application.isIgnoringInteractionEvents)
        stage.clock.advance(by: 0)
        stage.clock.advance(by: 0.1)
        stage.clock.advanceWithoutFrame(by: 0.9)
        stage.device.processUpdates()
        #expect(stage.application.isRotating)
        _ = stage.log.take()
        stage.clock.advanceWithoutFrame(by: 0.1)
        stage.device.processUpdates()
        #expect(!stage.application.isRotating && !stage.application.isIgnoringInteractionEvents)
        #expect(stage.log.take() == ["Root.didRotate portrait"])
        #expect(stage.orientation == .landscapeRight && stage.window.picture.progress == 1)
        // The frames that come later have nothing to do.
        stage.clock.run()
        #expect(stage.log.take().isEmpty)
    }

    @Test func `R33: a turn that never gets a frame is completed too`() throws {
        let (stage, _) = try turning()
        stage.clock.advanceWithoutFrame(by: 1)
        stage.application.completeStalledTurns()
        #expect(!stage.application.isRotating)
    }

    @Test func `R33: a slow turn with frames is not completed early`() throws {
        let (stage, _) = try turning()
        stage.application.rotationDuration = 30
        stage.device.update(.portrait)
        stage.clock.advance(by: 0.3)
        stage.clock.advance(by: 0.3)
        for _ in 0..<20 {
            stage.clock.advance(by: 0.9)
            stage.application.completeStalledTurns()
        }
        #expect(stage.application.isRotating)
    }

    @Test func `R33: the next reading completes a stalled turn, and turns without animation until a frame comes`()
        throws
    {
        let (stage, _) = try turning()
        stage.clock.advanceWithoutFrame(by: 5)
        stage.device.update(.portrait)
        #expect(!stage.application.isRotating && stage.orientation == .portrait)
        stage.device.update(.landscapeRight)
        #expect(!stage.application.isRotating && stage.orientation == .landscapeLeft)
        stage.clock.advance(by: 0)
        stage.device.update(.portrait)
        #expect(stage.application.isRotating)
    }

    @Test func `R33: what waited for a stalled turn is decided when it is completed`() throws {
        let (stage, _) = try turning()
        stage.device.update(.portraitUpsideDown)
        #expect(stage.orientation == .landscapeRight)
        stage.clock.advanceWithoutFrame(by: 1)
        stage.device.processUpdates()
        #expect(stage.orientation == .portraitUpsideDown)
        stage.clock.advanceWithoutFrame(by: 1)
        stage.device.processUpdates()
        #expect(!stage.application.isRotating)
    }

    @Test func `R39: a transition between children whose frames stop is completed`() throws {
        let (stage, _) = try turning()
        stage.clock.run()
        let (container, old, new) = (stage.page("Container"), stage.page("Old"), stage.page("New"))
        try stage.window.setRootViewController(container)
        for child in [old, new] { try container.addChild(child) }
        container.view.addSubview(old.view)
        var completions = 0
        try container.transition(from: old, to: new, duration: 0.5) {
        } completion: {
            completions += 1
        }
        stage.clock.advanceWithoutFrame(by: 1)
        stage.device.processUpdates()
        #expect(completions == 1 && old.view.superview == nil)
        stage.clock.run()
        #expect(completions == 1)
    }

    @Test func `R33: the source is asked to wake the main loop while something is animated`() throws {
        let (stage, alarm) = try turning()
        #expect(alarm.delay == 1 && stage.application.secondsUntilFrameTimeout == 1)
        stage.clock.advance(by: 0)
        stage.clock.advance(by: 0.25)
        stage.clock.advanceWithoutFrame(by: 0.75)
        #expect(stage.application.secondsUntilFrameTimeout == 0.25)
        stage.device.processUpdates()
        #expect(alarm.delay == 0.25 && alarm.processed == 1)
        stage.clock.run()
        #expect(alarm.delay == nil && stage.application.secondsUntilFrameTimeout == nil)
    }

    @Test func `R33: a turn is not completed inside a callback`() throws {
        let (stage, _) = try turning()
        let other = Window(application: stage.application)
        let page = stage.page("Other", .portrait)
        try other.setRootViewController(page)
        page.onAppear = { _ in
            stage.clock.advanceWithoutFrame(by: 2)
            stage.device.processUpdates()
            page.note("rotating \(stage.window.isRotating)")
        }
        other.isHidden = false
        #expect(stage.log.take().contains("Other.rotating true"))
        stage.device.processUpdates()
        #expect(!stage.window.isRotating)
    }
}

/// A source that records the requested delay.
@MainActor private final class Alarm: DeviceOrientationSource {
    var delay: Double?
    var processed = 0
    func startUpdating(_ device: Device) {}
    func stopUpdating(_ device: Device) {}
    func processUpdates(of device: Device) { processed += 1 }
    func wakeUp(_ device: Device, after seconds: Double?) { delay = seconds }
}
