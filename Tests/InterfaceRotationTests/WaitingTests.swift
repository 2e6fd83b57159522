// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// What waits for the end of a turn is not lost by what comes after it.
@MainActor @Suite struct WaitingTests {
    @Test func `R33: an edge that waits is followed, though the device is laid flat meanwhile`() throws {
        let stage = Stage(isAnimated: true)
        try stage.show(stage.page("Root"))
        stage.device.update(.landscapeLeft)
        #expect(stage.window.isRotating)
        stage.device.update(.portrait)
        stage.device.update(.faceUp)
        stage.clock.run()
        #expect(stage.device.edge == .portrait && stage.orientation == .portrait)
    }

    @Test func `R33: a changed mind that waits is heard, though the device is laid flat meanwhile`() throws {
        let stage = Stage(isAnimated: true)
        let root = stage.page("Root")
        try stage.show(root)
        stage.device.update(.landscapeLeft)
        stage.device.update(.portraitUpsideDown)
        root.mask = .portrait
        try root.setNeedsUpdateOfSupportedInterfaceOrientations()
        stage.device.update(.faceUp)
        stage.clock.run()
        #expect(stage.orientation == .portrait && stage.errors.isEmpty)
    }

    @Test func `R24: a presentation during a turn is refused at once, like any other`() throws {
        let stage = Stage(isAnimated: true)
        let root = stage.page("Root")
        try stage.show(root)
        stage.device.update(.landscapeLeft)
        #expect(stage.window.isRotating)
        #expect(throws: PreferredOrientationNotSupportedError.self) {
            try root.present(stage.page("Film", .portrait, preferring: .landscapeLeft))
        }
        #expect(throws: InvalidInterfaceOrientationError.self) { try root.present(stage.page("None", [])) }
        #expect(root.presentedViewController == nil)
        stage.clock.run()
        #expect(stage.errors.isEmpty && stage.orientation == .landscapeRight)
    }
}
