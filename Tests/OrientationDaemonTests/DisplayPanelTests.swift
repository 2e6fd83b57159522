// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct DisplayPanelTests {
    private nonisolated static func connector(
        _ name: String, _ mode: String? = nil, connected: Bool = true, enabled: Bool = true
    ) -> DisplayConnector {
        DisplayConnector(name: "card0-\(name)", isConnected: connected, isEnabled: enabled, mode: mode)
    }

    private nonisolated static func panel(_ name: String, _ mode: String, _ shape: PanelShape) -> PanelChoice {
        .panel(DisplayPanel(name: "card0-\(name)", mode: mode, shape: shape))
    }

    nonisolated struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let connectors: [DisplayConnector]
        let choice: PanelChoice

        init(_ description: String, _ connectors: [DisplayConnector], _ choice: PanelChoice) {
            testDescription = description
            self.connectors = connectors
            self.choice = choice
        }
    }

    nonisolated static let rows = [
        Row("a wide panel", [connector("eDP-1", "1920x1080")], panel("eDP-1", "1920x1080", .wide)),
        Row("a tall panel", [connector("eDP-1", "1080x1920")], panel("eDP-1", "1080x1920", .tall)),
        Row("a square panel is tall", [connector("DPI-1", "480x480")], panel("DPI-1", "480x480", .tall)),
        Row("an interlaced mode", [connector("LVDS-1", "1920x1080i")], panel("LVDS-1", "1920x1080i", .wide)),
        Row(
            "a panel beside a monitor", [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", "720x1440")],
            panel("DSI-1", "720x1440", .tall)),
        Row(
            "a blanked panel beside a monitor",
            [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", "720x1440", enabled: false)],
            panel("DSI-1", "720x1440", .tall)),
        Row(
            "a disconnected panel beside a monitor",
            [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", connected: false)],
            panel("HDMI-A-1", "1920x1080", .wide)),
        Row(
            "a virtual machine",
            [connector("Virtual-1", "1280x800"), connector("Virtual-2", connected: false), connector("Writeback-1")],
            panel("Virtual-1", "1280x800", .wide)),
        Row(
            "two monitors", [connector("HDMI-A-1", "1920x1080"), connector("DP-1", "1080x1920")],
            .unknown("no internal panel, and several displays: card0-DP-1, card0-HDMI-A-1")),
        Row("no connector", [], .unknown("no display connected")),
        Row("nothing connected", [connector("eDP-1", connected: false)], .unknown("no display connected")),
        Row(
            "a panel without a mode beside a monitor", [connector("eDP-1"), connector("HDMI-A-1", "1920x1080")],
            .unknown("card0-eDP-1: no mode known yet")),
        Row("an invalid mode", [connector("eDP-1", "wide")], .unknown("card0-eDP-1: no mode known yet")),
        Row(
            "two panels, one without a mode", [connector("DSI-1"), connector("DSI-2", "1200x1920", enabled: false)],
            panel("DSI-2", "1200x1920", .tall)),
        Row(
            "two panels of one shape", [connector("eDP-2", "1920x1200"), connector("eDP-1", "2880x1800")],
            panel("eDP-1", "2880x1800", .wide)),
        Row(
            "two panels of different shape, one enabled",
            [connector("eDP-1", "1920x1080", enabled: false), connector("eDP-2", "1080x1920")],
            .panel(
                DisplayPanel(name: "card0-eDP-2", mode: "1080x1920", shape: .tall),
                warning: """
                    panels of different shape: card0-eDP-2, 1080x1920, and card0-eDP-1, 1920x1080; using card0-eDP-2; \
                    set ORIENTATIOND_NATURAL_ORIENTATION to choose
                    """)),
    ]

    @Test(arguments: rows)
    func `the internal panel is chosen, else the only display`(row: Row) {
        #expect(PanelChoice.choose(among: row.connectors) == row.choice)
        #expect(PanelChoice.choose(among: row.connectors.reversed()) == row.choice)
    }

    @Test func `of two panels the former one stays chosen while both are blanked`() {
        let connectors = [
            Self.connector("eDP-1", "1920x1080", enabled: false), Self.connector("eDP-2", "1080x1920", enabled: false),
        ]
        let former = DisplayPanel(name: "card0-eDP-2", mode: "1080x1920", shape: .tall)
        guard case .panel(former, _) = PanelChoice.choose(among: connectors, former: former) else {
            Issue.record("another panel was chosen")
            return
        }
        guard case .panel(let first, _) = PanelChoice.choose(among: connectors) else {
            Issue.record("no panel was chosen")
            return
        }
        #expect(first.name == "card0-eDP-1")
    }

    @Test func `a display that is switched off keeps its shape until its connector is gone`() {
        let former = DisplayPanel(name: "card0-HDMI-A-1", mode: "1920x1080", shape: .wide)
        let off = [Self.connector("HDMI-A-1", connected: false), Self.connector("DP-1", connected: false)]
        #expect(PanelChoice.choose(among: off, former: former) == .panel(former))
        #expect(PanelChoice.choose(among: [off[1]], former: former) == .unknown("no display connected"))
        let other = [off[0], Self.connector("DP-1", "1080x1920")]
        #expect(PanelChoice.choose(among: other, former: former) == Self.panel("DP-1", "1080x1920", .tall))
    }

    @Test func `a panel keeps its shape while its modes cannot be read`() {
        let former = DisplayPanel(name: "card0-eDP-1", mode: "1920x1080", shape: .wide)
        #expect(PanelChoice.choose(among: [Self.connector("eDP-1")], former: former) == .panel(former))
        let other = PanelChoice.unknown("card0-eDP-2: no mode known yet")
        #expect(PanelChoice.choose(among: [Self.connector("eDP-2")], former: former) == other)
    }
}
