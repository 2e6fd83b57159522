// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether a terminal or a log viewer may obey the character or reorder the text around it: the controls C0 and C1, line
    /// separators, bidirectional controls and other format characters that are not visible.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}

extension String {
    /// The text with each control character replaced; with `keepsLines`, line feeds and tabs stay.
    package func replacingControls(with replacement: Unicode.Scalar = "·", keepsLines: Bool = false) -> String {
        let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || keepsLines && ($0 == 0x0A || $0 == 0x09) }
        if isPlain { return self }
        let scalars = unicodeScalars.map { scalar in
            scalar.isControl && !(keepsLines && (scalar == "\n" || scalar == "\t")) ? replacement : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
