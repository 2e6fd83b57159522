// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// A display mode, as a line of `modes`: `1920x1080`, or `1920x1080i` if it is interlaced.
struct DisplayMode: Equatable, Sendable, CustomStringConvertible {
    /// The size of the picture, in pixels.
    let width: Int
    let height: Int
    let isInterlaced: Bool

    /// The largest number of digits of a side: the kernel's sides are 16-bit numbers.
    private static let longestSide = 5

    /// Parses a line of `modes`; nil if it is anything else.
    init?(_ text: String) {
        let isInterlaced = text.utf8.last == UInt8(ascii: "i")
        let sides = (isInterlaced ? text.utf8.dropLast() : text.utf8[...])
            .split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false).map(Self.side)
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        (self.width, self.height, self.isInterlaced) = (width, height, isInterlaced)
    }

    /// Returns the number of 1 to 5 ASCII digits; nil if it is zero or anything else.
    private static func side(_ digits: Substring.UTF8View) -> Int? {
        guard 1...longestSide ~= digits.count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let side = Int(Substring(digits)), side > 0
        else { return nil }
        return side
    }

    /// The line of `modes`, without leading zeros.
    var description: String { "\(width)x\(height)\(isInterlaced ? "i" : "")" }

    var shape: PanelShape { PanelShape(width: Double(width), height: Double(height)) }
}

/// A connector of a graphics card, as listed in `/sys/class/drm`.
struct DisplayConnector: Equatable, Sendable {
    /// The name in the listing, for example `card0-eDP-1`.
    let name: String
    let isConnected: Bool
    /// Whether a picture is sent to it; not while the screen is blanked.
    let isEnabled: Bool
    /// The first valid line of `modes`; nil if there is none or the file is unreadable.
    var mode: DisplayMode?

    var isInternal: Bool { InternalConnector.includes(name) }

    /// Whether a display can be connected: a writeback connector copies the picture to memory.
    var isForDisplay: Bool { !name.contains("-Writeback-") }

    /// The display; nil if its mode is unknown.
    fileprivate var panel: DisplayPanel? { mode.map { DisplayPanel(name: name, mode: $0) } }

    /// Returns the connector with the mode of `former` if that is this connector and its modes could not be read.
    fileprivate func keepingMode(of former: DisplayPanel?) -> DisplayConnector {
        guard mode == nil, let former, former.name == name else { return self }
        var connector = self
        connector.mode = former.mode
        return connector
    }
}

/// The panel of the device, whose shape gives the natural orientation.
struct DisplayPanel: Equatable, Sendable, CustomStringConvertible {
    /// The name of its connector, for example `card0-eDP-1`.
    let name: String
    let mode: DisplayMode

    /// The connector and the mode, for messages.
    var description: String { "\(name), \(mode)" }
}

/// The choice of the panel among the connectors.
enum PanelChoice: Equatable, Sendable {
    /// The panel, and another internal panel that has another shape.
    case panel(DisplayPanel, other: DisplayPanel? = nil)
    /// None is known, for this reason.
    case unknown(String)

    /// The number of connectors that a reason names: one hub can have many.
    private static let longestList = 4

    /// Chooses the connected internal panel; without an internal one, a connected display.
    ///
    /// Of several panels an enabled one is preferred, then the former choice, then the first by name. A panel whose modes
    /// cannot be read keeps its former mode. A connected internal panel whose mode is not known yet is not replaced by a
    /// monitor. Of several displays without an internal panel the former choice is preferred, then the first by name if
    /// all have the same shape. The former choice stays while no panel is enabled and while nothing is connected: many
    /// monitors disconnect when they are switched off.
    static func choose(among connectors: [DisplayConnector], former: DisplayPanel? = nil) -> PanelChoice {
        let connected = connectors.filter { $0.isConnected && $0.isForDisplay }.sorted { $0.name < $1.name }
            .map { $0.keepingMode(of: former) }
        if connected.isEmpty {
            let isListed = connectors.contains { $0.name == former?.name }
            return former.flatMap { isListed ? .panel($0) : nil } ?? .unknown("no display connected")
        }
        let panels = connected.filter(\.isInternal)
        return panels.isEmpty ? choose(display: connected, former) : choose(internal: panels, former)
    }

    /// Chooses among connected internal panels, in the order of their names.
    private static func choose(internal panels: [DisplayConnector], _ former: DisplayPanel?) -> PanelChoice {
        let known = panels.filter { $0.mode != nil }
        let candidates = known.isEmpty ? panels : known
        let enabled = candidates.filter(\.isEnabled)
        let preferred = enabled.isEmpty ? candidates : enabled
        let best = preferred.first { $0.name == former?.name } ?? preferred[0]
        return choose(best, other: known.first { $0.mode?.shape != best.mode?.shape }?.panel)
    }

    /// Chooses among connected displays, in the order of their names.
    private static func choose(display displays: [DisplayConnector], _ former: DisplayPanel?) -> PanelChoice {
        let same = displays.first { $0.name == former?.name }
        let haveOneShape = displays.allSatisfy { $0.mode != nil && $0.mode?.shape == displays[0].mode?.shape }
        if let display = same ?? (haveOneShape || displays.count == 1 ? displays[0] : nil) { return choose(display) }
        return .unknown("no internal panel, and several displays: \(displays.map(\.name).listed(atMost: longestList))")
    }

    private static func choose(_ connector: DisplayConnector, other: DisplayPanel? = nil) -> PanelChoice {
        connector.panel.map { .panel($0, other: other) } ?? .unknown("\(connector.name): no mode known yet")
    }
}
