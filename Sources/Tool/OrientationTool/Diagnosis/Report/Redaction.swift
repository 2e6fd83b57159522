// SPDX-License-Identifier: Apache-2.0

/// Redacts text that identifies a machine or its users: names, serial numbers, addresses.
///
/// Known names are redacted wherever they are whole words, and anything with the form of an identifier or an address,
/// since a log can contain unknown ones.
struct Redaction {
    /// The redacted words and their replacements, longest first, so that none is part of an earlier one.
    private let words: [(text: [UInt8], mark: String)]

    /// A machine's private words.
    struct Words: Hashable {
        var hosts: Set<String> = []
        var users: Set<String> = []
        var homes: Set<String> = []
        /// Serial numbers, asset tags and identifiers, of the machine and of devices.
        var serials: Set<String> = []
    }

    init(_ words: Words) {
        let named = [(words.homes, "home"), (words.serials, "serial"), (words.hosts, "host"), (words.users, "user")]
        self.words = named.flatMap { texts, mark in
            texts.filter { !Self.isPublic($0) }.map { (Array($0.utf8), "[\(mark)]") }
        }.sorted { $0.text.count > $1.text.count }
    }

    func callAsFunction(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var bytes = Array(line.utf8).hidingFolders
            for word in words { bytes = bytes.replacing(word.text, with: word.mark) }
            return String(decoding: bytes.hidingTokens, as: UTF8.self)
        }.joined(separator: "\n")
    }

    /// Names that many machines share, and firmware placeholders for serial numbers: they identify nothing.
    private static let publicWords: Set = [
        "root", "nobody", "orientationd", "user", "pi", "localhost", "debian", "ubuntu", "fedora", "archlinux", "linux",
        "raspberrypi", "/", "/root", "/nonexistent", "default string", "to be filled by o.e.m.", "not specified",
        "none", "n/a", "system serial number",
    ]

    private static func isPublic(_ text: String) -> Bool {
        text.allSatisfy { $0.isWhitespace || $0 == "0" } || publicWords.contains(text.lowercased())
    }
}

/// Whether a byte belongs to a word: names inside longer words are kept. An underscore separates words, as in `jane_backup`.
private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || byte >= 0x80
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

private func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
}

extension [UInt8] {
    /// Replaces the parts that begin where `part` returns their length.
    private func replacing(with mark: String, _ part: (_ place: Int) -> Int?) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < count {
            if let length = part(place) {
                result += mark.utf8
                place += length
            } else {
                result.append(self[place])
                place += 1
            }
        }
        return result
    }

    /// Returns the text with each occurrence that is a whole word replaced, ignoring case.
    fileprivate func replacing(_ word: [UInt8], with mark: String) -> [UInt8] {
        guard let first = word.first, let last = word.last else { return self }
        return replacing(with: mark) { place in
            let end = place + word.count
            let isWhole =
                end <= count
                && (place == 0 || !isWordByte(first) || !isWordByte(self[place - 1]))
                && (end == count || !isWordByte(last) || !isWordByte(self[end]))
            guard isWhole, zip(self[place..<end], word).allSatisfy({ $0.isSameLetter(as: $1) }) else { return nil }
            return word.count
        }
    }

    /// Bytes that end a directory name after `/home/`.
    private static let endsOfFolder = Array("/ \t\"'`:,;?&()[]<>".utf8)

    /// The text with directories after `/home/` redacted, known or not.
    fileprivate var hidingFolders: [UInt8] {
        let prefix = Array("/home/".utf8)
        return replacing(with: "[home]") { place in
            guard self[place...].starts(with: prefix) else { return nil }
            return prefix.count + self[(place + prefix.count)...].prefix { !Self.endsOfFolder.contains($0) }.count
        }
    }

    /// The text with identifiers, hardware and network addresses redacted by their form.
    fileprivate var hidingTokens: [UInt8] {
        var result: [UInt8] = []
        var rest = self[...]
        while !rest.isEmpty {
            let token = rest.prefix { isHexadecimal($0) || Self.separators.contains($0) }
            // Skip other words as a whole: their beginning or end could look like a token.
            let word = rest.dropFirst(token.count).prefix(while: isWordByte)
            let length = Swift.max(token.count + word.count, 1)
            let mark = word.isEmpty ? Array(token).markOfToken : nil
            result += mark ?? Array(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return result
    }

    /// The bytes between the parts of identifiers and addresses, and between these and words.
    private static let separators = Array("-:._".utf8)

    /// The replacement for a token with a private form; nil for others.
    private var markOfToken: [UInt8]? {
        // A word may precede, as in `eth0:`, and a full stop follow. An IPv6 address may begin with two colons.
        let starts = starts(with: "::".utf8) ? 0 : prefix { Self.separators.contains($0) }.count
        let ends = dropFirst(starts).reversed().prefix { Self.separators.contains($0) }.count
        let body = Array(dropFirst(starts).dropLast(ends))
        func marked(_ mark: String, _ port: ArraySlice<UInt8> = []) -> [UInt8] {
            var result = Array(self[..<starts])
            result += mark.utf8
            result += port
            result += self[(count - ends)...]
            return result
        }
        // An IPv4 address may have a port.
        if let colon = body.firstIndex(of: 0x3A), Array(body[..<colon]).isNetworkAddress {
            return marked("[address]", body[colon...])
        }
        // A range of them.
        let parts = body.split(separator: 0x2D).map { Array($0) }
        if parts.count == 2, parts.allSatisfy(\.isNetworkAddress) {
            return marked("[address]-[address]")
        }
        func lengths(_ separator: UInt8) -> [Int] {
            body.split(separator: separator, omittingEmptySubsequences: false).map(\.count)
        }
        let mark: String? =
            if lengths(0x2D) == [8, 4, 4, 4, 12] || body.count == 32 && body.allSatisfy(isHexadecimal) {
                "[id]"
            } else if Self.separators.contains(where: { lengths($0) == [2, 2, 2, 2, 2, 2] }) || body.isNetworkAddress {
                "[address]"
            } else {
                nil
            }
        return mark.map { marked($0) }
    }

    private var isNetworkAddress: Bool {
        let dotted = split(separator: 0x2E, omittingEmptySubsequences: false)
        if dotted.count == 4, dotted.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(isDigit) }) {
            return dotted != [[0x31, 0x32, 0x37], [0x30], [0x30], [0x31]].map { $0[...] }
        }
        let groups = split(separator: 0x3A, omittingEmptySubsequences: false)
        // IPv6: eight groups, or a run of them omitted. A time of day has three groups of two digits.
        return groups.count >= 3 && groups.allSatisfy { $0.count <= 4 && $0.allSatisfy(isHexadecimal) }
            && (groups.count == 8 || groups.dropFirst().dropLast().contains { $0.isEmpty }) && contains { $0 != 0x3A }
    }
}

extension UInt8 {
    fileprivate func isSameLetter(as other: UInt8) -> Bool {
        self == other || isLetter(self) && isLetter(other) && self | 0x20 == other | 0x20
    }
}
