// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct NaturalOrientationTests {
    struct Row: Sendable {
        let up: PanelEdge
        let force: Acceleration
        let tall: Edge
        let wide: Edge
        let sensorProxy: String
        let transform: Int
        let xrandr: String

        func name(_ shape: PanelShape) -> Edge { shape == .tall ? tall : wide }
    }

    /// The table of the natural orientation: four edges, two shapes.
    static let rows = [
        Row(
            up: .top, force: Acceleration(x: 0, y: 1, z: 0), tall: .portrait, wide: .landscapeLeft,
            sensorProxy: "normal", transform: 0, xrandr: "normal"),
        Row(
            up: .left, force: Acceleration(x: -1, y: 0, z: 0), tall: .landscapeRight, wide: .portrait,
            sensorProxy: "left-up", transform: 1, xrandr: "left"),
        Row(
            up: .bottom, force: Acceleration(x: 0, y: -1, z: 0), tall: .portraitUpsideDown, wide: .landscapeRight,
            sensorProxy: "bottom-up", transform: 2, xrandr: "inverted"),
        Row(
            up: .right, force: Acceleration(x: 1, y: 0, z: 0), tall: .landscapeLeft, wide: .portraitUpsideDown,
            sensorProxy: "right-up", transform: 3, xrandr: "right"),
    ]

    @Test(arguments: rows, PanelShape.allCases)
    func `a panel edge that is up has a name by the panel's shape, and converts back`(row: Row, shape: PanelShape) {
        #expect(Edge(row.up, natural: shape.natural) == row.name(shape))
        #expect(PanelEdge(row.name(shape), natural: shape.natural) == row.up)
    }

    @Test(arguments: rows)
    func `the words of desktops depend on the panel edge alone`(row: Row) {
        #expect(row.up.sensorProxyName == row.sensorProxy)
        #expect(row.up.waylandTransform == row.transform)
        #expect(row.up.rotation == row.transform * 90)
        #expect(PanelEdge(rotation: row.up.rotation) == row.up)
        #expect(row.up.xrandrName == row.xrandr)
        #expect(PanelEdge(row.up.description) == row.up)
    }

    @Test(arguments: rows)
    func `the classifier's names are those on a tall panel`(row: Row) {
        var classifier = OrientationClassifier()
        for step in 0..<100 {
            let gravity = Acceleration.standardGravity * row.force
            _ = classifier.ingest(Sample(time: Double(step) / 25, acceleration: gravity))
        }
        #expect(classifier.lastEdge == row.tall)
    }

    @Test func `the natural orientation follows from the size of the unrotated picture`() {
        #expect(PanelShape(width: 1920, height: 1080).natural == .landscapeLeft)
        #expect(PanelShape(width: 1080, height: 1920).natural == .portrait)
        #expect(PanelShape(width: 1000, height: 1000).natural == .portrait)
        for shape in PanelShape.allCases { #expect(PanelShape(natural: shape.natural) == shape) }
    }

    @Test(arguments: rows)
    func `a pose keeps its panel edge when it is renamed, and faces keep their names`(row: Row) {
        #expect(DeviceOrientation(row.tall).renamed(from: .portrait, to: .landscapeLeft) == DeviceOrientation(row.wide))
        #expect(DeviceOrientation(row.wide).renamed(from: .landscapeLeft, to: .portrait) == DeviceOrientation(row.tall))
        for face in [DeviceOrientation.faceUp, .faceDown, .unknown] {
            #expect(face.renamed(from: .portrait, to: .landscapeLeft) == face)
        }
    }

    @Test func `only the names of the two shapes are natural orientations, and the message lists them`() throws {
        #expect(try Edge(naturalOrientation: "portrait") == .portrait)
        #expect(try Edge(naturalOrientation: "landscapeLeft") == .landscapeLeft)
        for text in ["landscapeRight", "portraitUpsideDown", "faceUp", "landscape", "Portrait", ""] {
            let error = #expect(throws: NaturalOrientationError.self) { try Edge(naturalOrientation: text) }
            #expect(error?.description == "invalid value '\(text)': must be portrait or landscapeLeft")
        }
    }

    @Test func `the message quotes the first 100 bytes of a long text`() {
        let error = #expect(throws: NaturalOrientationError.self) {
            try Edge(naturalOrientation: String(repeating: "x", count: 101))
        }
        let quoted = String(repeating: "x", count: 100)
        #expect(error?.description == "invalid value '\(quoted)...': must be portrait or landscapeLeft")
    }

    @Test(arguments: rows, PanelShape.allCases)
    func `the rotation of a state follows from its last edge, whatever else it says`(row: Row, shape: PanelShape) {
        var state = OrientationState(
            lastEdge: row.name(shape), natural: shape.natural, isLocked: true, lockedTo: .portrait, sequence: 1,
            instance: "a")
        for orientation in [DeviceOrientation.faceUp, .unknown, DeviceOrientation(row.name(shape))] {
            state.orientation = orientation
            #expect(state.rotation == row.transform * 90)
        }
        state.lastEdge = nil
        #expect(state.rotation == nil)
    }

    @Test func `no angle but a quarter turn is a rotation`() {
        for angle in [-90, 45, 360, 91] { #expect(PanelEdge(rotation: angle) == nil) }
    }

    /// The allowed quarter turns of the picture from the device's edge, counter-clockwise, and the least of them.
    static let leastTurns: [(allowed: [Int], least: Int?)] = [
        ([], nil), ([0], 0), ([1], 1), ([2], 2), ([3], 3), ([0, 1], 0), ([0, 2], 0), ([0, 3], 0), ([1, 2], 1),
        ([1, 3], 1), ([2, 3], 3), ([0, 1, 2], 0), ([0, 1, 3], 0), ([0, 2, 3], 0), ([1, 2, 3], 1), ([0, 1, 2, 3], 0),
    ]

    @Test(arguments: PanelEdge.allCases)
    func `the nearest allowed edge needs the least turn, of two the counter-clockwise one`(device: PanelEdge) {
        func edge(_ turns: Int) -> PanelEdge? { PanelEdge(rotation: (device.rotation + turns * 90) % 360) }
        for (allowed, least) in Self.leastTurns {
            let edges = allowed.compactMap(edge)
            #expect(device.nearest(among: edges) == least.flatMap(edge))
            #expect(device.nearest(among: edges.reversed()) == least.flatMap(edge))
        }
    }
}
