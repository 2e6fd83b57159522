// SPDX-License-Identifier: Apache-2.0

extension Examination {
    /// The findings for a person: problems and notes in their order, with `all` also what is as it should be; then a
    /// line that sums up.
    package func text(all: Bool, width: Int) -> String {
        let shown = findings.filter { all || $0.level != .ok }
        return (shown.map { $0.text(width: width) } + [summary(all: all)]).joined(separator: "\n\n") + "\n"
    }

    private func summary(all: Bool) -> String {
        let problems = count(.problem)
        let notes = count(.note)
        let begin =
            switch problems {
            case 0: "No problem was found"
            case 1: "1 problem"
            default: "\(problems) problems"
            }
        let order = count(.ok)
        let rest = "\(notes) \(notes == 1 ? "note" : "notes"), \(order) \(order == 1 ? "thing" : "things") in order"
        return "\(begin), \(rest)\(all || order == 0 ? "." : " (--all shows them).")"
    }
}

extension Finding {
    /// Room for the word that says how much it matters.
    private static let margin = 9

    fileprivate func text(width: Int) -> String {
        let margin = String(repeating: " ", count: Self.margin)
        let room = max(width - Self.margin, 20)
        var lines = (seen.capitalizedFirst.withoutFullStop + ".").wrapped(to: room)
        // The detail of something that is in order is for those who ask.
        if let meaning { lines += (meaning.withoutFullStop + ".").wrapped(to: room) }
        // A command is to be copied: it stays in one piece.
        if let mend { lines.append("> " + mend) }
        let label = level.rawValue + String(repeating: " ", count: Self.margin - level.rawValue.count)
        return lines.enumerated().map { index, line in (index == 0 ? label : margin) + line }.joined(separator: "\n")
    }
}

extension String {
    /// A sentence begins with a capital letter, unless its first word is a name: of a device, a file or a unit.
    fileprivate var capitalizedFirst: String {
        let word = prefix { $0 != " " }
        guard word.allSatisfy({ $0.isLetter }), word != "udev", word != "systemd", let first else { return self }
        return first.uppercased() + dropFirst()
    }
}
