// SPDX-License-Identifier: Apache-2.0

/// The names that no desktop file has, until a folder changes: a search for them reads all folders.
struct NegativeLookupCache: Sendable {
    /// The number of names that are kept. 64: more than the apps of a session.
    static let maximumNames = 64
    /// The seconds after a change of a folder during which a further change may leave the same time. 2: the resolution of FAT.
    static let timeResolution = 2

    private var names: Set<[[UInt8]]> = []
    private var folders: [DesktopFolders.Listing.Folder] = []

    /// Returns whether a search for these names found nothing, and no folder has changed since.
    mutating func contains(_ wanted: [String]) -> Bool {
        guard names.contains(Self.bytes(wanted)) else { return false }
        if folders.allSatisfy({ FileStamp($0.path) == $0.stamp }) { return true }
        names = []
        return false
    }

    /// Records a search without a result, unless a folder changed shortly before it.
    mutating func insert(_ wanted: [String], in listing: DesktopFolders.Listing) {
        if folders != listing.folders || names.count >= Self.maximumNames { names = [] }
        folders = listing.folders
        let newest = listing.start - Self.timeResolution
        guard folders.allSatisfy({ $0.stamp?.isOlder(than: newest) ?? true }) else { return }
        names.insert(Self.bytes(wanted))
    }

    private static func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }
}
