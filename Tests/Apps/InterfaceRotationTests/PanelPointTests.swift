// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import SeededRandomness
import Testing

/// Positions of input: from the panel to the content, and back.
@MainActor @Suite(.onBothShapes) struct PanelPointTests {
    private func stage(
        _ panel: PanelOrientation = .normal, output: DisplayRotation? = nil, isAnimated: Bool = false
    ) throws -> Stage {
        let screen = Screen(size: Stage.size, panel: panel, rotator: output == nil ? .application : .compositor)
        if let output { screen.outputTransform = output }
        let (stage, _) = try Stage.showing(manifest: .portraitFirst, screen: screen, isAnimated: isAnimated)
        return stage
    }

    private func distance(_ a: Point, _ b: Point) -> Double { max(abs(a.x - b.x), abs(a.y - b.y)) }

    /// The corners of a rectangle: top left, top right, bottom right, bottom left.
    private func corners(_ rect: Rect) -> [Point] {
        let size = rect.size
        return [
            .zero, Point(x: size.width, y: 0), Point(x: size.width, y: size.height), Point(x: 0, y: size.height),
        ]
    }

    @Test func `R35: the corners of the panel are those of the interface, in each orientation`() throws {
        let stage = try stage()
        let known: [(DeviceOrientation, PanelEdge)] = PanelEdge.allCases.map {
            (DeviceOrientation(Edge($0, natural: Stage.shape.natural)), $0)
        }
        for (device, edge) in known {
            stage.turn(device)
            let content = corners(Rect(size: stage.window.picture.bounds.size))
            // While the panel's left edge is up, its bottom left corner is the top left one of the interface.
            let first = [PanelEdge.top: 0, .left: 3, .bottom: 2, .right: 1][edge] ?? 0
            let panel = corners(stage.application.screen.panelBounds)
            for index in 0..<4 {
                let corner = panel[(first + index) % 4]
                #expect(distance(stage.window.convert(fromPanel: corner), content[index]) < 1e-9)
                #expect(distance(stage.window.convert(toPanel: content[index]), corner) < 1e-9)
            }
        }
    }

    @Test(arguments: PanelOrientation.allCases, DisplayRotation.table)
    func `R38: a point of the content is where it is drawn, on every panel and output, during a turn too`(
        panel: PanelOrientation, output: DisplayRotation
    ) throws {
        for output in [nil, output] {
            let stage = try stage(panel, output: output, isAnimated: true)
            var random = SeededGenerator(seed: UInt64(output?.wayland ?? 7) + 1)
            for orientation in [DeviceOrientation.landscapeLeft, .landscapeRight, .portrait, .portraitUpsideDown] {
                stage.device.update(orientation)
                while stage.window.isRotating {
                    check(stage.window, &random)
                    stage.clock.advance(by: 0.07)
                }
                check(stage.window, &random)
                // At rest the content covers the panel.
                let size = stage.application.screen.panelBounds.size
                for corner in corners(stage.application.screen.panelBounds) {
                    let point = stage.window.convert(fromPanel: corner)
                    let content = stage.window.picture.bounds.size
                    #expect(corners(Rect(size: content)).contains { distance($0, point) < 1e-9 })
                    #expect(size.width * size.height == content.width * content.height)
                }
            }
        }
    }

    private func check(_ window: Window, _ random: inout SeededGenerator) {
        for _ in 0..<8 {
            let point = Point(x: .random(in: -50...600, using: &random), y: .random(in: -50...600, using: &random))
            let there = window.convert(fromPanel: point)
            #expect(distance(window.convert(toPanel: there), point) < 1e-9)
            // The definition: about the centers, by the picture's transform.
            let (picture, panel) = (window.picture, window.application?.screen.panelBounds ?? .zero)
            let drawn = Point(x: there.x - picture.bounds.center.x, y: there.y - picture.bounds.center.y)
                .applying(picture.transform)
            #expect(distance(Point(x: drawn.x + panel.center.x, y: drawn.y + panel.center.y), point) < 1e-9)
        }
    }

    @Test func `R41: a compositor that rotated the output leaves input as it is`() throws {
        let left = try DisplayRotation(waylandTransform: 1)
        let stage = try stage(output: left)
        stage.turn(DeviceOrientation(Edge(.left, natural: Stage.shape.natural)))
        let point = Point(x: 12, y: 34)
        #expect(stage.window.convert(fromPanel: point) == point)
        #expect(stage.application.screen.panelBounds.size == Stage.size.swapped)
        // The compositor rotates back before the interface does.
        stage.application.screen.outputTransform = DisplayRotation(.top)
        #expect(stage.window.convert(fromPanel: .zero) == Point(x: Stage.size.height, y: 0))
    }

    @Test func `R29: during a turn a touch meets what is drawn under it`() throws {
        let stage = try stage(isAnimated: true)
        let center = stage.application.screen.panelBounds.center
        stage.device.update(.landscapeLeft)
        stage.clock.advance(by: 0)
        stage.clock.advance(by: 0.15)
        #expect(abs(stage.window.picture.progress - 0.5) < 1e-9)
        // Half of a quarter turn: right of the center on the panel is 45 degrees off in the content.
        let point = stage.window.convert(fromPanel: Point(x: center.x + 100, y: center.y))
        let middle = stage.window.picture.bounds.center
        let angle = stage.window.picture.transform
        #expect(distance(point, Point(x: middle.x + 100 * angle.a, y: middle.y + 100 * angle.c)) < 1e-9)
        #expect(abs(abs(angle.a) - 0.5.squareRoot()) < 1e-9)
        stage.clock.run()
        #expect(stage.window.picture.progress == 1)
    }

    @Test func `R12: a point in a window that does not cover its screen is relative to it`() throws {
        let stage = Stage()
        let window = try stage.addWindow(showing: stage.page("Root"), frame: Rect(x: 20, y: 40, width: 100, height: 60))
        #expect(window.convert(fromPanel: Point(x: 20, y: 40)) == .zero)
        #expect(window.convert(toPanel: Point(x: 100, y: 60)) == Point(x: 120, y: 100))
        // On a panel that is mounted with its left side up, the surface is rotated.
        let mounted = Stage(screen: Screen(size: Stage.size, panel: .leftSideUp))
        let corner = Window(application: mounted.application, frame: Rect(x: 20, y: 40, width: 100, height: 60))
        #expect(corner.convert(toPanel: .zero) == Point(x: 40, y: Stage.size.width - 20))
    }
}
