// SPDX-License-Identifier: Apache-2.0

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
