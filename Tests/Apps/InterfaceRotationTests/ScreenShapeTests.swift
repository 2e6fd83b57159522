// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// The natural orientation of a screen, and what follows from it on a wide one.
@MainActor @Suite struct ScreenShapeTests {
    private static let laptop = Size(width: 1920, height: 1080)

    private func laptop(_ mask: InterfaceOrientationMask? = nil) throws -> (Stage, Canvas, Page) {
        let stage = Stage(screen: Screen(size: Self.laptop))
        let canvas = Canvas()
        stage.window.surface = canvas
        let page = stage.page("Root", mask)
        try stage.launch(page)
        stage.turn(.landscapeLeft)
        return (stage, canvas, page)
    }

    @Test(arguments: [
        (1080.0, 1920.0, InterfaceOrientation.portrait), (1920, 1080, .landscapeRight), (500, 500, .portrait),
        (501, 500, .landscapeRight),
    ])
    func `R2: the natural orientation of a screen is that of its shape`(
        width: Double, height: Double, natural: InterfaceOrientation
    ) {
        let screen = Screen(size: Size(width: width, height: height))
        #expect(screen.naturalInterfaceOrientation == natural)
        #expect(screen.bounds == screen.fixedBounds)
        #expect(screen.shape.natural == natural.edge)
    }

    @Test func `R36: a view that was turned outside a window is corrected in one on a wide screen`() throws {
        let (stage, _, _) = try laptop()
        let badge = View(frame: Rect(x: 0, y: 0, width: 60, height: 20))
        badge.follow(.fixed(.landscapeLeft))
        #expect(badge.effectiveTransform == Transform(degrees: -90) && badge.bounds.size == Size(width: 20, height: 60))
        stage.window.addSubview(badge)
        #expect(badge.effectiveTransform == Transform(degrees: 180) && badge.bounds.size == Size(width: 60, height: 20))
        badge.follow(.fixed(.landscapeRight))
        #expect(badge.effectiveTransform == .identity && badge.frame == Rect(x: 0, y: 0, width: 60, height: 20))
    }

    // MARK: The daemon's natural orientation

