// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationModel

/// The numbers that an option or argument accepts.
struct NumberRange: Sendable {
    private let range: ClosedRange<Double>
    private let isWhole: Bool

    init(_ range: ClosedRange<Double>, isWhole: Bool = false) {
        self.range = range
        self.isWhole = isWhole
    }

    @Sendable func parse(_ text: String) throws -> Double {
        guard let number = Double(text), range.contains(number), !isWhole || number == number.rounded() else {
            throw ValidationError("must be \(isWhole ? "a whole number" : "a number") \(description)")
        }
        return number
    }

    @Sendable func parseWhole(_ text: String) throws -> Int { Int(try parse(text)) }

    /// For example `from 0 to 3600`.
    var description: String { "from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))" }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    /// Seconds until a call without a reply fails.
    static let timeout = NumberRange(0.1...3_600)
    /// Seconds for which a command runs.
    static let runTime = NumberRange(0.001...1_000_000)
    /// Seconds that a simulated movement or failure takes, as the daemon accepts them.
    static let simulatedTime = NumberRange(0...3_600)
    /// A component of a simulated reading in m/s², as the daemon accepts it.
    static let simulatedReading = NumberRange(-1_000...1_000)
    /// Samples in a second: the daemon asks no sensor for more.
    static let rate = NumberRange(0.1...200)
    /// Seconds to wait before something is done.
    static let pause = NumberRange(0...1_000_000)
    static let count = NumberRange(1...1_000_000_000, isWhole: true)
}

/// The words that an option or argument accepts, in upper or lower case.
struct WordList {
    let words: [String]

    init(_ words: [String]) { self.words = words }

    /// The word as it is in the list.
    ///
    /// - Throws: `ValidationError` with the closest word and all words.
    @Sendable func parse(_ text: String) throws -> String {
        let lowercased = text.lowercased()
        guard let word = words.first(where: { $0.lowercased() == lowercased }) else {
            throw ValidationError(hint(text))
        }
        return word
    }

    /// The rest of a message about a word that is not in the list.
    func hint(_ text: String) -> String {
        (closest(to: text).map { "did you mean '\($0)'? " } ?? "") + "valid: \(words.joined(separator: ", "))"
    }

    /// The word that was probably meant: the only one that begins like this, or one that differs in few letters.
    func closest(to text: String) -> String? {
        let text = text.lowercased()
        guard !text.isEmpty else { return nil }
        let beginnings = words.filter { $0.lowercased().hasPrefix(text) }
        if beginnings.count == 1 { return beginnings[0] }
        let distances = words.map { (word: $0, distance: Self.distance(text, $0.lowercased())) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(3, best.word.count / 3)) ? best.word : nil
    }

    /// Letters to insert, remove, replace or exchange with their neighbour (optimal string alignment).
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, candidate) in other.enumerated() {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == candidate ? 0 : 1))
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == candidate {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}

extension WordList {
    static let edges = WordList(Edge.allCases.map(\.description))
    static let poses = WordList(Pose.allCases.map(\.rawValue))
}

extension Edge {
    /// Reads an edge's name in upper or lower case.
    @Sendable static func parse(_ text: String) throws -> Edge {
        guard let edge = Edge(try WordList.edges.parse(text)) else { throw ValidationError("no such edge") }
        return edge
    }
}

extension Pose {
    /// Reads a pose's name in upper or lower case.
    @Sendable static func parse(_ text: String) throws -> Pose {
        guard let pose = Pose(rawValue: try WordList.poses.parse(text)) else { throw ValidationError("no such pose") }
        return pose
    }
}

/// The value of `--classifier`.
struct ClassifierChoice {
    /// As it was asked for.
    let name: String
    let settings: ClassifierSettings

    static let standard = ClassifierChoice(name: "standard", settings: .standard)

    private static let presets = WordList(ClassifierSettings.presets.map(\.name))

    static func parse(_ text: String) throws -> ClassifierChoice {
        do {
            return ClassifierChoice(name: text, settings: try ClassifierSettings(text))
        } catch ClassifierSettingsError.unknownPreset(let name) {
            throw ValidationError(presets.hint(name))
        }
    }

    static let completion = CompletionKind.list(presets.words)

    static let help = ArgumentHelp(
        "Use this classifier; standard without it.",
        discussion: """
            One of standard, calm (vehicles, walking) and quick (games). Changed settings may follow: calm,dwell=0.4.
            """,
        valueName: "name")
}
