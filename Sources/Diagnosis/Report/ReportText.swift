// SPDX-License-Identifier: Apache-2.0

/// A report for whoever maintains the project: readable by people, and nothing in it that tells whose machine it is.
package struct ReportText: Sendable {
    /// A part of it.
    package struct Section: Sendable {
        package var title: String
        package var lines: [String]

        package init(_ title: String, _ lines: [String]) {
            self.title = title
            self.lines = lines
        }
    }

    /// How many lines a section may have; the last ones count.
    package static let longestSection = 2_000

    private var text: String
    private let redaction: Redaction

    package init(redaction: Redaction) {
        self.redaction = redaction
        text = """
            # A report on how this machine's orientation is found, by `orientationctl doctor --report`.
            # Names of users and of the machine, home folders, serial numbers and addresses were taken out; please look
            # through it before you hand it on.

            """
    }

    package mutating func add(_ section: Section) {
        let lines = section.lines.suffix(Self.longestSection)
        let body = lines.isEmpty ? ["none"] : lines.map { redaction($0) }
        text += "\n== \(section.title) ==\n" + body.joined(separator: "\n") + "\n"
    }

    /// Adds a recording last, as it is: it has only numbers and names of chips, and can be cut out and replayed.
    package mutating func add(recording: String) {
        text += "\n== Recording (from the next line to the end: a file for replay:FILE) ==\n" + recording
    }

    /// The whole of it.
    package var description: String { text }
}