    private func state(_ orientation: DeviceOrientation, natural: Edge, lockedTo: Edge? = nil) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: Edge(orientation), natural: natural, isLocked: lockedTo != nil,
            lockedTo: lockedTo, sequence: 1, instance: "a")
    }

    @Test(arguments: PanelEdge.allCases, Edge.allCases)
    func `R1: a state with another natural orientation is renamed by the edge of the panel`(
        edge: PanelEdge, natural: Edge
    ) throws {
        let (stage, canvas, _) = try laptop()
        stage.device.update(state(DeviceOrientation(Edge(edge, natural: natural)), natural: natural))
        #expect(stage.device.orientation == DeviceOrientation(Edge(edge, natural: .landscapeLeft)))
        #expect(canvas.pictures.last?.transform == Transform(degrees: -90 * Double(edge.waylandTransform)))
        // Flat: the last edge is renamed too.
        var flat = state(.faceUp, natural: natural)
        flat.lastEdge = Edge(.left, natural: natural)
        stage.device.update(flat)
        #expect(stage.device.orientation == .faceUp && stage.device.edge == .portrait)
        stage.device.update(state(.faceUp, natural: natural, lockedTo: Edge(.bottom, natural: natural)))
        #expect(stage.device.orientation == .landscapeRight)
    }

    @Test(arguments: PanelEdge.allCases)
    func `R1: an edge of the panel without a name, as from iio-sensor-proxy, gets that of the screen`(edge: PanelEdge)
        throws
    {
        let (stage, canvas, _) = try laptop()
        stage.device.update(OrientationState(lastPanelEdge: edge, sequence: 1, instance: "sensorproxy"))
        #expect(stage.device.orientation == DeviceOrientation(Edge(edge, natural: .landscapeLeft)))
        #expect(canvas.pictures.last?.transform == Transform(degrees: -90 * Double(edge.waylandTransform)))
        let flat = OrientationState(orientation: .faceUp, lastPanelEdge: edge, sequence: 2, instance: "sensorproxy")
        stage.device.update(flat)
        #expect(stage.device.orientation == .faceUp && stage.device.edge == Edge(edge, natural: .landscapeLeft))
        #expect(flat.lastEdge == nil && flat.natural == nil && flat.rotation == edge.rotation)
    }

    @Test func `R34: a daemon that changes its natural orientation causes no change`() throws {
        let (stage, _, _) = try laptop()
        stage.device.update(state(.portrait, natural: .portrait))
        #expect(stage.device.natural == .landscapeLeft && stage.device.orientation == .landscapeLeft)
        let changes = ChangeLog(stage.device)
        _ = stage.log.take()
        stage.device.update(state(.landscapeLeft, natural: .landscapeLeft))
        #expect(changes.lines.isEmpty && stage.log.take().isEmpty && stage.orientation == .landscapeRight)
    }

    @Test func `R1: a device without an application has the names of the newest state`() {
        let device = Device.notifying()
        device.update(state(.portrait, natural: .portrait))
        #expect(device.natural == .portrait && device.orientation == .portrait)
        device.update(state(.landscapeLeft, natural: .landscapeLeft, lockedTo: .landscapeRight))
        #expect(device.natural == .landscapeLeft && device.orientation == .landscapeRight)
        // The application's screen is tall: the panel's bottom edge is up.
        let application = Application(
            device: device, screen: Screen(size: Self.laptop.swapped), frameClock: ManualFrameClock())
        #expect(device.natural == .portrait && device.orientation == .portraitUpsideDown)
        device.unlock()
        #expect(device.orientation == .portrait && application.device === device)
    }

    @Test func `R23: a state that is repeated after the device was renamed ends neither a request nor an override`()
        throws
    {
        let device = Device.notifying()
        let upright = state(.landscapeLeft, natural: .landscapeLeft)
        device.update(upright)
        device.overrideOrientation(.portraitUpsideDown)
        let application = Application(
            device: device, screen: Screen(size: Self.laptop.swapped), frameClock: ManualFrameClock())
        device.update(upright)
        #expect(device.orientation == .portraitUpsideDown)
        device.clearOverride()
        #expect(device.orientation == .portrait)

        let other = Device()
        other.beginGeneratingDeviceOrientationNotifications()
        other.update(upright)
        let app = Application(device: other, screen: application.screen, frameClock: ManualFrameClock())
        app.rotationDuration = 0
        let window = Window(application: app)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        try window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        other.update(upright)
        #expect(window.interfaceOrientation == .landscapeLeft && window.explain()?.cause == .requested(.landscapeLeft))
        #expect(app.windows.count == 1)
    }

    @Test func `R23: an override under the lock outlives a renaming, also if the device was turned`() {
        let device = Device.notifying()
        device.update(state(.landscapeLeft, natural: .landscapeLeft, lockedTo: .landscapeLeft))
        device.overrideOrientation(.portraitUpsideDown)
        device.update(state(.portrait, natural: .landscapeLeft, lockedTo: .landscapeLeft))
        let application = Application(
            device: device, screen: Screen(size: Self.laptop.swapped), frameClock: ManualFrameClock())
        #expect(device.orientation == .portraitUpsideDown && application.device === device)
        device.unlock()
        #expect(device.orientation == .landscapeRight)
    }

    @Test func `R1: values that a program sets have the names of the screen`() throws {
        let device = Device.notifying()
        device.update(.landscapeLeft)
        device.overrideOrientation(.portrait)
        let application = Application(
            device: device, screen: Screen(size: Self.laptop), frameClock: ManualFrameClock())
        #expect(device.orientation == .portrait)
        device.clearOverride()
        #expect(device.orientation == .landscapeLeft && application.statusBarOrientation == .landscapeRight)
    }
}
