// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// A request that is made while a controller is presented ends with its dismissal.
@MainActor @Suite(.onBothShapes) struct RequestLifetimeTests {
    @Test(arguments: [ModalPresentationStyle.fullScreen, .overFullScreen, .currentContext])
    func `R23: a request made inside a presented controller ends with its dismissal`(style: ModalPresentationStyle)
        throws
    {
        let (stage, root) = try Stage.showing()
        for _ in 0..<2 {
            let player = stage.page("Player")
            player.modalPresentationStyle = style
            try root.present(player)
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
            #expect(stage.orientation == .landscapeRight)
            // It holds in what the controller presents.
            try player.present(stage.page("Settings"))
            try player.dismiss()
            player.setNeedsUpdateOfSupportedInterfaceOrientations()
            #expect(stage.orientation == .landscapeRight)
            try root.dismiss()
            #expect(stage.orientation == .portrait && stage.window.explain()?.cause == .dismissed)
            root.setNeedsUpdateOfSupportedInterfaceOrientations()
            #expect(stage.orientation == .portrait)
        }
    }

    @Test func `R23: a request that ended does not hold again when its controller is presented again`() throws {
        let (stage, root) = try Stage.showing()
        let player = stage.page("Player")
        try root.present(player)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        try root.dismiss()
        try root.present(player)
        player.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R23: the request of a presented controller does not end the one below it`() throws {
        let (stage, root) = try Stage.showing()
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        let player = stage.page("Player")
        try root.present(player)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeRight)
        #expect(stage.orientation == .landscapeRight)
        try root.dismiss()
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.turn(.portraitUpsideDown) == .portraitUpsideDown)
    }

    @Test func `R23: a request made in the root or under a sheet holds after what is presented is dismissed`() throws {
        let (stage, root) = try Stage.showing()
        let sheet = stage.page("Sheet")
        sheet.modalPresentationStyle = .popover
        try root.present(sheet)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        try root.dismiss()
        try root.present(stage.page("Film", .portrait))
        #expect(stage.orientation == .portrait)
        try root.dismiss()
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R23: a request ends with a presented controller that a new root removes`() throws {
        let (stage, root) = try Stage.showing()
        try root.present(stage.page("Player"))
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        try stage.window.setRootViewController(stage.page("Next"))
        #expect(stage.orientation == .portrait)
    }

    @Test func `R33: a request that waits ends with the dismissal of its controller, without an error`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        let player = stage.page("Player", .landscape)
        try root.present(player)
        #expect(stage.window.isRotating)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        try root.dismiss()
        stage.clock.run()
        #expect(stage.orientation == .portrait && stage.errors.isEmpty)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R23: a refused presentation does not end a request`() throws {
        let (stage, root) = try Stage.showing()
        let player = stage.page("Player")
        try root.present(player)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        #expect(throws: InvalidInterfaceOrientationError.self) { try player.present(stage.page("None", [])) }
        #expect(throws: InvalidInterfaceOrientationError.self) {
            try stage.window.setRootViewController(stage.page("None", []))
        }
        player.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R23: an update that turns is followed by a request, whose refusal goes to the handler`() throws {
        let (stage, page) = try Stage.showing("Page", .portrait, isAnimated: true)
        page.update(mask: .landscape)
        #expect(stage.window.isRotating)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        #expect(stage.errors.isEmpty)
        stage.clock.run()
        #expect(stage.errors.map { $0 is GeometryRequestError } == [true] && stage.orientation == .landscapeRight)
        // A request alone queries the new mask, throws, and turns once.
        page.mask = .portrait
        #expect(throws: GeometryRequestError.self) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        }
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        stage.clock.run()
        #expect(stage.orientation == .portrait && stage.errors.count == 1)
    }
}
