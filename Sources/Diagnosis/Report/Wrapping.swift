// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Its words in lines of at most so many characters, where they have room; a longer word has a line of its own.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension String {
    /// What other programs say ends as they like; here a sentence's end is added by whoever prints it.
    var withoutFullStop: String {
        var text = self
        while text.last == "." { text.removeLast() }
        return text
    }
}
