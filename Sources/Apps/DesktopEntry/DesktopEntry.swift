// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The main group of a `.desktop` file, after freedesktop's Desktop Entry Specification.
///
///     let entry = try DesktopEntry(path: "/usr/share/applications/reader.desktop")
///     entry["Exec"]    // "reader %f"
package struct DesktopEntry: Hashable, Sendable {
    /// The maximum size of a file. 1 MiB: desktop files have a few kilobytes; the limit keeps a wrong path from filling the
    /// memory.
    package static let maximumBytes = 1 << 20

    private var values: [[UInt8]: String] = [:]

    /// Returns the value of a key, without the space around it; nil if the main group has no such key. A localized key has
    /// its locale: `Name[de]`.
    package subscript(key: String) -> String? { values[Array(key.utf8)] }

    /// Returns the value of a key as a list, whose parts are separated by semicolons; the last semicolon may be left out.
    /// Nil if the main group has no such key.
    package func list(_ key: String) -> [String]? {
        guard let value = self[key] else { return nil }
        var parts = value.parts(between: ";", keepsEmpty: true).map { String(decoding: $0.utf8.trimmed, as: UTF8.self) }
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts
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
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .malformed(line: nil, reason: "not UTF-8")
        }
        var isMain = false
        var isPresent = false
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, ended) in lines.enumerated() {
            let line = ended.last == UInt8(ascii: "\r") ? ended.dropLast() : ended
            if line.trimmed.isEmpty || line.first == UInt8(ascii: "#") { continue }
            if line.first == UInt8(ascii: "[") {
                guard line.last == UInt8(ascii: "]") else {
                    try handle(.malformed(line: index + 1, reason: "a group header without ']'"))
                    continue
                }
                isMain = line.elementsEqual("[Desktop Entry]".utf8)
                isPresent = isPresent || isMain
                continue
            }
            guard isMain else { continue }
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
                try handle(.malformed(line: index + 1, reason: "neither KEY=VALUE nor a group header"))
                continue
            }
            let key = Array(line[..<equals].trimmed)
            guard values[key] == nil else {
                let name = String(decoding: key, as: UTF8.self)
                try handle(.malformed(line: index + 1, reason: "duplicate key \(name)"))
                continue
            }
            values[key] = String(decoding: line[(equals + 1)...].trimmed, as: UTF8.self)
        }
        guard isPresent else { throw .malformed(line: nil, reason: "the group [Desktop Entry] is missing") }
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
