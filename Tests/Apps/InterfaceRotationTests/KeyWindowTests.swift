// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct KeyWindowTests {
    /// Returns a second visible window, behind the stage's own.
    private func window(on stage: Stage, showing root: ViewController) throws -> Window {
        let window = try stage.addWindow(showing: root, isKey: false)
        stage.clock.run()
        return window
    }

    @Test func `R40: a window that is made key while it turns sets the status bar`() throws {
        let (stage, _) = try Stage.showing("Root", .portrait, isAnimated: true)
        let other = try window(on: stage, showing: stage.page("Other"))
        stage.device.update(.landscapeLeft)
        #expect(other.isRotating)
        try other.tryMakeKeyAndVisible()
        stage.clock.run()
        #expect(stage.application.statusBarOrientation == .landscapeRight)
        #expect(stage.application.screen.bounds.size == Size(width: 568, height: 320))
    }

    @Test(arguments: [false, true])
    func `R40: the status bar has the orientation of the window that is key during the turn`(hides: Bool) throws {
        let stage = Stage(isAnimated: true)
        let other = try stage.addWindow(showing: stage.page("Other", .portrait))
        let root = stage.page("Root")
        try stage.show(root)
        root.onWillRotate = { _ in
            if hides { stage.window.isHidden = true } else { try? other.tryMakeKeyAndVisible() }
        }
        stage.turn(.landscapeLeft)
        #expect(stage.application.keyWindow === other)
        #expect(stage.application.statusBarOrientation == .portrait)
        #expect(stage.application.screen.bounds.size == Size(width: 320, height: 568))
    }

    @Test func `R22: attemptRotationToDeviceOrientation updates all windows, although one has no common orientation`()
        throws
    {
        let (stage, root) = try Stage.showing("Root", .portrait)
        let page = stage.page("Page", .portrait)
        let other = try window(on: stage, showing: page)
        stage.turn(.landscapeLeft)
        (root.mask, page.mask) = ([], .all)
        stage.application.attemptRotationToDeviceOrientation()
        #expect(stage.orientation == .portrait && other.interfaceOrientation == .landscapeRight)
        #expect(stage.errors.map { $0 is InvalidInterfaceOrientationError } == [true])
    }

    @Test func `R12: a small window that is made key does not change the status bar`() throws {
        let (stage, _) = try Stage.showing()
        stage.turn(.landscapeLeft)
        let corner = try stage.addWindow(showing: stage.page("Corner"), frame: Rect(x: 0, y: 0, width: 50, height: 50))
        #expect(stage.application.statusBarOrientation == .landscapeRight)
        let empty = Window(application: stage.application, frame: stage.application.screen.fixedBounds)
        try empty.tryMakeKeyAndVisible()
        stage.turn(.landscapeRight)
        #expect(stage.application.statusBarOrientation == .landscapeLeft)
        corner.isHidden = true
        empty.isHidden = true
        #expect(stage.application.statusBarOrientation == .landscapeLeft)
    }
}
