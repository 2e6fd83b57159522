// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Breaks the text at white space, line ends included, into lines of at most `width` characters; a longer word gets a
    /// line of its own.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension [String] {
    /// The first `limit` words separated by commas, and the number of the others.
    package func listed(atMost limit: Int) -> String {
        prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
    }
}
