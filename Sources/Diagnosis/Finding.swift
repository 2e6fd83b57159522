// SPDX-License-Identifier: Apache-2.0

/// One thing that was looked at, and what came of it.
package struct Finding: Hashable, Sendable {
    /// How much somebody has to care.
    package enum Level: String, Sendable {
        /// As it should be.
        case ok
        /// Nothing is broken, but it can be why things are not as somebody expects.
        case note
        /// Something is wrong.
        case problem
    }

    /// The name of the check that found it.
    package fileprivate(set) var check = ""
    package var level: Level
    /// What was seen, in one sentence without a full stop.
    package var seen: String
    /// What that means for somebody who only wants the screen to turn; nil where `seen` says it.
    package var meaning: String?
    /// The command that mends it; nil where no command does.
    package var mend: String?

    static func ok(_ seen: String, _ meaning: String? = nil) -> Finding {
        Finding(level: .ok, seen: seen, meaning: meaning)
    }

    static func note(_ seen: String, _ meaning: String, mend: String? = nil) -> Finding {
        Finding(level: .note, seen: seen, meaning: meaning, mend: mend)
    }

    static func problem(_ seen: String, _ meaning: String, mend: String? = nil) -> Finding {
        Finding(level: .problem, seen: seen, meaning: meaning, mend: mend)
    }
}

/// One row of the examination: it looks at the facts from one side.
package struct Check: Sendable {
    package let name: String
    private let examine: @Sendable (MachineFacts) -> [Finding]

    init(_ name: String, _ examine: @escaping @Sendable (MachineFacts) -> [Finding]) {
        self.name = name
        self.examine = examine
    }

    package func findings(_ facts: MachineFacts) -> [Finding] {
        examine(facts).map { finding in
            var finding = finding
            finding.check = name
            return finding
        }
    }
}
