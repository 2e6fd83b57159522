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
        let word = text.utf8.trimmed
        guard word.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0) }),
            let number = Double(Substring(word)), number.isFinite
        else { return nil }
        self = number
    }
}
