// SPDX-License-Identifier: Apache-2.0

import Glibc
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
        try stage.window.trySetRootViewController(container)
        for child in [old, new] { try container.tryAddChild(child) }
        container.view.addSubview(old.view)
        var completions = 0
        try container.tryTransition(from: old, to: new, duration: 0.5) {
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

    @Test func `R33: a turn is not completed in a callback, and the source is asked to wake the loop again`() throws {
        let (stage, alarm) = try turning()
        stage.clock.advanceWithoutFrame(by: 2)
        let page = stage.page("Other", .portrait)
        let other = try stage.hiddenWindow(showing: page)
        page.onAppear = { _ in
            // The alarm has fired, and is used up.
            alarm.delay = nil
            stage.device.processUpdates()
            page.note("rotating \(stage.window.isRotating), delay \(alarm.delay == 1)")
        }
        other.isHidden = false
        #expect(stage.log.take().contains("Other.rotating true, delay true"))
        stage.device.processUpdates()
        #expect(!stage.window.isRotating)
    }

    @Test func `R33: a source that the device no longer follows has no alarm`() throws {
        let (stage, first, second) = (Stage(isAnimated: true), Alarm(), Alarm())
        stage.device.source = first
        try stage.show(stage.page("Root"))
        stage.device.update(.landscapeLeft)
        #expect(first.delay == 1)
        stage.device.source = second
        #expect(first.delay == nil && second.delay == 1)
    }

    @Test func `R33: turns without frames do not pile up requests for frames`() throws {
        let clock = CountingClock()
        let application = Application(screen: Screen(size: Stage.size), frameClock: clock)
        application.orientationFailureHandler = { Issue.record("\($0)") }
        let window = Window(application: application)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        clock.frame()
        for _ in 0..<5 {
            for orientation in [DeviceOrientation.landscapeLeft, .portrait] {
                application.device.update(orientation)
                clock.now += 2
                application.completeStalledTurns()
            }
        }
        #expect(clock.requests.count == 1 && !application.isRotating)
        clock.frame()
        #expect(clock.requests.isEmpty)
        application.device.update(.landscapeLeft)
        #expect(application.isRotating)
    }

    @Test func `R33: a loop that stops drawing completes its turn: the time of its clock continues`() throws {
        let clock = LoopFrameClock()
        let application = Application(screen: Screen(size: Stage.size), frameClock: clock)
        let window = Window(application: application)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        application.device.update(.portrait)
        clock.frame()
        application.rotationDuration = 1_000
        application.device.update(.landscapeLeft)
        clock.frame()
        #expect(application.isRotating && clock.isFrameRequested)
        let first = try #require(application.secondsUntilFrameTimeout)
        while application.isRotating {
            // The wait of a main loop.
            poll(nil, 0, Int32(((application.secondsUntilFrameTimeout ?? 0) * 1e3).rounded(.up)))
            application.device.processUpdates()
        }
        #expect((0...1).contains(first) && window.picture.progress == 1)
    }

    @Test func `R41: the transform of the output is drawn at once, during a turn too`() throws {
        let stage = Stage(screen: Screen(size: Stage.size, rotator: .compositor), isAnimated: true)
        let canvas = Canvas()
        try stage.show(stage.page("Root"))
        stage.window.surface = canvas
        stage.device.update(.landscapeLeft)
        for progress in [0, 0.5] {
            if progress > 0 {
                stage.clock.advance(by: 0)
                stage.clock.advance(by: 0.15)
            }
            let before = try #require(canvas.pictures.last)
            canvas.pictures = []
            let output = stage.application.screen.outputTransform
            stage.application.screen.outputTransform = output.composed(with: DisplayRotation(.left))
            #expect(canvas.pictures.count == 1 && canvas.pictures.last?.transform != before.transform)
            #expect(canvas.pictures.last == stage.window.picture)
            #expect(abs((canvas.pictures.last?.progress ?? 9) - progress) < 0.01)
        }
    }
}

/// A clock that counts the requests of frames.
@MainActor private final class CountingClock: FrameClock {
    var now = 0.0
    private(set) var requests: [@MainActor (Double) -> Void] = []
    func requestFrame(_ body: @escaping @MainActor (Double) -> Void) { requests.append(body) }
    func frame() {
        let due = requests
        requests = []
        for body in due { body(now) }
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
