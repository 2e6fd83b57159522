// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// A transform that a controller sets on its view stays: containers and windows compose with it.
@MainActor @Suite(.onBothShapes) struct OwnTransformTests {
    private let stage = Stage()

    nonisolated static let transforms = [
        Transform(degrees: 90), Transform(degrees: 180), Transform(scaleX: 0.5, y: 0.5),
        Transform(translationX: 7, y: 9),
        Transform(degrees: -90).concatenating(Transform(scaleX: 2, y: 2)),
    ]

    /// The size of a view that fills an area: a quarter turn swaps the sides.
    private func size(_ transform: Transform, in area: Size) -> Size { transform.b == 0 ? area : area.swapped }

    @Test(arguments: transforms)
    func `R32: a pushed page keeps the transform that viewDidLoad has set, also if it is covered`(own: Transform) throws
    {
        let navigation = NavigationController(rootViewController: stage.page("First"))
        try stage.show(navigation)
        let page = Transformed("Page", own, log: stage.log)
        func check(_ moment: String) {
            #expect(page.view.transform == own, "\(moment)")
            #expect(page.view.center == navigation.view.bounds.center, "\(moment)")
            #expect(page.view.bounds.size == size(own, in: navigation.view.bounds.size), "\(moment)")
            #expect(page.view.bounds.origin == Point(x: 3, y: 4), "\(moment)")
        }
        try navigation.tryPushViewController(page)
        check("pushed")
        stage.turn(.landscapeLeft)
        check("turned")
        try navigation.tryPresent(stage.page("Film", .portrait))
        stage.turn(.portraitUpsideDown)
        navigation.dismiss()
        check("covered and shown again")
        stage.application.screen.resize(to: Size(width: Stage.size.width * 2, height: Stage.size.height * 2))
        check("resized")
        try navigation.tryPushViewController(stage.page("Last"))
        stage.turn(.landscapeRight)
        navigation.popViewController()
        check("returned")
    }

    @Test func `R31: a size that is announced is the one that the view gets, with a quarter turn too`() throws {
        let navigation = NavigationController(
            rootViewController: Transformed("Page", Transform(degrees: 90), log: stage.log))
        let root = Transformed("Root", Transform(degrees: -90), log: stage.log)
        try stage.show(navigation)
        for controller in [navigation.topViewController, root] {
            if controller === root { try stage.window.trySetRootViewController(root) }
            stage.turn(.landscapeLeft)
            let page = try #require(controller as? Transformed)
            #expect(page.announced == page.view.bounds.size && page.announced != nil)
            stage.turn(.portrait)
            #expect(page.announced == page.view.bounds.size)
            stage.application.screen.resize(to: Size(width: Stage.size.width * 2, height: Stage.size.height * 3))
            #expect(page.announced == page.view.bounds.size)
            stage.application.screen.resize(to: Stage.size)
        }
    }

    @Test func `R32: a view that replaces another keeps its own transform`() throws {
        let root = Transformed("Root", Transform(scaleX: 2, y: 2), log: stage.log)
        try stage.show(root)
        stage.turn(.landscapeLeft)
        let new = View()
        new.transform = Transform(degrees: 180)
        root.view = new
        #expect(new.effectiveTransform == Transform(degrees: 180).concatenating(stage.orientation.transform))
        #expect(new.bounds.size == Size(width: 568, height: 320))
        stage.turn(.portrait)
        #expect(new.effectiveTransform == Transform(degrees: 180).concatenating(stage.orientation.transform))
    }

    @Test func `R32: a view that replaces one with a transform of its own fills the window or the container`() throws {
        let page = stage.page("Page")
        let navigation = NavigationController(rootViewController: page)
        try stage.show(navigation)
        for own in [Transform(degrees: 90), Transform(scaleX: 2, y: 2)] {
            stage.turn(.landscapeLeft)
            let (outer, inner) = (View(), View())
            navigation.view.transform = own
            navigation.view = outer
            page.view.transform = own
            page.view = inner
            #expect(outer.frame == stage.window.bounds && inner.frame == outer.bounds)
            let turned = View()
            turned.transform = Transform(degrees: 90)
            navigation.view = turned
            #expect(turned.frame == stage.window.bounds && inner.frame == turned.bounds)
            stage.turn(.portrait)
        }
    }

    @Test func `R36: a view that follows the device keeps its own transform`() throws {
        let (stage, _) = try Stage.showing("Root", .portrait)
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        let own = Transform(scaleX: 2, y: 2)
        badge.transform = own
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.turn(.landscapeLeft)
        #expect(badge.effectiveTransform == own.concatenating(InterfaceOrientation.landscapeRight.transform))
        stage.turn(.portrait)
        #expect(badge.effectiveTransform == own.concatenating(InterfaceOrientation.portrait.transform))
    }

