// SPDX-License-Identifier: Apache-2.0

public import InterfaceRotation

extension OrientationManifest {
    /// Reads the orientations that a freedesktop `.desktop` file declares for an idiom.
    ///
    /// The key is `X-SupportedInterfaceOrientations` in the group `[Desktop Entry]`, its value a list such as
    /// `portrait;landscapeLeft;`, whose last semicolon may be left out. The same key with `-Pad` or `-Phone` wins on
    /// that idiom. Without either key nothing is declared.
    public init(desktopEntry path: String, idiom: UserInterfaceIdiom) throws(ManifestError) {
        let file = try ManifestFile(path: path)
        let entries = try DesktopEntry(file).entries
        let list = "X-SupportedInterfaceOrientations"
        for key in [list + (idiom == .pad ? "-Pad" : "-Phone"), list] {
            guard let value = entries[key] else { continue }
            self = try file.manifest(
                DesktopEntry.list(value), key: key,
                spelling: ManifestFile.four.map { (name: $0.description, orientation: $0) })
            return
        }
        self = .none
    }
}

/// The main group of a `.desktop` file, after freedesktop's Desktop Entry Specification.
private struct DesktopEntry {
    private(set) var entries: [String: String] = [:]

    init(_ file: ManifestFile) throws(ManifestError) {
        guard let text = String(validating: file.data, as: UTF8.self) else {
            throw .malformed(file: file.path, reason: "not UTF-8")
        }
        var group: Substring?
        var isThere = false
        // "\r\n" is one Character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                guard line.hasSuffix("]") else {
                    throw .malformed(file: file.path, reason: "line \(index + 1): a group header without ']'")
                }
                group = line.dropFirst().dropLast()
                isThere = isThere || group == "Desktop Entry"
                continue
            }
            guard group == "Desktop Entry" else { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw .malformed(file: file.path, reason: "line \(index + 1): neither KEY=VALUE nor a group header")
            }
            let key = Self.trimmed(line[..<equals])
            guard entries[key] == nil else {
                throw .malformed(file: file.path, reason: "line \(index + 1): duplicate key \(key)")
            }
            entries[key] = Self.trimmed(line[line.index(after: equals)...])
        }
        guard isThere else { throw .malformed(file: file.path, reason: "the group [Desktop Entry] is missing") }
    }

    /// Splits a list; a trailing semicolon begins no further part.
    static func list(_ value: String) -> [String] {
        var parts = value.split(separator: ";", omittingEmptySubsequences: false)
        if parts.last?.allSatisfy(\.isWhitespace) == true { parts.removeLast() }
        return parts.map(trimmed)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
