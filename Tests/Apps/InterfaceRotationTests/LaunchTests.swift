// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Apps that know the state of the daemon before their first frame.
@MainActor @Suite(.onBothShapes) struct LaunchTests {
    private let clock = ManualFrameClock()
    private let source = Silent()

    private func application(
        _ state: OrientationState, _ ruleSet: RuleSet = .modern, manifest: OrientationManifest = .none
    ) -> Application {
        let application = Application(
            ruleSet: ruleSet, manifest: manifest, screen: Screen(size: Stage.size), frameClock: clock,
            launchState: state)
        application.device.source = source
        return application
    }

    private func show(
        _ mask: InterfaceOrientationMask = .all, in application: Application
    ) throws -> (Window, Canvas, Page, Log) {
        let (window, canvas, log) = (Window(application: application), Canvas(), Log())
        let page = Page("Root", mask, log: log)
        window.surface = canvas
        try window.trySetRootViewController(page)
        try window.tryMakeKeyAndVisible()
        return (window, canvas, page, log)
    }

    /// The six poses, the flat ones with the edge that was up before.
    nonisolated private static let poses: [(DeviceOrientation, Edge?)] = [
        (.portrait, nil), (.portraitUpsideDown, nil), (.landscapeLeft, nil), (.landscapeRight, nil),
        (.faceUp, .landscapeRight), (.faceDown, .portraitUpsideDown), (.faceUp, nil), (.faceDown, nil),
    ]

    @Test(arguments: poses, RuleSet.allCases)
    func `R6: an app that is launched in any pose draws its first frame right, and nothing is animated`(
        pose: (DeviceOrientation, Edge?), ruleSet: RuleSet
    ) throws {
        let known = state(pose.0, lastEdge: pose.1)
        let application = application(known, ruleSet)
        let expected = (Edge(pose.0) ?? pose.1).map { InterfaceOrientation($0) } ?? Stage.natural
        #expect(application.statusBarOrientation == expected)
        let size = Stage.size.turned(to: expected, on: Stage.shape)
        #expect(application.screen.bounds.size == size)
        let (window, canvas, _, log) = try show(in: application)
        #expect(canvas.pictures.first?.transform == expected.transform)
        #expect(canvas.pictures.first?.bounds.size == size)
        // The reading that follows confirms the launch state; the frames that follow draw nothing else.
        application.device.update(known)
        clock.run()
        application.device.update(known)
        clock.run()
        #expect(application.device.orientation == pose.0 && window.interfaceOrientation == expected)
        #expect(canvas.pictures.allSatisfy { $0 == canvas.pictures.first && $0.progress == 1 })
        #expect(log.take().allSatisfy { !$0.contains("otate") && !$0.contains("transition") })
    }

    @Test func `R20: an app that is launched under the user's lock starts at the locked edge`() throws {
        let locked = state(.portrait, lockedTo: .landscapeRight)
        let application = application(locked, manifest: .portraitFirst)
        let (window, canvas, _, _) = try show(in: application)
        #expect(canvas.pictures.first?.orientation == .landscapeLeft)
        application.device.update(locked)
        clock.run()
        #expect(window.interfaceOrientation == .landscapeLeft)
        #expect(canvas.pictures.allSatisfy { $0 == canvas.pictures.first })
        application.device.update(state(.portrait))
        clock.run()
        #expect(window.interfaceOrientation == .portrait)
    }

    @Test func `R20: an unlocked launch state keeps a lock that the program has set`() {
        let device = Device()
        device.lock(to: .landscapeLeft)
        let application = Application(
            device: device, screen: Screen(size: Stage.size), frameClock: clock, launchState: state(.portrait))
        #expect(device.userLock == .on(at: .landscapeLeft) && application.statusBarOrientation == .landscapeRight)
    }

    @Test func `R6: a launch state that the manifest or the first controller does not allow is not used`() throws {
        let manifest = try OrientationManifest([.landscapeLeft, .portrait])
        let upsideDown = application(state(.portraitUpsideDown), manifest: manifest)
        #expect(upsideDown.statusBarOrientation == .landscapeLeft)
        let portrait = application(state(.portrait), manifest: manifest)
        #expect(portrait.statusBarOrientation == .portrait)
        let (window, canvas, _, log) = try show(.landscape, in: portrait)
        #expect(window.interfaceOrientation == .landscapeLeft && portrait.statusBarOrientation == .landscapeLeft)
        #expect(canvas.pictures.first?.orientation == .landscapeLeft)
        #expect(log.take().allSatisfy { !$0.contains("otate") })
    }

    @Test func `R1: a launch state with another natural orientation is renamed by the edge of the panel`() throws {
        for edge in PanelEdge.allCases {
            for natural in Edge.allCases {
                let there = Edge(edge, natural: natural)
                let state = OrientationState(
                    orientation: DeviceOrientation(there), lastEdge: there, natural: natural, sequence: 1,
                    instance: "a")
                let (_, canvas, _, _) = try show(in: application(state))
                #expect(
                    canvas.pictures.first?.transform == Transform(degrees: -90 * Double(edge.waylandTransform)))
            }
        }
    }

    @Test
    func `R18: a first reading that differs from the launch state turns without animation before the first frame`()
        throws
    {
        let application = application(state(.portrait))
        let (window, canvas, _, _) = try show(in: application)
        application.device.update(.landscapeLeft)
        #expect(window.interfaceOrientation == .landscapeRight && !window.isRotating)
        #expect(canvas.pictures.allSatisfy { $0.progress == 1 })
        clock.run()
        application.device.update(.portrait)
        #expect(window.isRotating)
    }
}

/// A source without readings.
@MainActor final class Silent: DeviceOrientationSource {
    func startUpdating(_ device: Device) {}
    func stopUpdating(_ device: Device) {}
}
