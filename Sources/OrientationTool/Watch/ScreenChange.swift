// SPDX-License-Identifier: Apache-2.0

/// What must be written so that a terminal shows one screen in place of another: the changed parts of changed lines.
///
/// The few sequences used are ECMA-48's: CUP, SGR, EL and ED.
struct ScreenChange {
    let hasColours: Bool

    /// The text to write; empty where nothing changed. Without an old screen of the same size, all is drawn anew.
    func text(from old: Screen?, to new: Screen) -> String {
        var text = ""
        var former = Screen(columns: new.columns, rows: new.rows)
        if let old, old.columns == new.columns, old.rows == new.rows {
            former = old
        } else {
            text = "\u{1b}[m\u{1b}[2J"
        }
        for row in new.lines.indices where new.lines[row] != former.lines[row] {
            text += line(row, from: former.lines[row], to: new.lines[row])
        }
        return text
    }

    private func line(_ row: Int, from old: [Cell], to new: [Cell]) -> String {
        guard let first = new.indices.first(where: { new[$0] != old[$0] }),
            let last = new.indices.last(where: { new[$0] != old[$0] })
        else { return "" }
        let end = new.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
        var text = "\u{1b}[\(row + 1);\(first + 1)H"
        var style = Style.plain
        for cell in new[first..<max(first, min(last + 1, end))] {
            if cell.style != style { text += sequence(cell.style) }
            style = cell.style
            text.append(cell.character)
        }
        if style != .plain { text += sequence(.plain) }
        if last >= end { text += "\u{1b}[K" }
        return text
    }

    private func sequence(_ style: Style) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isDim { codes.append("2") }
        if hasColours, let colour = code(style.colour) { codes.append("\(colour)") }
        return "\u{1b}[\(codes.joined(separator: ";"))m"
    }

    private func code(_ colour: Style.Colour) -> Int? {
        switch colour {
        case .plain: nil
        case .accent: 36
        case .good: 32
        case .warning: 33
        case .bad: 31
        }
    }
}
