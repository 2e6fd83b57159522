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

    /// Returns the value of a word; nil for an unknown one.
    subscript(text: String) -> Value? {
        let lowercased = text.lowercased()
        return entries.first { $0.word.lowercased() == lowercased }?.value
    }

    /// Returns the value of a word.
    ///
    /// - Throws: `ValidationError` with all valid words.
    @Sendable func parse(_ text: String) throws -> Value {
        guard let value = self[text] else { throw ValidationError(hint) }
        return value
    }

    /// The end of an error message: all valid words.
    var hint: String {
        words.count == 2 ? "must be \(words[0]) or \(words[1])" : "valid: \(words.joined(separator: ", "))"
    }
}

extension WordList<String> {
    init(_ words: [String]) { self.init(words) { $0 } }

    static let orientations = Self(OrientationWord.allCases.map(\.rawValue))
}

struct ClassifierChoice {
    /// The text on the command line.
    let name: String
    let settings: ClassifierSettings

    static let standard = ClassifierChoice(name: "standard", settings: .standard)

    static func parse(_ text: String) throws -> ClassifierChoice {
        ClassifierChoice(name: text, settings: try ClassifierSettings(text))
    }

    static let completion = CompletionKind.list(ClassifierSettings.presets.map(\.name))

    static let help = ArgumentHelp(
        "Classifier to use (default: standard)",
        discussion: """
            Valid: standard, calm (vehicles), quick (games). Settings may follow: calm,dwell=0.4.
            """,
        valueName: "name")
}