    @Test(arguments: [
        .identity, Transform(scaleX: 0.5, y: 2), Transform(translationX: 7, y: 9), Transform(scaleX: -1, y: 1),
        Transform(scaleX: 2, y: -3), Transform(degrees: 20),
    ])
    func `R29: a transform that is set while the view is rotated is its own, in a root, a modal and a badge`(
        own: Transform
    ) throws {
        for edge in Edge.allCases {
            let (stage, root) = try Stage.showing()
            let film = stage.page("Film")
            film.modalPresentationStyle = .overFullScreen
            try root.tryPresent(film)
            let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
            stage.window.addSubview(badge)
            badge.follow(.device)
            stage.turn(DeviceOrientation(edge))
            for view in [root.view, film.view, badge] { view.transform = own }
            for next in [edge, .landscapeRight, .portrait, .portraitUpsideDown, .landscapeLeft] {
                stage.turn(DeviceOrientation(next))
                for view in [root.view, film.view, badge] {
                    #expect(view.transform == own, "\(edge), \(next)")
                    let effective = own.concatenating(stage.orientation.transform)
                    #expect(view.effectiveTransform == effective, "\(edge), \(next)")
                }
                #expect(root.view.bounds == stage.window.picture.bounds && film.view.bounds == root.view.bounds)
                let isWide = stage.orientation.isLandscape == (Stage.natural == .landscapeRight)
                #expect(badge.bounds.size == (isWide ? Size(width: 60, height: 20) : Size(width: 20, height: 60)))
            }
            // Outside the window, nothing is rotated any more.
            root.dismiss()
            #expect(film.view.transform == own && film.view.effectiveTransform == own)
        }
    }

    /// How a program sets a transform: a value, what it computes from the one before, or none again.
    enum Setting: CaseIterable { case set, concatenate, reset }

    @Test(arguments: (0..<12).map { 30.0 * Double($0) }, Setting.allCases)
    func `R29: a transform reads what was set, in every orientation`(degrees: Double, setting: Setting) throws {
        let given = Transform(degrees: degrees)
        for edge in Edge.allCases {
            let stage = Stage()
            let root = Transformed("Root", Transform(scaleX: 2, y: 3), log: stage.log)
            try stage.show(root)
            stage.turn(DeviceOrientation(edge))
            let former = root.view.transform
            #expect(former == Transform(scaleX: 2, y: 3))
            root.view.transform = setting == .concatenate ? former.concatenating(given) : given
            if setting == .reset { root.view.transform = .identity }
            let own =
                switch setting {
                case .set: given
                case .concatenate: Transform(scaleX: 2, y: 3).concatenating(given)
                case .reset: Transform.identity
                }
            for next in [edge, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait, edge] {
                stage.turn(DeviceOrientation(next))
                #expect(root.view.transform == own, "\(edge), \(next)")
                #expect(
                    root.view.effectiveTransform == own.concatenating(stage.orientation.transform),
                    "\(edge), \(next)")
            }
        }
    }

    @Test func `R29: a view that viewDidAppear rotates by a quarter fills the window in every orientation`() throws {
        for edge in Edge.allCases {
            let (stage, root) = try Stage.showing()
            stage.turn(DeviceOrientation(edge))
            let film = stage.page("Film")
            film.onAppear = { page in
                let size = page.view.bounds.size
                page.view.transform = Transform(degrees: 90)
                page.view.bounds = Rect(size: size.swapped)
            }
            try root.tryPresent(film)
            for next in [edge] + Edge.allCases {
                stage.turn(DeviceOrientation(next))
                #expect(film.view.frame == stage.window.bounds, "\(edge), \(next)")
                #expect(film.view.bounds.size == stage.window.picture.bounds.size.swapped, "\(edge), \(next)")
            }
        }
    }

    @Test func `R35: a former root that becomes a page or a child is not rotated in it`() throws {
        let (first, second) = (stage.page("First"), Transformed("Second", Transform(degrees: 180), log: stage.log))
        try stage.show(first)
        try stage.window.trySetRootViewController(second)
        stage.turn(.portraitUpsideDown)
        #expect(second.view.effectiveTransform != Transform(degrees: 180))
        try stage.window.trySetRootViewController(first)
        try first.tryAddChild(second)
        #expect(second.view.effectiveTransform == Transform(degrees: 180))
    }
}

/// A page that sets the transform, the origin of the bounds and the center of its view, and keeps what is announced.
@MainActor private final class Transformed: Page {
    private let own: Transform
    private(set) var announced: Size?

    init(_ title: String, _ own: Transform, log: Log) {
        self.own = own
        super.init(title, log: log)
    }

    override func viewDidLoad() {
        view.transform = own
        view.bounds = Rect(x: 3, y: 4, width: 30, height: 50)
        view.center = Point(x: 1, y: 1)
    }

    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        announced = size
        super.viewWillTransition(to: size, with: coordinator)
    }
}
