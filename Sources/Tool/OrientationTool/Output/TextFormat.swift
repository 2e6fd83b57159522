// SPDX-License-Identifier: Apache-2.0

import Posix
import Varlink

/// The encoding of the user's locale: UTF-8, or ASCII with substitutes.
struct TextEncoding {
    let isUTF8: Bool

    /// The encoding of the environment's locale; C by default.
    static let current: TextEncoding = {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { Environment[$0] }.first
        let name = (locale ?? "").lowercased()
        return TextEncoding(isUTF8: name.contains("utf-8") || name.contains("utf8"))
    }()

    private static let substitutes: [Unicode.Scalar: String] = [
        "°": " deg", "²": "^2", "µ": "u", "−": "-", "–": "-", "—": "-", "…": "...", "·": ".", "×": "x", "→": "->",
        "≥": ">=", "≤": "<=", "’": "'", "‘": "'", "“": "\"", "”": "\"",
    ]

    func text(_ text: String) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { $0.isASCII ? String($0) : Self.substitutes[$0] ?? "?" }.joined()
    }

    /// Encodes JSON: escapes the non-ASCII characters, which only strings can contain.
    func json(_ text: String) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { $0.isASCII ? String($0) : $0.jsonEscape }.joined()
    }
}

/// Formats decimal numbers without Foundation.
enum Decimal {
    static func text(_ number: Double, places: Int, isSigned: Bool = false) -> String {
        guard !number.isNaN else { return "–" }
        // Larger values are not measurements.
        let value = min(max(number, -1e9), 1e9).rounded(places: places)
        let sign = value < 0 ? "−" : isSigned && value > 0 ? "+" : ""
        let parts = "\(value.magnitude)".split(separator: ".")
        return sign + parts[0]
            + (places == 0 ? "" : ".\(parts[1])" + String(repeating: "0", count: places - parts[1].count))
    }
}

extension Double {
    /// Returns the number rounded to decimal places, without a sign of zero. Numbers of 1e15 and more have no places.
    func rounded(places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return magnitude < 1e15 ? (self * scale).rounded() / scale + 0 : self
    }

    /// The number with the fewest digits that identify it.
    var shortest: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The number with at most two decimal places.
    var brief: String { rounded(places: 2).shortest }

    var tenths: String { Decimal.text(self, places: 1) }
}

extension String {
    /// Returns the text padded with spaces on the right.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }
}

extension String {
    /// The characters, with a dot for each that some terminal does not print in one column.
    var oneColumnCharacters: [Character] {
        unicodeScalars.map { Self.isOneColumn($0) ? Character($0) : "·" }
    }

    private static func isOneColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
            .lineSeparator, .paragraphSeparator:
            false
        default: scalar.value < 0x1100 || (0x2010..<0x2E80).contains(scalar.value)
        }
    }

    /// The text as content of XML or Pango markup, on one line.
    var escapedForMarkup: String {
        let names: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        return replacingControls().unicodeScalars.map { names[$0] ?? String($0) }.joined()
    }
}
