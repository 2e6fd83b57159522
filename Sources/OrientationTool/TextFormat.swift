// SPDX-License-Identifier: Apache-2.0

import Support

/// What the user's locale can show: text is UTF-8, or ASCII with substitutes.
struct TextEncoding {
    let isUTF8: Bool

    /// That of the environment. As in C, no locale is the locale C.
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

    /// Text for a person.
    func text(_ text: String) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { $0.isASCII ? String($0) : Self.substitutes[$0] ?? "?" }.joined()
    }

    /// JSON, in which only strings can have other characters than ASCII.
    func json(_ text: String) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { scalar in
            scalar.isASCII
                ? String(scalar)
                : String(scalar).utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
        }.joined()
    }
}

/// Numbers for people, without Foundation.
enum Decimal {
    static func text(_ number: Double, places: Int, isSigned: Bool = false) -> String {
        guard !number.isNaN else { return "–" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        // What is larger is no measurement; and it would not fit.
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
    /// With spaces behind it, for a column.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
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
