// SPDX-License-Identifier: Apache-2.0

/// The style of a character. A terminal without colours ignores only the colour.
struct Style: Hashable {
    /// Colours by meaning, from the terminal's theme, with their codes of ECMA-48.
    enum Colour: Int { case bad = 31, good, warning, accent = 36 }

    var colour: Colour?
    var isBold = false
    var isDim = false

    static let plain = Style()
    static let bold = Style(isBold: true)
    static let dim = Style(isDim: true)
    static let accent = Style(colour: .accent)
    static let good = Style(colour: .good)
    static let warning = Style(colour: .warning)
    static let bad = Style(colour: .bad)
}

struct Cell: Hashable {
    var character: Character
    var style = Style.plain

    static let blank = Cell(character: " ")
}

struct StyledText: Hashable {
    private(set) var cells: [Cell] = []

    init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

    mutating func add(_ text: String, _ style: Style = .plain) {
        // Blanks look the same in every style.
        cells += text.oneColumnCharacters.map { $0 == " " ? .blank : Cell(character: $0, style: style) }
    }

    /// Pads with blanks to a column, with at least one blank after text.
    mutating func tab(to column: Int) {
        add(String(repeating: " ", count: max(column - cells.count, cells.isEmpty ? 0 : 1)))
    }
}

/// The content of a terminal, as a value.
struct Screen: Equatable {
    let columns: Int
    let rows: Int
    var lines: [[Cell]]

    init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        lines = Array(repeating: Array(repeating: .blank, count: self.columns), count: self.rows)
    }

    /// Puts text at a position. Text beyond `width` or the screen is cut, and marked with an ellipsis.
    mutating func put(_ text: StyledText, row: Int, column: Int, width: Int = .max) {
        guard lines.indices.contains(row) else { return }
        let room = min(max(width, 0), max(columns - column, 0))
        var cells = text.cells.prefix(room)
        if text.cells.count > room, let last = cells.indices.last { cells[last].character = "…" }
        for (offset, cell) in cells.enumerated()
        where lines[row].indices.contains(column + offset) {
            lines[row][column + offset] = cell
        }
    }
}

/// Computes the terminal output that changes one screen to another: the changed lines.
///
/// Uses the ECMA-48 sequences CUP, SGR, EL and ED.
struct ScreenChange {
    let hasColours: Bool

    /// Returns the text to write; empty without a change. Without an old screen of the same size, redraws everything.
    func text(from old: Screen?, to new: Screen) -> String {
        var text = ""
        var previous = Screen(columns: new.columns, rows: new.rows)
        if let old, old.columns == new.columns, old.rows == new.rows {
            previous = old
        } else {
            text = "\u{1b}[m\u{1b}[2J"
        }
        for row in new.lines.indices where new.lines[row] != previous.lines[row] {
            text += "\u{1b}[\(row + 1)H" + line(new.lines[row])
        }
        return text
    }

    private func line(_ cells: [Cell]) -> String {
        var text = ""
        var style = Style.plain
        let end = cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
        for cell in cells[..<end] {
            if cell.style != style { text += sequence(cell.style) }
            style = cell.style
            text.append(cell.character)
        }
        if style != .plain { text += sequence(.plain) }
        // After the last column it would erase that.
        return end < cells.count ? text + "\u{1b}[K" : text
    }

    private func sequence(_ style: Style) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isDim { codes.append("2") }
        if hasColours, let colour = style.colour { codes.append("\(colour.rawValue)") }
        return "\u{1b}[\(codes.joined(separator: ";"))m"
    }
}
