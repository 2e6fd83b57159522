// SPDX-License-Identifier: Apache-2.0

import Support

/// How a character looks. A terminal without colours leaves out the colour and nothing else.
struct Style: Hashable {
    /// Colours by what they mean; which red it is, the terminal's own theme says.
    enum Colour: Hashable { case plain, accent, good, warning, bad }

    var colour = Colour.plain
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

/// One place of the screen.
struct Cell: Hashable {
    var character: Character
    var style = Style.plain

    static let blank = Cell(character: " ")
}

/// Text in pieces that look different.
struct StyledText: Hashable {
    private(set) var cells: [Cell] = []

    init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

    mutating func add(_ text: String, _ style: Style = .plain) {
        // A blank looks the same in every style.
        cells += Printable.characters(text).map { $0 == " " ? .blank : Cell(character: $0, style: style) }
    }

    /// Goes on at a column, so that rows stand below each other; at least one blank stands before.
    mutating func tab(to column: Int) {
        add(String(repeating: " ", count: max(column - cells.count, cells.isEmpty ? 0 : 1)))
    }
}

/// What a terminal is to show: a value that can be compared, printed and tested.
struct Screen: Equatable {
    let columns: Int
    let rows: Int
    private(set) var lines: [[Cell]]

    init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        lines = Array(repeating: Array(repeating: .blank, count: self.columns), count: self.rows)
    }

    /// Puts text at a place. What is beyond `width` or the screen is cut, and marked by an ellipsis.
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

    /// With each character replaced.
    func mapping(_ replace: (Character) -> Character) -> Screen {
        var screen = self
        screen.lines = lines.map { $0.map { Cell(character: replace($0.character), style: $0.style) } }
        return screen
    }

    /// The characters alone, without the blanks at the ends of lines.
    var text: String {
        lines.map { line in
            String(line[..<(line.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0)].map(\.character))
        }.joined(separator: "\n")
    }
}

/// Makes text from elsewhere fit for a terminal: a device's name must neither command it nor shift what follows.
enum Printable {
    static func characters(_ text: String) -> [Character] {
        text.unicodeScalars.map { isOneColumn($0) ? Character($0) : "·" }
    }

    /// A line as it is, but for what would command a terminal or end the line.
    static func line(_ text: String) -> String {
        text.replacingControls()
    }

    /// One column wide in every terminal, and no command.
    private static func isOneColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
            .lineSeparator, .paragraphSeparator:
            false
        default: scalar.value < 0x1100 || (0x2010..<0x2E80).contains(scalar.value)
        }
    }
}
