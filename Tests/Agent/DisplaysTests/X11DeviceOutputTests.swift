// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

/// The output that a device belongs to, on a screen with the panel eDP-1 (217 x 136 mm) and the monitor HDMI-1 (527 x 296 mm).
@Suite struct X11DeviceOutputTests {
    private let screen = X11PlanTests.screen
    private static let ofPanel = LayoutSize(width: 215, height: 135)
    private static let ofMonitor = LayoutSize(width: 530, height: 300)

    private func output(_ former: Set<String>, _ millimeters: LayoutSize?) -> String {
        screen.outputName(ofDeviceFirstAt: former, millimeters: millimeters, panel: "eDP-1")
    }

    @Test func `a device belongs to the monitor of its size, otherwise to the panel`() {
        #expect(output([], nil) == "eDP-1")
        #expect(output([], Self.ofMonitor) == "HDMI-1")
        #expect(output([], Self.ofPanel) == "eDP-1")
        // Mounted turned; and of another size than all panels.
        #expect(output([], LayoutSize(width: 135, height: 215)) == "eDP-1")
        #expect(output([], LayoutSize(width: 100, height: 60)) == "eDP-1")
    }

    @Test func `a device that was mapped to an output belongs to it`() throws {
        let matrix = try #require(screen.matrix(of: "HDMI-1"))
        #expect(screen.outputNames(with: matrix) == ["HDMI-1"])
        #expect(output(["HDMI-1"], Self.ofPanel) == "HDMI-1")
        #expect(output(["eDP-1"], Self.ofMonitor) == "eDP-1")
        #expect(screen.outputNames(with: .identity) == [])
    }

    @Test func `a device belongs to the panel while the monitor is off`() {
        var screen = screen
        screen.controllers[1].mode = 0
        #expect(
            screen.outputName(ofDeviceFirstAt: ["HDMI-1"], millimeters: Self.ofMonitor, panel: "eDP-1") == "eDP-1")
    }

    @Test func `outputs that mirror each other have the same matrix`() {
        var screen = screen
        screen.controllers[1].rectangle = screen.controllers[0].rectangle
        screen.size = LayoutSize(width: 1280, height: 800)
        #expect(screen.outputNames(with: .identity) == ["eDP-1", "HDMI-1"])
        #expect(
            screen.outputName(ofDeviceFirstAt: ["eDP-1", "HDMI-1"], millimeters: nil, panel: "eDP-1") == "eDP-1")
    }
}
