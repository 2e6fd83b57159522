// SPDX-License-Identifier: Apache-2.0

/// Finds the desktop file of an app. Files are read when they are needed first, and again when they have changed, which each
/// search checks; nothing is watched. An app without a file is searched for again when a folder has changed.
///
///     var files = DesktopFiles(DesktopFolders(environment: environment))
///     files.find(appIDs: ["org.gnome.Totem"])?.path    // "/usr/share/applications/org.gnome.Totem.desktop"
package struct DesktopFiles: Sendable {
    /// A desktop file.
    package struct File: Hashable, Sendable {
        /// The ID: the name without `.desktop`; in a subfolder with the path, and hyphens instead of slashes.
        package let id: String
        package let path: String
        let stamp: FileStamp
    }

    /// The beginning of a file that is searched for keys, in bytes. 128 KiB: the main group comes first, and is that long in
    /// no known file.
    static let searchedBytes = 128 << 10

    private let folders: DesktopFolders
    /// The keys of each file by its path, with the stamp of the file that was read.
    private var keys: [String: (stamp: FileStamp, keys: Keys)] = [:]

    private var misses = NegativeLookupCache()

    /// Creates a search in these folders, without reading them.
    package init(_ folders: DesktopFolders) {
        self.folders = folders
    }

    /// Returns the desktop file of the window with one of these names: the app ID, the class and the instance of `WM_CLASS`.
    ///
    /// In this order, as desktops do: the name is the ID of a file; the value of `StartupWMClass`; the same in another case;
    /// the last part of a reverse-DNS name, such as `nautilus` of `org.gnome.Nautilus`, if only one file has it.
    package mutating func find(appIDs names: [String]) -> File? {
        for name in names {
            if let file = folders.file(named: name), !read(file).isHidden { return file }
        }
        if misses.contains(names) { return nil }
        let listing = folders.list()
        let files = visibleFiles(listing)
        let rules: [(File, Keys, String) -> Bool] = [
            { $0.id == $2 },
            { $1.startupClass == $2 },
            { $0.id.lowercased() == $2.lowercased() },
            { $1.startupClass?.lowercased() == $2.lowercased() },
        ]
        for rule in rules {
            for name in names {
                if let match = files.first(where: { rule($0.file, $0.keys, name) }) { return match.file }
            }
        }
        for name in names {
            let last = Self.lastPart(name)
            let matches = files.filter {
                Self.lastPart($0.file.id) == name.lowercased() || $0.file.id.lowercased() == last
            }
            if matches.count == 1 { return matches[0].file }
        }
        misses.insert(names, in: listing)
        return nil
    }

    /// Returns the desktop file whose `Exec` names a program; of several the one with the program's name as its ID or the
    /// last part of it. Nil if there is none, or if the choice is not clear.
    package mutating func find(program: String) -> File? {
        let name = Self.baseName(program)
        guard !name.isEmpty else { return nil }
        let matches = visibleFiles(folders.list()).filter { $0.keys.program == name }
        if matches.count == 1 { return matches[0].file }
        return matches.first { $0.file.id == name }?.file
            ?? matches.first { Self.lastPart($0.file.id) == name.lowercased() }?.file
    }

    /// Reads all files; removes the keys of files that no longer exist.
    private mutating func visibleFiles(_ listing: DesktopFolders.Listing) -> [(file: File, keys: Keys)] {
        let paths = Set(listing.files.map(\.path))
        keys = keys.filter { paths.contains($0.key) }
        return listing.files.map { ($0, read($0)) }.filter { !$0.1.isHidden }
    }

    private mutating func read(_ file: File) -> Keys {
        if let known = keys[file.path], known.stamp == file.stamp { return known.keys }
        let bytes = (try? DesktopEntry.contents(of: file.path, limit: Self.searchedBytes)) ?? []
        let found = Keys(bytes)
        keys[file.path] = (file.stamp, found)
        return found
    }

    /// The part after the last dot, in lower case.
    private static func lastPart(_ id: String) -> String {
        (id.split(separator: ".").last.map { String($0) } ?? id).lowercased()
    }

    /// The part after the last slash.
    fileprivate static func baseName(_ path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? ""
    }
}

/// The keys by which a desktop file is found. Searched in the bytes: a search reads hundreds of files, most of whose lines
/// are translations.
struct Keys: Hashable, Sendable {
    /// Whether the file is to be treated as if it did not exist.
    private(set) var isHidden = false
    private(set) var startupClass: String?
    /// The base name of the program in `Exec`.
    private(set) var program: String?

    init(_ bytes: [UInt8]) {
        var isMain = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "[") {
                if isMain { return }
                isMain = line.starts(with: "[Desktop Entry]".utf8)
            } else if isMain {
                if let value = Self.value(of: "Hidden", in: line) { isHidden = value == "true" }
                if let value = Self.value(of: "StartupWMClass", in: line), !value.isEmpty { startupClass = value }
                if let value = Self.value(of: "Exec", in: line) { program = Self.program(value) }
            }
        }
    }

    private static func value(of key: String, in line: ArraySlice<UInt8>) -> String? {
        guard line.starts(with: key.utf8) else { return nil }
        let rest = String(decoding: line.dropFirst(key.utf8.count), as: UTF8.self).drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop(while: \.isWhitespace)
        return String(value.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The base name of the first word, after `env` and assignments of variables. The word may be in double quotes, with a
    /// backslash before special characters.
    private static func program(_ exec: String) -> String? {
        for word in words(exec) where word != "env" && !word.hasSuffix("/env") && !isAssignment(word) {
            let name = DesktopFiles.baseName(word)
            return name.isEmpty ? nil : name
        }
        return nil
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "=") else { return false }
        return !word[..<equals].contains("/")
    }

    private static func words(_ exec: String) -> [String] {
        var words: [String] = []
        var word = "", isQuoted = false, isEscaped = false, isOpen = false
        for character in exec {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                isOpen = true
            } else if character == " ", !isQuoted {
                if isOpen { words.append(word) }
                (word, isOpen) = ("", false)
            } else {
                word.append(character)
                isOpen = true
            }
        }
        return isOpen ? words + [word] : words
    }
}
