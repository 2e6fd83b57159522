// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct DisplayPanelTests {
    private nonisolated static func connector(
        _ name: String, _ mode: String? = nil, connected: Bool = true, enabled: Bool = true
    ) -> DisplayConnector {
        DisplayConnector(
            name: "card0-\(name)", isConnected: connected, isEnabled: enabled, mode: mode.flatMap(DisplayMode.init))
    }

    private nonisolated static func panel(_ name: String, _ mode: String) -> DisplayPanel {
        guard let mode = DisplayMode(mode) else { fatalError("invalid mode \(mode)") }
        return DisplayPanel(name: "card0-\(name)", mode: mode)
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
        Row("a square panel is tall", [connector("DPI-1", "480x480")], .panel(panel("DPI-1", "480x480"))),
        Row("an interlaced mode", [connector("LVDS-1", "1920x1080i")], .panel(panel("LVDS-1", "1920x1080i"))),
        Row(
            "a panel beside a monitor", [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", "720x1440")],
            .panel(panel("DSI-1", "720x1440"))),
        Row(
            "a blanked panel beside a monitor",
            [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", "720x1440", enabled: false)],
            .panel(panel("DSI-1", "720x1440"))),
        Row(
            "a disconnected panel beside a monitor",
            [connector("HDMI-A-1", "1920x1080"), connector("DSI-1", connected: false)],
            .panel(panel("HDMI-A-1", "1920x1080"))),
        Row(
            "a virtual machine",
            [connector("Virtual-1", "1280x800"), connector("Virtual-2", connected: false), connector("Writeback-1")],
            .panel(panel("Virtual-1", "1280x800"))),
        Row(
            "two monitors of one shape", [connector("HDMI-A-1", "1920x1080"), connector("DP-1", "2560x1440")],
            .panel(panel("DP-1", "2560x1440"))),
        Row(
            "two monitors of different shape", [connector("HDMI-A-1", "1920x1080"), connector("DP-1", "1080x1920")],
            .unknown("no internal panel, and several displays: card0-DP-1, card0-HDMI-A-1")),
        Row(
            "two monitors, one without a mode", [connector("HDMI-A-1", "1920x1080"), connector("DP-1")],
            .unknown("no internal panel, and several displays: card0-DP-1, card0-HDMI-A-1")),
        Row(
            "four monitors", (1...4).map { connector("DP-\($0)", $0 == 4 ? "1080x1920" : "1920x1080") },
            .unknown("no internal panel, and several displays: card0-DP-1, card0-DP-2, card0-DP-3, card0-DP-4")),
        Row(
            "nine monitors", (1...9).map { connector("DP-\($0)", $0 == 4 ? "1080x1920" : "1920x1080") },
            .unknown(
                "no internal panel, and several displays: card0-DP-1, card0-DP-2, card0-DP-3, card0-DP-4 and 5 more")),
        Row("no connector", [], .unknown("no display connected")),
        Row("nothing connected", [connector("eDP-1", connected: false)], .unknown("no display connected")),
        Row(
            "a panel without a mode beside a monitor", [connector("eDP-1"), connector("HDMI-A-1", "1920x1080")],
            .unknown("card0-eDP-1: no mode known yet")),
        Row("an invalid mode", [connector("eDP-1", "wide")], .unknown("card0-eDP-1: no mode known yet")),
        Row(
            "two panels, one without a mode", [connector("DSI-1"), connector("DSI-2", "1200x1920", enabled: false)],
            .panel(panel("DSI-2", "1200x1920"))),
        Row(
            "two panels of one shape", [connector("eDP-2", "1920x1200"), connector("eDP-1", "2880x1800")],
            .panel(panel("eDP-1", "2880x1800"))),
        Row(
            "two panels of different shape, one enabled",
            [connector("eDP-1", "1920x1080", enabled: false), connector("eDP-2", "1080x1920")],
            .panel(panel("eDP-2", "1080x1920"), other: panel("eDP-1", "1920x1080"))),
    ]

    @Test(arguments: rows)
    func `the internal panel is chosen, else the only display or one of several of one shape`(row: Row) {
        #expect(PanelChoice.choose(among: row.connectors) == row.choice)
        #expect(PanelChoice.choose(among: row.connectors.reversed()) == row.choice)
    }

    @Test func `of two panels the former one stays chosen while both are blanked`() {
        let connectors = [
            Self.connector("eDP-1", "1920x1080", enabled: false), Self.connector("eDP-2", "1080x1920", enabled: false),
        ]
        let former = Self.panel("eDP-2", "1080x1920")
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

    @Test(arguments: [nil, "1920x1080"], [false, true])
    func `of two panels the former enabled one stays chosen, even while its modes cannot be read`(
        mode: String?, isOtherEnabled: Bool
    ) {
        let former = Self.panel("eDP-1", "1920x1080")
        let other = Self.panel("DSI-1", "1080x1920")
        let connectors = [
            Self.connector("eDP-1", mode), Self.connector("DSI-1", "1080x1920", enabled: isOtherEnabled),
        ]
        #expect(PanelChoice.choose(among: connectors, former: former) == .panel(former, other: other))
    }

    @Test func `an enabled panel is preferred to the former one that is disabled`() {
        let former = Self.panel("eDP-1", "1920x1080")
        let connectors = [Self.connector("eDP-1", enabled: false), Self.connector("eDP-2", "1080x1920")]
        let choice = PanelChoice.choose(among: connectors, former: former)
        #expect(choice == .panel(Self.panel("eDP-2", "1080x1920"), other: former))
    }

    @Test func `a display that is switched off keeps its shape until its connector is removed`() {
        let former = Self.panel("HDMI-A-1", "1920x1080")
        let off = [Self.connector("HDMI-A-1", connected: false), Self.connector("DP-1", connected: false)]
        #expect(PanelChoice.choose(among: off, former: former) == .panel(former))
        #expect(PanelChoice.choose(among: [off[1]], former: former) == .unknown("no display connected"))
        let other = [off[0], Self.connector("DP-1", "1080x1920")]
        #expect(PanelChoice.choose(among: other, former: former) == .panel(Self.panel("DP-1", "1080x1920")))
    }

    @Test func `a display stays chosen when a second one of another shape is connected, until it is disconnected`() {
        let former = Self.panel("HDMI-A-1", "1920x1080")
        let both = [Self.connector("HDMI-A-1", "1920x1080"), Self.connector("DP-1", "1080x1920")]
        #expect(PanelChoice.choose(among: both, former: former) == .panel(former))
        let unread = [Self.connector("HDMI-A-1"), both[1]]
        #expect(PanelChoice.choose(among: unread, former: former) == .panel(former))
        let other = PanelChoice.panel(Self.panel("DP-1", "1080x1920"))
        #expect(PanelChoice.choose(among: [both[1]], former: former) == other)
        let off = [Self.connector("HDMI-A-1", connected: false), both[1]]
        #expect(PanelChoice.choose(among: off, former: former) == other)
        let third = off + [Self.connector("DP-2", "1920x1080")]
        #expect(
            PanelChoice.choose(among: third, former: former)
                == .unknown("no internal panel, and several displays: card0-DP-1, card0-DP-2"))
    }

    @Test(arguments: [
        ("1920x1080", 1920, 1080, false), ("1920x1080i", 1920, 1080, true), ("1x99999", 1, 99999, false),
        ("01920x00800", 1920, 800, false),
    ])
    func `a mode is two numbers, and may be interlaced`(
        text: String, width: Int, height: Int, isInterlaced: Bool
    ) throws {
        let mode = try #require(DisplayMode(text))
        #expect(mode.width == width && mode.height == height && mode.isInterlaced == isInterlaced)
        #expect(mode.description == "\(width)x\(height)\(isInterlaced ? "i" : "")")
        #expect(mode.shape == (width > height ? .wide : .tall))
    }

    @Test(arguments: [
        "", "x", "i", "1920", "1920x", "x1080", "1920xi", "0x1080", "1920x0", "1920x00000", "123456x1080",
        "1920x123456", "1920x1080x1", "1920x1080 ", " 1920x1080", "1920x1080\0", "1920x1080i\0", "1920x1080ii",
        "1920x1080p", "+1920x1080", "-1x2", "1920X1080", "１９２０x1080", "1920x1080\u{301}", "1920x1080i60",
        "0x780x438",
    ])
    func `another text is no mode`(text: String) {
        #expect(DisplayMode(text) == nil)
    }

    @Test func `a panel keeps its shape while its modes cannot be read`() {
        let former = Self.panel("eDP-1", "1920x1080")
        #expect(PanelChoice.choose(among: [Self.connector("eDP-1")], former: former) == .panel(former))
        let other = PanelChoice.unknown("card0-eDP-2: no mode known yet")
        #expect(PanelChoice.choose(among: [Self.connector("eDP-2")], former: former) == other)
    }
}
