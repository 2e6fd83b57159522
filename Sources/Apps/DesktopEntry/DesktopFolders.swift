// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// The folders with the desktop files of installed apps, first match first: the user's, then the system's
/// (XDG Base Directory and Desktop Menu Specification), then the folders to which Flatpak and Snap export.
package struct DesktopFolders: Hashable, Sendable {
    /// The number of folders that are read, with subfolders. 512: sessions have less than ten, and Wine adds some for each
    /// program.
    static let maximumFolders = 512
    /// The number of entries that are read, in all folders. 8192: a desktop with everything installed has 1000.
    static let maximumEntries = 8192
    /// The nesting of subfolders.
    static let maximumDepth = 4

    package let paths: [String]

    /// Lists the folders of the session that the environment describes; it has no empty variables. As the specification says,
    /// relative paths are ignored.
    package init(environment: [String: String]) {
        let home =
            environment["XDG_DATA_HOME"].flatMap { Self.isAbsolute($0) ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.local/share" }
        let system = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        let exports = [
            home.map { $0 + "/flatpak/exports/share" }, "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop",
        ]
        let roots = [home] + system.parts(between: ":") + exports
        var paths: [String] = []
        for case let root? in roots where Self.isAbsolute(root) && paths.count < Self.maximumFolders {
            let path = (root.utf8.last == UInt8(ascii: "/") ? root : root + "/") + "applications"
            if !paths.contains(where: { $0.hasBytes(of: path) }) { paths.append(path) }
        }
        self.paths = paths
    }

    private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    /// Returns the file of this ID in the first folder that has one, without a list of the folders; nil if there is none
    /// outside subfolders.
    func file(named id: String) -> DesktopFiles.File? {
        guard !id.isEmpty, id.utf8.first != UInt8(ascii: "."), !id.utf8.contains(UInt8(ascii: "/")),
            !id.utf8.contains(0)
        else { return nil }
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
        /// The folders with their subfolders.
        fileprivate(set) var folders: [Folder] = []
        fileprivate var known: Set<[UInt8]> = []
        fileprivate var entries = 0

        struct Folder: Equatable {
            let path: String
            /// Nil if it does not exist.
            let stamp: FileStamp?
        }
    }

    /// Reads all folders.
    func list() -> Listing {
        var listing = Listing()
        for folder in paths {
            // A folder has the IDs of its first path in each tree: links to it cost nothing, and a loop of links ends.
            var visited: Set<FileStamp.Identity> = []
            list(folder, prefix: "", depth: 0, &visited, into: &listing)
        }
        return listing
    }

    private func list(
        _ folder: String, prefix: String, depth: Int, _ visited: inout Set<FileStamp.Identity>,
        into listing: inout Listing
    ) {
        guard depth < Self.maximumDepth, listing.folders.count < Self.maximumFolders else { return }
        // Before the names: a file that is added meanwhile changes the stamp.
        let stamp = FileStamp(folder)
        if let stamp, !visited.insert(stamp.identity).inserted { return }
        // Without a stamp a folder that exists counts as changed: opening or reading it may succeed next time.
        let names = try? Folder.names(in: folder, atMost: Self.maximumEntries - listing.entries)
        listing.folders.append(.init(path: folder, stamp: names == nil ? nil : stamp))
        listing.entries += names?.count ?? 0
        for name in names ?? [] {
            let path = "\(folder)/\(name)"
            guard let stamp = FileStamp(path) else { continue }
            if stamp.isFolder {
                // The ID of a file in a subfolder has a hyphen in the place of each slash.
                list(path, prefix: "\(prefix)\(name)-", depth: depth + 1, &visited, into: &listing)
            } else if name.utf8.reversed().starts(with: ".desktop".utf8.reversed()) {
                let id = prefix + String(decoding: name.utf8.dropLast(".desktop".utf8.count), as: UTF8.self)
                if listing.known.insert(Array(id.utf8)).inserted {
                    listing.files.append(.init(id: id, path: path, stamp: stamp))
                }
            }
        }
    }
}

/// What changes when a file is written or replaced.
struct FileStamp: Hashable, Sendable {
    let isFolder: Bool
    let identity: Identity
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// What distinguishes files, whatever their paths.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// Whether the change was before a time, in seconds of the real-time clock.
    func isOlder(than time: Int) -> Bool { seconds < time }

    /// Reads the stamp of a regular file or a folder; nil for other files, and if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return nil }
        isFolder = kind == S_IFDIR
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int64(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }
}
