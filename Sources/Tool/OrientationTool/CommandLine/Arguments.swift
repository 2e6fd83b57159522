// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Posix

/// The range of numbers that an option or argument accepts.
struct NumberRange {
    private let range: ClosedRange<Double>
    private let isWhole: Bool

    init(_ range: ClosedRange<Double>, isWhole: Bool = false) {
        self.range = range
        self.isWhole = isWhole
    }

    @Sendable func parse(_ text: String) throws -> Double {
        guard let number = Double(decimal: text), range.contains(number), !isWhole || number == number.rounded() else {
            throw ValidationError("must be \(isWhole ? "a whole number" : "a number") \(description)")
        }
        return number
    }

    @Sendable func parseWhole(_ text: String) throws -> Int { Int(try parse(text)) }

    /// Parses a number of values that were collected with `.allUnrecognized`, so that negative numbers are not parsed as
    /// options; `name` names them in errors.
    func parse(_ texts: [String], of name: String, count: Int) throws -> [Double] {
        let numbers = try texts.map { text in
            do {
                return try parse(text)
            } catch let error as ValidationError {
                let isOption = text.hasPrefix("-") && Double(text) == nil
                throw ValidationError(
                    isOption ? "unknown option '\(text)'" : "\(name): invalid value '\(text)': \(error.message)")
            }
        }
        guard numbers.count == count else {
            if numbers.isEmpty { throw ValidationError("missing expected argument '<\(name)>'") }
            throw ValidationError("\(name): invalid number of values \(numbers.count): must be \(count)")
        }
        return numbers
    }

    /// For example `from 0 to 3600`.
    var description: String { "from \(range.words)" }
}

extension ClosedRange<Double> {
    /// For example `0 to 3600`.
    var words: String { "\(lowerBound.shortest) to \(upperBound.shortest)" }
}

/// The words that an option or argument accepts, with their values; case is ignored.
struct WordList<Value: Sendable> {
    typealias Entry = (word: String, value: Value)
    let words: [String]
    private let entries: [Entry]

    /// Creates a list; `others` are accepted, but not listed.
    init(_ listed: [Entry], others: [Entry] = []) {
        words = listed.map(\.word)
        entries = listed + others
    }

    init(_ values: [Value], _ word: (Value) -> String) { self.init(values.map { (word($0), $0) }) }

    /// The sentence that lists the words, for the help of an argument.
    var help: String { "Valid: \(words.joined(separator: ", "))." }

    /// Returns the value of a word.
    ///
    /// - Throws: `ValidationError` with the closest word and all valid words.
    @Sendable func parse(_ text: String) throws -> Value {
        let lowercased = text.lowercased()
        guard let entry = entries.first(where: { $0.word.lowercased() == lowercased }) else {
            throw ValidationError(hint(text))
        }
        return entry.value
    }

    /// Returns the end of an error message: the closest word, if any, and all valid words.
    func hint(_ text: String) -> String {
        if let word = closest(to: text) { return "did you mean '\(word)'? valid: \(words.joined(separator: ", "))" }
        return words.count == 2 ? "must be \(words[0]) or \(words[1])" : "valid: \(words.joined(separator: ", "))"
    }

    /// Returns the only word with this prefix, else the word with the smallest edit distance; nil if none is close.
    func closest(to text: String) -> String? {
        let text = text.lowercased()
        guard !text.isEmpty else { return nil }
        let beginnings = words.filter { $0.lowercased().hasPrefix(text) }
        if beginnings.count == 1 { return beginnings[0] }
        let distances = words.map { (word: $0, distance: Self.distance(text, $0.lowercased())) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(3, best.word.count / 3)) ? best.word : nil
    }

    /// Returns the edit distance: insertions, deletions, substitutions and transpositions (optimal string alignment).
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

extension WordList<String> {
    init(_ words: [String]) { self.init(words) { $0 } }
}

extension WordList<String> {
    /// The words of a list of orientations.
    static let orientations = Self(OrientationWord.allCases.map(\.rawValue))
}

extension WordList<Pose> {
    static var all: Self { Self(Pose.allCases, \.rawValue) }
}

/// The value of `--classifier`.
struct ClassifierChoice {
    /// The text on the command line.
    let name: String
    let settings: ClassifierSettings

    static let standard = ClassifierChoice(name: "standard", settings: .standard)

    private static let presets = WordList(ClassifierSettings.presets.map(\.name))

    static func parse(_ text: String) throws -> ClassifierChoice {
        do {
            return ClassifierChoice(name: text, settings: try ClassifierSettings(text))
        } catch {
            // Not a pattern of `catch`, which crashes Swift 6.2 here.
            guard case .unknownPreset(let name) = error else { throw error }
            throw ValidationError(presets.hint(name))
        }
    }

    static let completion = CompletionKind.list(presets.words)

    static let help = ArgumentHelp(
        "Classifier to use (default: standard)",
        discussion: """
            Valid: standard, calm (vehicles), quick (games). Settings may follow: calm,dwell=0.4.
            """,
        valueName: "name")
}
