// SPDX-License-Identifier: Apache-2.0

/// The main group of a `.desktop` file, after freedesktop's Desktop Entry Specification.
///
///     let entry = try DesktopEntry(path: "/usr/share/applications/reader.desktop")
///     entry["Exec"]    // "reader %f"
package struct DesktopEntry: Hashable, Sendable {
    /// The maximum size of a file. 1 MiB: desktop files have a few kilobytes; the limit keeps a wrong path from filling the
    /// memory.
    package static let maximumBytes = 1 << 20

    private var values: [String: String] = [:]

    /// Returns the value of a key, without the space around it; nil if the main group has no such key. A localized key has
    /// its locale: `Name[de]`.
    package subscript(key: String) -> String? { values[key] }

    /// Returns the value of a key as a list, whose parts are separated by semicolons; the last semicolon may be left out.
    /// Nil if the main group has no such key.
    package func list(_ key: String) -> [String]? {
        guard let value = values[key] else { return nil }
        var parts = value.split(separator: ";", omittingEmptySubsequences: false)
        if parts.last?.allSatisfy(\.isWhitespace) == true { parts.removeLast() }
        return parts.map(Self.trimmed)
    }

    /// Parses the bytes of a file.
    ///
    /// - Throws: ``DesktopEntryError/tooLarge(bytes:)`` or ``DesktopEntryError/malformed(line:reason:)``.
    package init(bytes: [UInt8]) throws(DesktopEntryError) {
        try self.init(bytes: bytes) { (error) throws(DesktopEntryError) in throw error }
    }

    /// Parses the bytes of a file; `handle` receives each invalid line, which is ignored unless it throws.
    ///
    /// - Throws: ``DesktopEntryError``.
    package init(
        bytes: [UInt8], invalidLine handle: (DesktopEntryError) throws(DesktopEntryError) -> Void
    ) throws(DesktopEntryError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(bytes: bytes.count) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformed(line: nil, reason: "not UTF-8")
        }
        try self.init(text: text, invalidLine: handle)
    }

    private init(
        text: String, invalidLine handle: (DesktopEntryError) throws(DesktopEntryError) -> Void
    ) throws(DesktopEntryError) {
        var group: Substring?
        var isPresent = false
        // "\r\n" is one Character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                guard line.hasSuffix("]") else {
                    try handle(.malformed(line: index + 1, reason: "a group header without ']'"))
                    continue
                }
                group = line.dropFirst().dropLast()
                isPresent = isPresent || group == "Desktop Entry"
                continue
            }
            guard group == "Desktop Entry" else { continue }
            guard let equals = line.firstIndex(of: "=") else {
                try handle(.malformed(line: index + 1, reason: "neither KEY=VALUE nor a group header"))
                continue
            }
            let key = Self.trimmed(line[..<equals])
            guard values[key] == nil else {
                try handle(.malformed(line: index + 1, reason: "duplicate key \(key)"))
                continue
            }
            values[key] = Self.trimmed(line[line.index(after: equals)...])
        }
        guard isPresent else { throw .malformed(line: nil, reason: "the group [Desktop Entry] is missing") }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// A `.desktop` file that cannot be read.
package enum DesktopEntryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read; the text of `errno`.
    case unreadable(reason: String)
    /// The file is larger than ``DesktopEntry/maximumBytes``.
    case tooLarge(bytes: Int)
    /// The file is not a desktop entry; the line is counted from 1.
    case malformed(line: Int?, reason: String)

    /// The error without the path, for messages.
    package var description: String {
        switch self {
        case .unreadable(let reason): "cannot open: \(reason)"
        case .tooLarge: "invalid value: more than \(DesktopEntry.maximumBytes) bytes"
        case .malformed(let line, let reason): (line.map { "line \($0): " } ?? "") + reason
        }
    }
}
