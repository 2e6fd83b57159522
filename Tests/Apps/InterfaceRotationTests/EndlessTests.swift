// SPDX-License-Identifier: Apache-2.0

@testable import InterfaceRotation
import OrientationModel
import Testing

/// Callbacks that cause each other endlessly are stopped with an error that names the remedy.
@MainActor @Suite(.onBothShapes) struct EndlessTests {
    @Test(arguments: [true, false])
    func `R33: a block that registers itself is stopped`(isDuringTheAnimation: Bool) throws {
        let stage = Stage(isAnimated: true)
        let root = stage.page("Root")
        try stage.show(root)
        var runs = 0
        @MainActor func again(_ coordinator: TransitionCoordinator) {
            runs += 1
            coordinator.animate(alongside: again)
        }
        var coordinator: TransitionCoordinator?
        root.onTransition = { _, it in
            coordinator = it
            if !isDuringTheAnimation { it.animate(alongside: again) }
        }
        stage.device.update(.landscapeLeft)
        if isDuringTheAnimation { coordinator?.animate(alongside: again) }
        stage.clock.run()
        #expect(runs == 1_025 && stage.orientation == .landscapeRight && !stage.window.isRotating)
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(errors.map(\.repetition) == [.animations] && errors.first?.controller == "Root")
    }

    @Test func `R29: an animation block can register others, and all run`() throws {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
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
        let stage = Stage(isAnimated: isAnimated)
        let (first, second) = (stage.page("First"), stage.page("Second"))
        try stage.show(first)
        let other = Window(application: stage.application)
        try other.setRootViewController(second)
        try other.makeKeyAndVisible()
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
        stage.turn(.portraitUpsideDown)
        #expect(stage.orientation == .portraitUpsideDown && other.interfaceOrientation == .portraitUpsideDown)
    }

    @Test func `R33: a window that turns another one at each turn of the device is not limited`() throws {
        let stage = Stage()
        let first = stage.page("First")
        try stage.show(first)
        let other = Window(application: stage.application)
        try other.setRootViewController(stage.page("Second"))
        try other.makeKeyAndVisible()
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
        let stage = Stage()
        try stage.show(stage.page("Main"))
        let other = Window(application: stage.application)
        try other.setRootViewController(stage.page("Other"))
        for step in 0..<24 {
            other.isHidden = true
            stage.turn(step % 2 == 0 ? .landscapeLeft : .portrait)
            try other.makeKeyAndVisible()
            #expect(other.interfaceOrientation == stage.orientation)
        }
        #expect(stage.errors.isEmpty)
    }

    @Test func `R40: two windows that make each other key are stopped`() throws {
        let stage = Stage()
        try stage.show(stage.page("Portrait", .portrait))
        let other = Window(application: stage.application)
        try other.setRootViewController(stage.page("Landscape", .landscape))
        let observer = Log()
        stage.application.didChangeStatusBarOrientation.addObserver(observer) { _, _ in
            try? (stage.application.keyWindow === other ? stage.window : other).makeKeyAndVisible()
        }
        try other.makeKeyAndVisible()
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(errors.map(\.repetition) == [.keyWindows])
        #expect(stage.application.statusBarOrientation == stage.application.keyWindow?.interfaceOrientation)
    }

    @Test func `R33: two windows that request updates of each other when queried are stopped`() throws {
        let stage = Stage()
        let (first, second) = (Updater(), Updater())
        try stage.show(first)
        let other = Window(application: stage.application)
        try other.setRootViewController(second)
        try other.makeKeyAndVisible()
        (first.onQuery, second.onQuery) = (second, first)
        first.setNeedsUpdateOfSupportedInterfaceOrientations()
        let errors = stage.errors.compactMap { $0 as? RotationDoesNotSettleError }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.repetition == .changes })
        (first.onQuery, second.onQuery) = (nil, nil)
        stage.turn(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight && other.interfaceOrientation == .landscapeRight)
    }

    @Test func `R40: a hundred windows turn, wait for one another and report no error`() throws {
        let stage = Stage()
        let pages = (0..<100).map { stage.page("Page \($0)") }
        try stage.show(pages[0])
        for page in pages.dropFirst() {
            let window = Window(application: stage.application)
            try window.setRootViewController(page)
            window.isHidden = false
        }
        stage.turn(.landscapeLeft)
        #expect(stage.application.windows.count == 100)
        #expect(stage.application.windows.allSatisfy { $0.interfaceOrientation == .landscapeRight })
        // All in one decision, caused by one of them.
        let narrower = Handler { _ in
            for page in pages {
                page.mask = .portrait
                page.setNeedsUpdateOfSupportedInterfaceOrientations()
            }
        }
        stage.device.orientationDidChange.addObserver(narrower) { $0.body($1) }
        stage.turn(.faceUp)
        #expect(stage.application.windows.allSatisfy { $0.interfaceOrientation == .portrait })
        #expect(stage.errors.isEmpty)
    }

    @Test func `R34: all changes that observers make in one notification are posted`() {
        let device = Device()
        device.beginGeneratingDeviceOrientationNotifications()
        let changes = ChangeLog(device)
        var isFirst = true
        let busy = Handler { _ in
            guard isFirst else { return }
            isFirst = false
            for step in 0..<50 { device.update(step % 2 == 0 ? .landscapeLeft : .portrait) }
        }
        device.orientationDidChange.addObserver(busy) { $0.body($1) }
        device.update(.portrait)
        #expect(changes.lines.count == 51 && device.orientation == .portrait)
    }

    @Test func `R33: each message names the remedy`() {
        func text(_ repetition: RotationDoesNotSettleError.Repetition) -> String {
            RotationDoesNotSettleError(repetition: repetition, count: 64, controller: "Film").description
        }
        #expect(text(.turns).contains("in every rotation callback"))
        #expect(text(.changes).contains("do not present, dismiss, push or pop in every viewDidAppear"))
        #expect(text(.animations).contains("do not call animate(alongside:) of the coordinator in its own block"))
        #expect(text(.keyWindows).contains("do not call makeKeyAndVisible()"))
        for each in [RotationDoesNotSettleError.Repetition.turns, .changes, .animations, .keyWindows] {
            #expect(text(each).hasPrefix("64 ") && text(each).contains("Film"))
        }
    }
}

/// Changes the mask of another controller when queried.
@MainActor private final class Updater: ViewController {
    weak var onQuery: ViewController?

    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        onQuery?.setNeedsUpdateOfSupportedInterfaceOrientations()
        return .all
    }
}
