// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct X11PlanTests {
    private var screen = Self.screen
    static let anything = X11Rotation(rawValue: 0x3f)

    /// A screen with a panel of 1280 x 800 pixels, and a monitor of 1920 x 1080 to its right.
    static let screen = X11Screen(
        size: LayoutSize(width: 3200, height: 1080), smallest: LayoutSize(width: 320, height: 200),
        greatest: LayoutSize(width: 8192, height: 8192),
        controllers: [
            .init(
                identifier: 1, rectangle: LayoutRectangle(x: 0, y: 0, width: 1280, height: 800), mode: 10,
                rotation: .rotate0, supported: anything, connectors: [21]),
            .init(
                identifier: 2, rectangle: LayoutRectangle(x: 1280, y: 0, width: 1920, height: 1080), mode: 11,
                rotation: .rotate0, supported: anything, connectors: [22]),
            .init(
                identifier: 3, rectangle: LayoutRectangle(x: 0, y: 0, width: 0, height: 0), mode: 0, rotation: .rotate0,
                supported: anything, connectors: []),
        ],
        connectors: [
            .init(
                identifier: 21, name: "eDP-1", controller: 1, millimeters: LayoutSize(width: 217, height: 136)),
            .init(
                identifier: 22, name: "HDMI-1", controller: 2, millimeters: LayoutSize(width: 527, height: 296)),
            .init(identifier: 23, name: "DP-1", controller: 0, millimeters: LayoutSize(width: 0, height: 0)),
        ],
        modes: [10: PixelSize(width: 1280, height: 800), 11: PixelSize(width: 1920, height: 1080)])

    private func plan(_ transform: OutputTransform, on screen: X11Screen = Self.screen) throws -> X11Plan {
        try X11Plan(Layout.rotating("eDP-1", to: transform, in: screen.outputs), on: screen)
    }

    @Test func `outputs have their mode, position and transform`() {
        #expect(
            Self.screen.outputs == [
                Output(name: "eDP-1", mode: PixelSize(width: 1280, height: 800)),
                Output(
                    name: "HDMI-1", mode: PixelSize(width: 1920, height: 1080), position: LayoutPoint(x: 1280, y: 0)),
                Output(name: "DP-1", isEnabled: false),
            ])
    }

    @Test func `a quarter turn moves the monitor and changes the size of the screen`() throws {
        let plan = try plan(.rotated90)
        #expect(plan.size == LayoutSize(width: 2720, height: 1280))
        // The monitor ends at 3200: it is turned off while the screen becomes narrower.
        #expect(plan.turnedOff.map(\.identifier) == [2])
        #expect(
            plan.set.map(\.rectangle) == [
                LayoutRectangle(x: 0, y: 0, width: 800, height: 1280),
                LayoutRectangle(x: 800, y: 0, width: 1920, height: 1080),
            ])
        #expect(plan.set.map(\.rotation) == [.rotate90, .rotate0])
        #expect(plan.set.map(\.mode) == [10, 11])
    }

    @Test func `half a turn changes the panel only`() throws {
        let plan = try plan(.rotated180)
        #expect(plan.size == nil)
        #expect(plan.turnedOff == [])
        #expect(plan.set.map(\.identifier) == [1])
    }

    @Test mutating func `a monitor that stays keeps showing its picture when the screen grows`() throws {
        screen.controllers[1].rectangle = LayoutRectangle(x: 0, y: 800, width: 1920, height: 1080)
        screen.size = LayoutSize(width: 1920, height: 1880)
        let plan = try plan(.rotated270, on: screen)
        #expect(plan.size == LayoutSize(width: 1920, height: 2360))
        #expect(plan.turnedOff == [])
        #expect(plan.set.map(\.rectangle.y) == [0, 1280])
    }

    @Test mutating func `a monitor that must be turned off for the new size is set again`() throws {
        screen.size = LayoutSize(width: 4000, height: 1080)
        screen.controllers[1].rectangle.x = 1000
        screen.controllers[1].rectangle.width = 1920
        let plan = try X11Plan(Layout.rotating("eDP-1", to: .rotated90, in: screen.outputs), on: screen)
        #expect(plan.set.contains { $0.identifier == 1 })
        for off in plan.turnedOff { #expect(plan.set.contains { $0.identifier == off.identifier }) }
    }

    @Test func `the same configuration has no steps`() throws {
        #expect(try plan(.normal) == X11Plan([], on: Self.screen))
    }

    @Test func `a plan that fails is undone in the opposite order`() throws {
        let undone = try plan(.rotated90).undone(on: Self.screen)
        #expect(undone.size == Self.screen.size)
        #expect(undone.turnedOff.map(\.identifier) == [1, 2])
        #expect(undone.set == Array(Self.screen.controllers[0...1]))
    }

    @Test mutating func `a rotation that the driver lacks is impossible`() throws {
        screen.controllers[0].supported = [.rotate0, .rotate180]
        #expect(throws: X11Plan.Impossible(reason: "the driver does not support '90'; use the modesetting driver")) {
            try plan(.rotated90, on: screen)
        }
        #expect(throws: Never.self) { try plan(.rotated180, on: screen) }
        #expect(throws: X11Plan.Impossible(reason: "the driver does not support 'flipped'; use the modesetting driver"))
        {
            try plan(.flipped, on: screen)
        }
    }

    @Test mutating func `outputs beyond the greatest size, outside the screen or off are impossible`() {
        screen.greatest = LayoutSize(width: 3200, height: 1200)
        let panel = PixelSize(width: 1280, height: 800)
        for (outputs, reason) in [
            (
                Layout.rotating("eDP-1", to: .rotated90, in: screen.outputs),
                "the screen would be 2720x1280 pixels; the driver allows 3200x1200"
            ),
            (
                [Output(name: "eDP-1", mode: panel, position: LayoutPoint(x: -10, y: 0))],
                "eDP-1: the position -10,0 is outside the screen, which begins at 0,0"
            ),
            ([Output(name: "DP-1", mode: panel)], "DP-1: the output is off or disconnected"),
        ] {
            #expect(throws: X11Plan.Impossible(reason: reason)) { try X11Plan(outputs, on: screen) }
        }
    }

    @Test mutating func `a scaled output has the scale of its mode`() {
        screen.controllers[0].rectangle = LayoutRectangle(x: 0, y: 0, width: 1600, height: 2560)
        screen.controllers[0].rotation = .rotate90
        #expect(screen.outputs[0].scale == 0.5)
        #expect(screen.outputs[0].layoutSize == LayoutSize(width: 1600, height: 2560))
    }
}
