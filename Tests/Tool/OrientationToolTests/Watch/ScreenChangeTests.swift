// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationTool

/// The terminal output for a changed screen.
@Suite struct ScreenChangeTests {
    private func screen(_ rows: (String, Style)...) -> Screen {
        var screen = Screen(columns: 10, rows: rows.count)
        for (number, row) in rows.enumerated() { screen.put(StyledText(row.0, row.1), row: number, column: 0) }
        return screen
    }

    private let change = ScreenChange(hasColours: true)

    @Test func `an unchanged screen writes nothing`() {
        let one = screen(("tilt 12", .bold), ("turn", .plain))
        #expect(change.text(from: one, to: one) == "")
    }

    @Test func `only changed lines are written`() {
        let (old, new) = (screen(("same", .plain), ("tilt 12", .plain)), screen(("same", .plain), ("tilt 17", .plain)))
        #expect(change.text(from: old, to: new) == "\u{1b}[2Htilt 17\u{1b}[K")
    }

    @Test func `a shorter line is erased to its end`() {
        let (old, new) = (screen(("tilt 12", .plain)), screen(("tilt", .plain)))
        #expect(change.text(from: old, to: new) == "\u{1b}[1Htilt\u{1b}[K")
    }

    @Test func `the first screen and a resized one are redrawn`() {
        let small = screen(("a", .plain))
        #expect(change.text(from: nil, to: small) == "\u{1b}[m\u{1b}[2J\u{1b}[1Ha\u{1b}[K")
        #expect(change.text(from: screen(("a", .plain), ("b", .plain)), to: small).hasPrefix("\u{1b}[m\u{1b}[2J"))
    }

    @Test func `a style ends with its text, and without colours only the colour is omitted`() {
        let (old, new) = (screen(("", .plain)), screen(("x", Style(colour: .bad, isBold: true))))
        #expect(change.text(from: old, to: new) == "\u{1b}[1H\u{1b}[0;1;31mx\u{1b}[0m\u{1b}[K")
        #expect(ScreenChange(hasColours: false).text(from: old, to: new) == "\u{1b}[1H\u{1b}[0;1mx\u{1b}[0m\u{1b}[K")
    }
}
