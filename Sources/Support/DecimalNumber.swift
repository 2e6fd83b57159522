// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// Parses one finite decimal number, which white space may surround; nil for anything else, including the hexadecimal
    /// numbers that Swift accepts.
    package init?(decimal text: String) {
        // Nearly every reading is an integer, which is the fastest to parse.
        if let integer = Int(text) {
            self.init(integer)
            return
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, words[0].allSatisfy({ $0.isNumber || "+-.eE".contains($0) }),
            let number = Double(words[0]), number.isFinite
        else { return nil }
        self = number
    }
}
