// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct LayoutTests {
    private func output(_ name: String, x: Int, y: Int, _ width: Int, _ height: Int, scale: Double = 1) -> Output {
        Output(
            name: name, mode: PixelSize(width: width, height: height), scale: scale,
            position: LayoutPoint(x: x, y: y))
    }

    @Test func `an output to the right of a rotated one moves by the change of its width`() {
        let outputs = [output("eDP-1", x: 0, y: 0, 1920, 1080), output("HDMI-A-1", x: 1920, y: 0, 2560, 1440)]
        let rotated = Layout.rotating("eDP-1", to: .rotated90, in: outputs)
        #expect(rotated[0].transform == .rotated90)
        #expect(rotated[0].position == LayoutPoint(x: 0, y: 0))
        #expect(rotated[1].position == LayoutPoint(x: 1080, y: 0))
        #expect(Layout.rotating("eDP-1", to: .normal, in: rotated) == outputs)
    }

    /// The rotated output, as x, y, width and height; the others of 1920 x 1080 at these places; and where they are then.
    @Test(
        arguments: [
            // To the right, also with the rounding of one unit, and above each other there.
            ([0, 0, 1920, 1080], .rotated90, [(1919, 0)], [(1079, 0)]),
            ([0, 0, 1920, 1080], .rotated90, [(1920, 0), (1920, 1080)], [(1080, 0), (1080, 1080)]),
            // To the left, and after half a turn.
            ([1920, 0, 1920, 1080], .rotated90, [(0, 0)], [(0, 0)]),
            ([0, 0, 1920, 1080], .rotated180, [(1920, 0)], [(1920, 0)]),
            // Above, whatever their columns are.
            ([0, 1080, 1280, 800], .rotated90, [(0, 0), (1920, 0)], [(0, 0), (1920, 0)]),
            // Below: a neighbour that would not touch the narrower output moves below its left corner.
            ([0, 0, 1280, 800], .rotated270, [(0, 800)], [(0, 1280)]),
            ([0, 0, 1920, 1080], .rotated90, [(1500, 1080)], [(0, 1920)]),
        ] as [([Int], OutputTransform, [(Int, Int)], [(Int, Int)])])
    func `outputs beside the rotated one move, others keep their positions`(
        rotated: [Int], transform: OutputTransform, before: [(Int, Int)], after: [(Int, Int)]
    ) {
        let others = before.enumerated().map { output("DP-\($0)", x: $1.0, y: $1.1, 1920, 1080) }
        let panel = output("eDP-1", x: rotated[0], y: rotated[1], 2 * rotated[2], 2 * rotated[3], scale: 2)
        let moved = Layout.rotating("eDP-1", to: transform, in: [panel] + others).dropFirst()
        #expect(moved.map(\.position) == after.map { LayoutPoint(x: $0.0, y: $0.1) })
        #expect(Layout.rotating("DP-9", to: transform, in: [panel] + others) == [panel] + others)
    }

    @Test func `the outputs that show a rectangle: first the one with its center, then those with a part of it`() {
        let outputs = [
            output("eDP-1", x: 0, y: 0, 1080, 1920), output("HDMI-A-1", x: 1080, y: 0, 2560, 1440),
            Output(name: "DP-1", isEnabled: false),
        ]
        func shown(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [String] {
            Layout.outputs(showing: LayoutRectangle(x: x, y: y, width: width, height: height), in: outputs)
        }
        #expect(shown(0, 0, 1080, 1920) == ["eDP-1"])
        #expect(shown(0, 0, 1920, 1080) == ["eDP-1", "HDMI-A-1"])
        #expect(shown(0, 0, 3440, 1440) == ["HDMI-A-1", "eDP-1"])
        #expect(shown(1080, 0, 2560, 1440) == ["HDMI-A-1"])
        #expect(shown(-500, 0, 400, 100) == [])
        // The center is outside the layout.
        #expect(shown(-500, 0, 600, 100) == ["eDP-1"])
    }

    @Test(arguments: [
        // wlroots rounds down, KWin to the nearest; Wayland reports 1.2 as 307/256.
        (2880, 1920, 1.75, 1645, 1097), (2880, 1920, 1.75, 1646, 1097), (1366, 768, 1.5, 910, 512),
        (1366, 768, 1.5, 911, 512), (3840, 2160, 307.0 / 256, 3200, 1800), (1280, 800, 4.0 / 3, 960, 600),
    ])
    func `a neighbour of an output with a fractional scale starts where the server ends the output`(
        _ width: Int, _ height: Int, _ scale: Double, right: Int, bottom: Int
    ) {
        let outputs = [
            output("eDP-1", x: 0, y: 0, width, height, scale: scale), output("DP-1", x: right, y: 0, 1920, 1080),
        ]
        let rotated = Layout.rotating("eDP-1", to: .rotated90, in: outputs)
        #expect(rotated[1].position == LayoutPoint(x: bottom, y: 0))
    }

    @Test(arguments: [1e-300, 1e300, Double.infinity, .leastNonzeroMagnitude])
    func `an extreme scale has a size`(_ scale: Double) {
        let size = output("eDP-1", x: 0, y: 0, 1920, 1080, scale: scale).layoutSize
        #expect(size == (scale < 1 ? LayoutSize(width: 19_200, height: 10_800) : LayoutSize(width: 19, height: 10)))
    }

    @Test(arguments: [0, -1, Double.nan])
    func `a scale that is no positive number has no size`(_ scale: Double) {
        #expect(output("eDP-1", x: 0, y: 0, 1920, 1080, scale: scale).layoutSize == LayoutSize(width: 0, height: 0))
    }

    @Test(arguments: [
        (OutputTransform.rotated90, (600, 0), (0, 0), 1200), (.rotated180, (0, 600), (0, 0), 1000),
        (.rotated270, (0, 0), (600, 0), 1200), (.normal, (0, 0), (0, 600), 1000),
    ])
    func `two panels turn as one body, each from its own rotation`(
        transform: OutputTransform, first: (Int, Int), second: (Int, Int), right: Int
    ) {
        let size = PixelSize(width: 1000, height: 600)
        let outputs = [
            Output(name: "eDP-1", mode: size),
            Output(name: "eDP-2", transform: .rotated180, mode: size, position: LayoutPoint(x: 0, y: 600)),
            Output(name: "DP-1", mode: size, position: LayoutPoint(x: 1000, y: 0)),
        ]
        let turned = Layout.rotating("eDP-1", with: ["eDP-1", "eDP-2"], to: transform, in: outputs)
        #expect(turned.map(\.transform.rotation) == [transform.rotation, (transform.rotation + 180) % 360, 0])
        #expect(turned[0].position == LayoutPoint(x: first.0, y: first.1))
        #expect(turned[1].position == LayoutPoint(x: second.0, y: second.1))
        #expect(turned[2].position == LayoutPoint(x: right, y: 0))
    }
}
