// SPDX-License-Identifier: Apache-2.0

import Posix
import Varlink

/// The encoding of the user's locale: UTF-8, or ASCII with substitutes.
struct TextEncoding {
    let isUTF8: Bool

    /// The encoding of the environment's locale; C by default.
    static let current: TextEncoding = {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").lowercased()
        return TextEncoding(isUTF8: name.contains("utf-8") || name.contains("utf8"))
    }()

    private static let substitutes: [Unicode.Scalar: String] = [
        "°": " deg", "²": "^2", "µ": "u", "−": "-", "–": "-", "—": "-", "…": "...", "·": ".", "×": "x", "→": "->",
        "≥": ">=",
        "≤": "<=", "’": "'", "‘": "'", "“": "\"", "”": "\"",
    ]

    /// Encodes text.
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
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        // Larger values are not measurements, and would overflow Int.
        let limit = 1e9
        let scaled = Int((min(max(number, -limit), limit) * Double(scale)).rounded())
        let sign = scaled < 0 ? "−" : isSigned && scaled > 0 ? "+" : ""
        let whole = "\(sign)\(scaled.magnitude / UInt(scale))"
        guard places > 0 else { return whole }
        let rest = String(scaled.magnitude % UInt(scale))
        return whole + "." + String(repeating: "0", count: places - rest.count) + rest
    }
}

extension String {
    /// Returns the text padded with spaces on the right.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }
}

/// Makes untrusted text safe to print: no control sequences, one column per character.
enum Printable {
    /// Returns the characters, with a dot for each that is not one column wide.
    static func characters(_ text: String) -> [Character] {
        text.unicodeScalars.map { isOneColumn($0) ? Character($0) : "·" }
    }

    /// Returns one line, with control characters and line endings replaced.
    static func line(_ text: String) -> String {
        text.replacingControls()
    }

    /// Whether every terminal prints the scalar in one column.
    private static func isOneColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
            .lineSeparator, .paragraphSeparator:
            false
        default: scalar.value < 0x1100 || (0x2010..<0x2E80).contains(scalar.value)
        }
    }
}
