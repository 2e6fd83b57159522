// SPDX-License-Identifier: Apache-2.0

/// Why a text is no interface description, and where.
public struct InterfaceSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1 on.
    public let line: Int
    /// The column in bytes, from 1 on.
    public let column: Int
    /// What is wrong, for a person.
    public let reason: String

    /// One line for a person, in the form that editors jump to.
    public var description: String { "\(line):\(column): \(reason)" }
}

/// Cuts an interface description into words and signs, and collects the comments between them.
struct InterfaceScanner {
    /// A word or a sign, and what stood before it.
    struct Token: Equatable {
        var text: String
        var offset: Int
        var comment: String

        var isEnd: Bool { text.isEmpty }
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The next word or sign.
    private(set) var next = Token(text: "", offset: 0, comment: "")

    init(_ text: String) throws(InterfaceSyntaxError) {
        bytes = Array(text.utf8)
        try advance()
    }

    /// Gives the next word or sign and goes on to the one after it.
    mutating func take() throws(InterfaceSyntaxError) -> Token {
        let token = next
        try advance()
        return token
    }

    /// Goes on if this is next.
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
            throw error("'\(rest.prefix(1))' does not belong here", at: start)
        }
        next = Token(
            text: String(decoding: bytes[start..<position], as: UTF8.self), offset: start, comment: comment)
    }

    /// The comment right before the next word; an empty line detaches a comment from what follows.
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
                // The newline belongs to the comment: what makes an empty line comes after it.
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
