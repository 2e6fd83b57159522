// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// Messages on the terminal. They go to standard error: standard output receives only the entry.
final class Dialogue {
    private var status = ""

    private static let barLength = 20

    static func print(_ text: String) { StandardError.write(lines(text)) }

    /// Prints a line, in place of the status line.
    func print(_ text: String) {
        StandardError.write((status.isEmpty ? "" : "\r\u{1B}[K") + Self.lines(text))
        status = ""
    }

    /// Returns the text in lines that fit the terminal, indented as the first one: the terminal would break words.
    private static func lines(_ text: String) -> String {
        let (line, columns) = (text.replacingControls(), Terminal.size(of: STDERR_FILENO).columns)
        guard line.count > columns, isatty(STDERR_FILENO) == 1 else { return line + "\n" }
        let indentation = String(line.prefix { $0 == " " })
        return line.wrapped(to: columns - indentation.count).map { indentation + $0 + "\n" }.joined()
    }

    /// Shows a status line, which the next output replaces.
    func show(_ text: String) {
        guard text != status else { return }
        StandardError.write("\r\u{1B}[K" + text.replacingControls())
        status = text
    }

    /// Shows how much of the required time the device was still, 0 to 1.
    func show(progress: Double) {
        // The time has passed, but the pose was not accepted.
        if progress >= 1 { return show("  not still enough") }
        let full = Int(progress * Double(Self.barLength))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.barLength - full)
        show("  hold still [\(bar)]")
    }

    /// Rings the bell, for poses that hide the screen.
    func ring() {
        StandardError.write("\u{7}")
    }

    func clear() {
        if !status.isEmpty { StandardError.write("\r\u{1B}[K") }
        status = ""
    }
}

extension Pose {
    /// The instruction on how to hold the device.
    var instruction: String {
        switch self {
        case .top: "upright, the top edge of the unrotated picture up"
        case .right: "turned left, the top edge of the unrotated picture to the left"
        case .bottom: "upside down, the bottom edge of the unrotated picture up"
        case .left: "turned right, the top edge of the unrotated picture to the right"
        case .faceUp: "flat on a table, the screen up"
        case .faceDown: "flat on a table, the screen down; wait for the bell"
        }
    }

    /// Returns a drawing of the pose for a panel that is wide or tall in its natural orientation. The mark is at the top
    /// edge of the unrotated picture; flat poses are seen from the side.
    func drawing(isWide: Bool) -> [String] {
        let tall = ["+-----+", "|     |", "|     |", "+-----+"]
        let wide = ["+---------+", "|         |", "+---------+"]
        var lines: [String]
        switch self {
        case .top: lines = isWide ? ["     ^"] + wide : ["   ^"] + tall
        case .bottom: lines = isWide ? wide + ["     v"] : tall + ["   v"]
        case .right, .left:
            lines = isWide ? tall : wide
            lines[1] = self == .right ? "< \(lines[1])" : "\(lines[1]) >"
        case .faceUp: lines = ["___________  screen", "===========", "---------------  table"]
        case .faceDown: lines = ["===========", "~~~~~~~~~~~  screen", "---------------  table"]
        }
        // Outdented marks and the longer table.
        return lines.map { String(repeating: " ", count: $0.hasPrefix("<") || $0.hasPrefix("---") ? 3 : 5) + $0 }
    }
}
