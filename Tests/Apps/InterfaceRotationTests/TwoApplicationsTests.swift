// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Two applications in one process, one of which changes the other in its answers.
@MainActor @Suite(.onBothShapes) struct TwoApplicationsTests {
    private let first = Stage()
    private let second = Stage()
    private let root: Page

    init() throws {
        root = first.page("Root")
        try first.show(root)
    }

    @Test func `R33: a reading for another application in an answer turns its windows`() throws {
        try second.show(second.page("Page"))
        root.onQuery = { [second] in second.device.update(.landscapeLeft) }
        first.turn(.landscapeRight)
        #expect(first.orientation == .landscapeLeft && second.orientation == .landscapeRight)
    }

    @Test func `R33: a window of another application that is shown in an answer is decided at once`() throws {
        try second.window.trySetRootViewController(second.page("Page", .landscape))
        root.onQuery = { [second] in
            do { try second.window.tryMakeKeyAndVisible() } catch { second.log.note("\(error)") }
        }
        first.turn(.landscapeRight)
        #expect(second.orientation.isLandscape && second.log.take().contains("Page.didAppear"))
    }

    @Test func `R33: an answer of each application can change the other`() throws {
        let other = second.page("Other")
        try second.show(other)
        root.onQuery = { [second] in second.device.update(.landscapeLeft) }
        other.onQuery = { [first] in first.device.update(.portraitUpsideDown) }
        first.turn(.landscapeRight)
        #expect(first.orientation == .portraitUpsideDown && second.orientation == .landscapeRight)
        #expect(first.errors.isEmpty && second.errors.isEmpty)
    }
}
