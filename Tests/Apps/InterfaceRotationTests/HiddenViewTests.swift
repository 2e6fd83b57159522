// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// A hidden view is in its window: only windows and membership decide which controllers are visible.
@MainActor @Suite(.onBothShapes) struct HiddenViewTests {
    @Test func `R12: the view of a controller that is in no hierarchy stays where the program has put it`() throws {
        let stage = Stage()
        let root = NavigationController(rootViewController: stage.page("Page"))
        try stage.show(root)
        let strangers = [stage.page("First"), stage.page("Second")]
        stage.window.addSubview(strangers[0].view)
        root.view.addSubview(strangers[1].view)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        try root.tryPresent(stage.page("Film"))
        root.dismiss()
        #expect(strangers[0].view.superview === stage.window && strangers[1].view.superview === root.view)
        #expect(!stage.log.take().contains { $0.hasPrefix("First") || $0.hasPrefix("Second") })
    }
}
