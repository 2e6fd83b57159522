// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Support

/// The folders with the desktop files of installed apps, first match first: those of the user, then those of the system
/// (XDG Base Directory and Desktop Menu Specification), then the folders to which Flatpak and Snap export.
package struct DesktopFolders: Hashable, Sendable {
    /// The number of folders that are read. 64: sessions have less than ten.
    static let maximumFolders = 64
    /// The number of files that are read, in all folders. 8192: a desktop with everything installed has 1000.
    static let maximumFiles = 8192
    /// The nesting of subfolders; also ends a loop of symbolic links.
    static let maximumDepth = 4

    package let paths: [String]

    /// Lists the folders of the session that the environment describes. As the specification says, relative paths are
    /// ignored.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home =
            value("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? value("HOME").map { $0 + "/.local/share" }
        let system = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        let exports = [
            home.map { $0 + "/flatpak/exports/share" }, "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop",
        ]
        let roots = [home] + system.split(separator: ":").map { String($0) } + exports
        var paths: [String] = []
        for case let root? in roots where root.hasPrefix("/") && paths.count < Self.maximumFolders {
            let path = (root.hasSuffix("/") ? root : root + "/") + "applications"
            if !paths.contains(path) { paths.append(path) }
        }
        self.paths = paths
    }

    /// Returns the file of this ID in the first folder that has one, without a list of the folders; nil if there is none
    /// outside subfolders.
    func file(named id: String) -> DesktopFiles.File? {
        guard !id.isEmpty, !id.hasPrefix("."), !id.utf8.contains(UInt8(ascii: "/")), !id.utf8.contains(0) else {
            return nil
        }
        for folder in paths {
            let path = "\(folder)/\(id).desktop"
            if let stamp = FileStamp(path), !stamp.isFolder { return .init(id: id, path: path, stamp: stamp) }
        }
        return nil
    }

    /// What a search has read.
    struct Listing {
        /// The time of its start, in seconds of the real-time clock.
        let start = time(nil)
        /// All desktop files, those in the first folders first, each folder in the order of names. Of several with one ID
        /// only the first counts.
        fileprivate(set) var files: [DesktopFiles.File] = []
        /// The folders with their subfolders; nil for those that do not exist.
        fileprivate(set) var folders: [String: FileStamp?] = [:]
        fileprivate var known: Set<String> = []
    }

    /// Reads all folders.
    func list() -> Listing {
        var listing = Listing()
        for folder in paths { list(folder, prefix: "", depth: 0, into: &listing) }
        return listing
    }

    private func list(_ folder: String, prefix: String, depth: Int, into listing: inout Listing) {
        guard depth < Self.maximumDepth else { return }
        // Before the names: a file that is added meanwhile changes the stamp.
        listing.folders.updateValue(FileStamp(folder), forKey: folder)
        let names = (try? Folder.names(in: folder, atMost: Self.maximumFiles)) ?? []
        for name in names where listing.files.count < Self.maximumFiles {
            let path = "\(folder)/\(name)"
            guard let stamp = FileStamp(path) else { continue }
            if stamp.isFolder {
                // The ID of a file in a subfolder has a hyphen in the place of each slash.
                list(path, prefix: "\(prefix)\(name)-", depth: depth + 1, into: &listing)
            } else if name.hasSuffix(".desktop") {
                let id = prefix + name.dropLast(".desktop".count)
                if listing.known.insert(id).inserted {
                    listing.files.append(.init(id: id, path: path, stamp: stamp))
                }
            }
        }
    }
}

/// What changes when a file is written or replaced.
struct FileStamp: Hashable, Sendable {
    let isFolder: Bool
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Whether the change was before a time, in seconds of the real-time clock.
    func isOlder(than time: Int) -> Bool { seconds < time }

    /// Reads the stamp of a regular file or a folder; nil for other files, and if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return nil }
        isFolder = kind == S_IFDIR
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }
}
