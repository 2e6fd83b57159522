// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Lays out the device for a terminal of some size. A pure function.
struct Picture {
    let device: WatchedDevice
    var grain = Grain.fine

    private static let leastDrawing = (columns: 10, rows: 5)
    private static let highestDrawing = 28
    private static let widestPanel = 64
    private static let narrowestPanel = 22

    func screen(columns: Int, rows: Int) -> Screen {
        var screen = Screen(columns: columns, rows: rows)
        let isFramed = rows >= 8
        header(on: &screen)
        if isFramed { screen.put(rule(columns), row: 1, column: 0) }
        if isFramed, rows >= 16 { screen.put(StyledText("q or Ctrl-C quits", .dim), row: rows - 1, column: 1) }
        let top = isFramed ? 2 : 1
        body(on: &screen, rows: top..<max(top, isFramed && rows >= 16 ? rows - 1 : rows))
        if grain != .fine {
            screen.lines = screen.lines.map { line in
                line.map { Cell(character: grain.substitute($0.character), style: $0.style) }
            }
        }
        return screen
    }

    private func header(on screen: inout Screen) {
        let margin = screen.columns >= 30 ? 1 : 0
        let title = title()
        screen.put(title, row: 0, column: margin)
        let link = self.link(width: screen.columns - title.cells.count - 2 * margin - 2)
        screen.put(link, row: 0, column: screen.columns - margin - link.cells.count)
    }

    private func title() -> StyledText {
        guard let state = device.state else { return StyledText("no state yet", .bold) }
        var style = Style(colour: state.orientation == .unknown ? .warning : .accent, isBold: true)
        if device.isOutOfDate { style = .dim }
        return StyledText(state.poseText, style)
    }

    /// Returns the status of the connection, or only its mark if there is no room.
    private func link(width: Int) -> StyledText {
        let (mark, text, style): (String, String, Style) =
            switch device.link {
            case .waiting: ("○", "connecting", .warning)
            case .connected: ("●", "connected", .good)
            case .lost: ("○", "not connected; retrying", .bad)
            }
        var row = StyledText(mark, style)
        guard width >= text.count + 2 else { return width >= 1 ? row : StyledText() }
        row.add(" " + text)
        return row
    }

    private func rule(_ columns: Int) -> StyledText {
        StyledText(String(repeating: "─", count: columns), .dim)
    }

    private func body(on screen: inout Screen, rows: Range<Int>) {
        let height = min(rows.count, Self.highestDrawing)
        // A cell is about twice as high as it is wide.
        let drawingColumns = min(height * 2 + 2, screen.columns * 2 / 5)
        let fits = drawingColumns >= Self.leastDrawing.columns && height >= Self.leastDrawing.rows
        guard fits, screen.columns - drawingColumns >= Self.narrowestPanel else {
            return stacked(on: &screen, rows: rows)
        }
        draw(on: &screen, row: rows.lowerBound, column: 0, columns: drawingColumns, rows: height)
        let width = min(screen.columns - drawingColumns - 2, Self.widestPanel)
        panel(on: &screen, rows: rows, column: drawingColumns + 1, width: width)
    }

    /// Puts the drawing above the facts, for a high and narrow window.
    private func stacked(on screen: inout Screen, rows: Range<Int>) {
        var rows = rows
        let height = min(screen.columns / 2, rows.count - Self.panelBelow, Self.highestDrawing)
        if screen.columns >= Self.leastDrawing.columns, height >= Self.leastDrawing.rows {
            draw(on: &screen, row: rows.lowerBound, column: 0, columns: screen.columns, rows: height)
            rows = rows.lowerBound + height..<rows.upperBound
        }
        let margin = screen.columns >= 30 ? 1 : 0
        panel(on: &screen, rows: rows, column: margin, width: screen.columns - 2 * margin)
    }

    /// The rows reserved for the facts below a drawing.
    private static let panelBelow = 8

    private func panel(on screen: inout Screen, rows: Range<Int>, column: Int, width: Int) {
        let facts = Facts(device: device, width: width, isASCII: grain == .ascii)
        // An empty row below the rule, like the margin of the drawing.
        let margin = rows.count >= 12 ? 1 : 0
        for (offset, line) in Panel.rows(facts.blocks, height: rows.count - margin).enumerated() {
            screen.put(line, row: rows.lowerBound + margin + offset, column: column, width: width)
        }
    }

    private func draw(on screen: inout Screen, row: Int, column: Int, columns: Int, rows: Int) {
        var canvas = Canvas(columns: columns, rows: rows, grain: grain)
        let orientation = device.state?.orientation ?? .unknown
        let natural = device.state?.natural ?? .portrait
        var pose = Pose3D(orientation, lastEdge: device.state?.lastEdge, natural: natural)
        if case .live(let motion) = device.motion { pose = motion.pose }
        var drawing = DeviceDrawing(pose: pose, shape: PanelShape(natural: natural), isUnknown: orientation == .unknown)
        drawing.isStale = device.isOutOfDate
        drawing.draw(on: &canvas)
        for y in 0..<canvas.rows {
            for x in 0..<canvas.columns {
                guard let cell = canvas.cell(column: x, row: y) else { continue }
                screen.put(StyledText(String(cell.character), cell.style), row: row + y, column: column + x)
            }
        }
    }
}

extension Grain {
    /// Returns an available character with the same meaning.
    fileprivate func substitute(_ character: Character) -> Character {
        if self == .ascii, !character.isASCII { return Self.letters[character] ?? "?" }
        return Self.consoleGlyphs[character] ?? character
    }

    /// Substitutes for characters missing in the 256 glyphs of the kernel's console fonts.
    private static let consoleGlyphs: [Character: Character] = [
        "━": "═", "◆": "♦", "●": "•", "○": "o", "−": "-", "–": "-", "…": ".",
    ]

    private static let letters: [Character: Character] = [
        "─": "-", "│": "|", "━": "=", "░": ":", "◆": "#", "●": "*", "○": "o", "−": "-", "–": "-", "…": ".",
        "²": "2", "·": ".",
    ]
}
