// SPDX-License-Identifier: Apache-2.0

internal import Posix

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

        /// Whether Flatpak exports the file: it checks that the ID is the app's own, but not which other apps the file names.
        fileprivate var isExported: Bool {
            path.utf8.dropLast("\(id).desktop".utf8.count).reversed()
                .starts(with: "/exports/share/applications/".utf8.reversed())
        }
    }

    /// The beginning of a file that is searched for keys, in bytes. 128 KiB: the main group comes first, and is that long in
    /// no known file.
    static let searchedBytes = 128 << 10

    private let folders: DesktopFolders
    /// The keys of each file by its path, with the stamp of the file that was read.
    private var keys: [[UInt8]: (stamp: FileStamp, keys: Keys)] = [:]

    private var misses = NegativeLookupCache()

    /// Creates a search in these folders, without reading them.
    package init(_ folders: DesktopFolders) {
        self.folders = folders
    }

    /// Returns the desktop file of the window with one of these names: the app ID, the class and the instance of `WM_CLASS`.
    ///
    /// In this order, as desktops do: the name is the ID of a file; the value of `StartupWMClass`; the same in another case;
    /// the last part of a reverse-DNS name, such as `nautilus` of `org.gnome.Nautilus`, if only one file has it. A file that
    /// Flatpak exports is found by its ID only, in any case.
    package mutating func find(appIDs names: [String]) -> File? {
        for name in names {
            if let file = folders.file(named: name), !read(file).isHidden { return file }
        }
        if misses.contains(names) { return nil }
        let listing = folders.list()
        let files = visibleFiles(listing)
        let rules: [(File, Keys, String) -> Bool] = [
            { $0.id.hasBytes(of: $2) },
            { ($1.startupClass?.hasBytes(of: $2) ?? false) && !$0.isExported },
            { $0.id.lowercased().hasBytes(of: $2.lowercased()) },
            { ($1.startupClass?.lowercased().hasBytes(of: $2.lowercased()) ?? false) && !$0.isExported },
        ]
        for rule in rules {
            for name in names {
                if let match = files.first(where: { rule($0.file, $0.keys, name) }) { return match.file }
            }
        }
        for name in names {
            let last = Self.lastPart(name)
            let matches = files.filter {
                !$0.file.isExported
                    && (Self.lastPart($0.file.id).hasBytes(of: name.lowercased())
                        || $0.file.id.lowercased().hasBytes(of: last))
            }
            if matches.count == 1 { return matches[0].file }
        }
        if keys.count == listing.files.count { misses.insert(names, in: listing) }
        return nil
    }

    /// Returns the desktop file whose `Exec` names a program; of several the one with the program's name as its ID or the
    /// last part of it. Nil if there is none, or if the choice is not clear.
    package mutating func find(program: String) -> File? {
        let name = Self.baseName(program)
        guard !name.isEmpty else { return nil }
        let matches = visibleFiles(folders.list()).filter { $0.keys.program?.hasBytes(of: name) ?? false }
        if matches.count == 1 { return matches[0].file }
        return matches.first { $0.file.id.hasBytes(of: name) }?.file
            ?? matches.first { Self.lastPart($0.file.id).hasBytes(of: name.lowercased()) }?.file
    }

    /// Reads all files; removes the keys of files that no longer exist.
    private mutating func visibleFiles(_ listing: DesktopFolders.Listing) -> [(file: File, keys: Keys)] {
        let paths = Set(listing.files.map { Array($0.path.utf8) })
        keys = keys.filter { paths.contains($0.key) }
        return listing.files.map { ($0, read($0)) }.filter { !$0.1.isHidden }
    }

    private mutating func read(_ file: File) -> Keys {
        let path = Array(file.path.utf8)
        if let known = keys[path], known.stamp == file.stamp { return known.keys }
        // A file that cannot be opened or read is not kept: the next search tries it again.
        guard let bytes = try? DesktopEntry.contents(of: file.path, limit: Self.searchedBytes) else { return Keys([]) }
        let found = Keys(bytes)
        keys[path] = (file.stamp, found)
        return found
    }

    /// The part after the last dot, in lower case.
    private static func lastPart(_ id: String) -> String {
        (id.parts(between: ".").last ?? id).lowercased()
    }

    /// The part after the last slash.
    fileprivate static func baseName(_ path: String) -> String {
        path.parts(between: "/").last ?? ""
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
                if let value = Self.value(of: "Hidden", in: line) { isHidden = value.elementsEqual("true".utf8) }
                if let value = Self.value(of: "StartupWMClass", in: line), !value.isEmpty {
                    startupClass = String(decoding: value, as: UTF8.self)
                }
                if let value = Self.value(of: "Exec", in: line) { program = Self.program(value) }
            }
        }
    }

    private static func value(of key: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: key.utf8) else { return nil }
        let rest = line.dropFirst(key.utf8.count).trimmed
        return rest.first == UInt8(ascii: "=") ? rest.dropFirst().trimmed : nil
    }

    /// The base name of the first word, after `env` and assignments of variables. The word may be in double quotes, with a
    /// backslash before special characters.
    private static func program(_ exec: ArraySlice<UInt8>) -> String? {
        for word in words(exec) where !isAssignment(word) {
            let name = DesktopFiles.baseName(String(decoding: word, as: UTF8.self))
            if !name.hasBytes(of: "env") { return name.isEmpty ? nil : name }
        }
        return nil
    }

    private static func isAssignment(_ word: [UInt8]) -> Bool {
        word.firstIndex(of: UInt8(ascii: "=")).map { !word[..<$0].contains(UInt8(ascii: "/")) } ?? false
    }

    private static func words(_ exec: ArraySlice<UInt8>) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8] = [], isQuoted = false, isEscaped = false, isOpen = false
        for byte in exec {
            if isEscaped {
                word.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
                isOpen = true
            } else if byte == UInt8(ascii: " "), !isQuoted {
                if isOpen { words.append(word) }
                (word, isOpen) = ([], false)
            } else {
                word.append(byte)
                isOpen = true
            }
        }
        return isOpen ? words + [word] : words
    }
}
