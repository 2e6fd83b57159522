// SPDX-License-Identifier: Apache-2.0

import Calibration
import Glibc

/// What is said to a person at the terminal, on standard error, so that the entry alone goes to standard output.
final class Dialogue {
    private var shown = ""

    /// Cells of the bar that fills while the device is held still.
    private static let barLength = 20

    static func say(_ text: String) {
        write(Printable.line(text) + "\n")
    }

    /// A line that stays; what was shown on its place is wiped away.
    func say(_ text: String) {
        Self.write((shown.isEmpty ? "" : "\r\u{1B}[K") + Printable.line(text) + "\n")
        shown = ""
    }

    /// A line that the next one replaces.
    func show(_ text: String) {
        guard text != shown else { return }
        Self.write("\r\u{1B}[K" + Printable.line(text))
        shown = text
    }

    /// How much of the time a pose was held.
    func show(progress: Double) {
        // The time is over, and it was not taken.
        if progress >= 1 { return show("  it is not held still enough") }
        let full = Int(progress * Double(Self.barLength))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.barLength - full)
        show("  hold it still [\(bar)]")
    }

    /// For who cannot see the screen now.
    func ring() {
        Self.write("\u{7}")
    }

    /// Wipes away what is shown, at an end that was not meant to be one.
    func clear() {
        if !shown.isEmpty { Self.write("\r\u{1B}[K") }
        shown = ""
    }

    private static func write(_ text: String) {
        // A terminal that is gone ends the program by a signal of its own.
        _ = TextOutput.write(Array(TextEncoding.current.text(text).utf8), to: STDERR_FILENO)
    }
}

extension Pose {
    /// How to hold the device, in words.
    var instruction: String {
        switch self {
        case .portrait: "upright, the top edge of the screen up"
        case .landscapeLeft: "turned left, the top edge of the screen to the left"
        case .portraitUpsideDown: "upside down, the bottom edge of the screen up"
        case .landscapeRight: "turned right, the top edge of the screen to the right"
        case .faceUp: "flat on a table, the screen up"
        case .faceDown: "flat on a table, the screen down; a bell rings when done"
        }
    }

    /// The device as it is held, the arrow at the top edge of its screen; flat, as it is seen from the side.
    var drawing: [String] {
        switch self {
        case .portrait: ["        ^", "     +-----+", "     |     |", "     |     |", "     +-----+"]
        case .landscapeLeft: ["", "     +---------+", "   < |         |", "     +---------+", ""]
        case .portraitUpsideDown: ["     +-----+", "     |     |", "     |     |", "     +-----+", "        v"]
        case .landscapeRight: ["", "     +---------+", "     |         | >", "     +---------+", ""]
        case .faceUp: ["", "     ___________  screen", "     ===========", "   ---------------  table", ""]
        case .faceDown: ["", "     ===========", "     ~~~~~~~~~~~  screen", "   ---------------  table", ""]
        }
    }
}
