// SPDX-License-Identifier: Apache-2.0

/// A syntax error in an interface description.
public struct InterfaceSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// The error, for messages.
    public let reason: String

    /// `line:column: reason`, as compilers print it.
    public var description: String { "\(line):\(column): \(reason)" }
}

/// Splits an interface description into tokens, and collects the comments between them.
struct InterfaceScanner {
    /// A word or a symbol, with the comment before it.
    struct Token: Equatable {
        var text: String
        var offset: Int
        var comment: String

        var isEnd: Bool { text.isEmpty }
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The next token.
    private(set) var next = Token(text: "", offset: 0, comment: "")

    init(_ text: String) throws(InterfaceSyntaxError) {
        bytes = Array(text.utf8)
        try advance()
    }

    /// Returns the next token and advances.
    mutating func take() throws(InterfaceSyntaxError) -> Token {
        let token = next
        try advance()
        return token
    }

    /// Advances if the next token is `text`; returns whether it was.
    mutating func take(if text: String) throws(InterfaceSyntaxError) -> Bool {
        guard next.text == text else { return false }
        try advance()
        return true
    }

    func error(_ reason: String, at token: Token) -> InterfaceSyntaxError {
        error(reason, at: token.offset)
    }

    private func error(_ reason: String, at offset: Int) -> InterfaceSyntaxError {
        let before = bytes[..<offset]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        return InterfaceSyntaxError(
            line: before.count { $0 == newline } + 1, column: offset - lineStart + 1, reason: reason)
    }

    private mutating func advance() throws(InterfaceSyntaxError) {
        let comment = skipSpaceAndComments()
        let start = position
        guard start < bytes.count else {
            next = Token(text: "", offset: start, comment: comment)
            return
        }
        if Self.isPartOfWord(bytes[start]), bytes[start] != UInt8(ascii: "-") {
            while position < bytes.count, Self.isPartOfWord(bytes[position]), !startsWith("->") {
                position += 1
            }
        } else if let sign = ["->", "[]", "[string]", "(", ")", ":", ",", "?"].first(where: startsWith) {
            position += sign.utf8.count
        }
        guard position > start else {
            let rest = String(decoding: bytes[start...].prefix(4), as: UTF8.self)
            throw error("unexpected character '\(rest.prefix(1))'", at: start)
        }
        next = Token(
            text: String(decoding: bytes[start..<position], as: UTF8.self), offset: start, comment: comment)
    }

    /// Returns the comment directly before the next token; an empty line separates a comment from what follows.
    private mutating func skipSpaceAndComments() -> String {
        var comment: [String] = []
        var emptyLine = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "\n"):
                if emptyLine { comment = [] }
                emptyLine = true
                position += 1
            case UInt8(ascii: "#"):
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                let text = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
                comment.append(text.hasPrefix(" ") ? String(text.dropFirst()) : text)
                // The newline belongs to the comment: only a further one makes an empty line.
                position = min(end + 1, bytes.count)
                emptyLine = true
            default:
                return comment.joined(separator: "\n")
            }
        }
        return comment.joined(separator: "\n")
    }

    private func startsWith(_ sign: String) -> Bool {
        bytes[position...].starts(with: sign.utf8)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// The syntax of names in an interface description.
enum InterfaceNames {
    /// Whether the name has the form `org.example.some-thing`: at least two parts of letters, digits and inner hyphens;
    /// the first begins with a letter.
    static func isInterface(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let first = name.utf8.first, isLetter(first) else { return false }
        return parts.allSatisfy { part in
            guard let first = part.utf8.first, let last = part.utf8.last else { return false }
            return isAlphanumeric(first) && isAlphanumeric(last)
                && part.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether the name has the form `SomeThing`: a capital letter, then letters and digits.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy(isAlphanumeric)
    }

    /// Whether the name has the form `some_thing`: a letter, then letters, digits and single inner underscores.
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.last != UInt8(ascii: "_") else {
            return false
        }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
            && !name.utf8.indices.dropLast().contains {
                name.utf8[$0] == UInt8(ascii: "_")
                    && name.utf8[name.utf8.index(after: $0)] == UInt8(ascii: "_")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
