// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import InterfaceRotation

/// Callbacks that cause each other endlessly are stopped with an error that names the remedy.
@MainActor @Suite(.onBothShapes) struct EndlessTests {
    @Test(arguments: [true, false])
    func `R33: a block that registers itself is stopped`(isDuringTheAnimation: Bool) throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        var runs = 0
        @MainActor func again(_ coordinator: TransitionCoordinator) {
            runs += 1
            coordinator.animate(alongsideTransition: again)
        }
        var coordinator: TransitionCoordinator?
        root.onTransition = { _, it in
            coordinator = it
            if !isDuringTheAnimation { it.animate(alongsideTransition: again) }
        }
        stage.device.update(.landscapeLeft)
        if isDuringTheAnimation { coordinator?.animate(alongsideTransition: again) }
        stage.clock.run()
        #expect(runs == 1_025 && stage.orientation == .landscapeRight && !stage.window.isRotating)
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(errors.map(\.repetition) == [.animations] && errors.first?.controller == "Root")
    }

    @Test func `R29: an animation block can register others, and all run`() throws {
        let (stage, root) = try Stage.showing()
        var cells = 0
        root.onTransition = { _, coordinator in
            coordinator.animate { coordinator in
                for _ in 0..<300 { coordinator.animate { _ in cells += 1 } }
            }
        }
        stage.turn(.landscapeLeft)
        #expect(cells == 300 && stage.errors.isEmpty)
    }

    @Test(arguments: [true, false])
    func `R33: two windows that turn each other are stopped`(isAnimated: Bool) throws {
        let (stage, first) = try Stage.showing("First", isAnimated: isAnimated)
        let second = stage.page("Second")
        let other = try stage.addWindow(showing: second)
        var turns = 0
        func answer(of window: Window) -> @MainActor (Page) -> Void {
            { _ in
                turns += 1
                let next: InterfaceOrientationMask = window.interfaceOrientation == .portrait ? .landscape : .portrait
                try? window.requestGeometryUpdate(interfaceOrientations: next)
            }
        }
        first.onDidRotate = answer(of: other)
        second.onDidRotate = answer(of: stage.window)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        for _ in 0..<100 { stage.clock.advance(by: 1) }
        #expect(!stage.application.isRotating && (8...17).contains(turns))
        #expect(stage.errors.contains { ($0 as? RotationDoesNotSettleError)?.repetition == .turns })
        // Another cause resets the count.
        (first.onDidRotate, second.onDidRotate) = (nil, nil)
        #expect(
            stage.turn(.portraitUpsideDown) == .portraitUpsideDown && other.interfaceOrientation == .portraitUpsideDown)
    }

    @Test func `R33: a window that turns another one at each turn of the device is not limited`() throws {
        let (stage, first) = try Stage.showing("First")
        let other = try stage.addWindow(showing: stage.page("Second"))
        first.onDidRotate = { _ in
            let mask = InterfaceOrientationMask(stage.orientation)
            try? other.requestGeometryUpdate(interfaceOrientations: mask)
        }
        for step in 0..<24 {
            try stage.window.requestGeometryUpdate(interfaceOrientations: step % 2 == 0 ? .landscape : .portrait)
            #expect(other.interfaceOrientation == stage.orientation)
        }
        #expect(stage.errors.isEmpty)
    }

    @Test func `R40: hiding a window, turning the device and showing the window is not limited`() throws {
        let (stage, _) = try Stage.showing("Main")
        let other = try stage.hiddenWindow(showing: stage.page("Other"))
        for step in 0..<24 {
            other.isHidden = true
            stage.turn(step % 2 == 0 ? .landscapeLeft : .portrait)
            try other.tryMakeKeyAndVisible()
            #expect(other.interfaceOrientation == stage.orientation)
        }
        #expect(stage.errors.isEmpty)
    }

    @Test func `R40: two windows that make each other key are stopped`() throws {
        let (stage, _) = try Stage.showing("Portrait", .portrait)
        let other = try stage.hiddenWindow(showing: stage.page("Landscape", .landscape))
        let observer = Log()
        stage.application.didChangeStatusBarOrientation.addObserver(observer) { _, _ in
            try? (stage.application.keyWindow === other ? stage.window : other).tryMakeKeyAndVisible()
        }
        try other.tryMakeKeyAndVisible()
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(errors.map(\.repetition) == [.keyWindows])
        #expect(stage.application.statusBarOrientation == stage.application.keyWindow?.interfaceOrientation)
    }

    @Test func `R33: two windows that request updates of each other when queried are stopped`() throws {
        let stage = Stage()
        let (first, second) = (stage.page("First"), stage.page("Second"))
        try stage.show(first)
        let other = try stage.addWindow(showing: second)
        first.onQuery = { second.setNeedsUpdateOfSupportedInterfaceOrientations() }
        second.onQuery = { first.setNeedsUpdateOfSupportedInterfaceOrientations() }
        first.setNeedsUpdateOfSupportedInterfaceOrientations()
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.repetition == .changes })
        (first.onQuery, second.onQuery) = (nil, nil)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight && other.interfaceOrientation == .landscapeRight)
    }

    @Test func `R40: a hundred windows turn, wait for one another and report no error`() throws {
        let stage = Stage()
        let pages = (0..<100).map { stage.page("Page \($0)") }
        try stage.show(pages[0])
        for page in pages.dropFirst() {
            _ = try stage.addWindow(showing: page, isKey: false)
        }
        stage.turn(.landscapeLeft)
        #expect(stage.application.windows.count == 100)
        #expect(stage.application.windows.allSatisfy { $0.interfaceOrientation == .landscapeRight })
        // All in one decision, caused by one of them.
        stage.device.orientationDidChange.addObserver(stage) { _, _ in
            for page in pages {
                page.update(mask: .portrait)
            }
        }
        stage.turn(.faceUp)
        #expect(stage.application.windows.allSatisfy { $0.interfaceOrientation == .portrait })
        #expect(stage.errors.isEmpty)
    }

    @Test func `R34: all changes that observers make in one notification are posted`() {
        let device = Device.notifying()
        let changes = ChangeLog(device)
        var isFirst = true
        device.orientationDidChange.addObserver(device) { _, _ in
            guard isFirst else { return }
            isFirst = false
            for step in 0..<50 { device.update(step % 2 == 0 ? .landscapeLeft : .portrait) }
        }
        device.update(.portrait)
        #expect(changes.lines.count == 51 && device.orientation == .portrait)
    }
}
