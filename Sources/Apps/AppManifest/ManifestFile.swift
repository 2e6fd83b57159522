// SPDX-License-Identifier: Apache-2.0

import DesktopEntry
import Foundation
import OrientationRules
import Posix

/// The bytes of a property list.
struct ManifestFile {
    /// Manifests have a few kilobytes; the limit keeps a wrong path from filling the memory.
    static let maximumBytes = 1 << 20

    let path: String
    let data: Data

    init(path: String) throws(ManifestError) {
        self.path = path
        do throws(Errno) { data = Data(try SmallFile.contents(path, atMost: Self.maximumBytes + 1)) } catch {
            throw .unreadable(file: path, reason: "\(error)")
        }
        guard data.count <= Self.maximumBytes else { throw .tooLarge(file: path, bytes: data.count) }
    }
}

extension OrientationManifest {
    /// Converts names in the spelling of one type of manifest, in the order of the file.
    static func named(
        _ names: [String], file: String, key: String, spelling: [(name: String, orientation: InterfaceOrientation)]
    ) throws(ManifestError) -> OrientationManifest {
        let orientations = try names.map { (name) throws(ManifestError) in
            if let match = spelling.first(where: { $0.name.hasBytes(of: name) }) { return match.orientation }
            throw .unknownName(file: file, key: key, value: name, known: spelling.map(\.name))
        }
        do { return try OrientationManifest(orientations) } catch { throw .emptyList(file: file, key: key) }
    }
}

extension ManifestError {
    init(_ error: OrientationListError, file: String) {
        self =
            switch error {
            case .unknownName(let key, let value, let known):
                .unknownName(file: file, key: key, value: value, known: known)
            case .empty(let key): .emptyList(file: file, key: key)
            }
    }
}

/// A manifest that cannot be read. Every case names the file, and the key and the value where there is one.
public enum ManifestError: Error, Hashable, CustomStringConvertible {
    /// The file cannot be opened.
    case unreadable(file: String, reason: String)
    /// The file is larger than the limit.
    case tooLarge(file: String, bytes: Int)
    /// The file is not of its type.
    case malformed(file: String, reason: String)
    /// A value has the wrong type.
    case wrongType(file: String, key: String, value: String, expected: String)
    /// A value is no orientation.
    case unknownName(file: String, key: String, value: String, known: [String])
    /// A list is empty.
    case emptyList(file: String, key: String)

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file): cannot open: \(reason); pass a readable Info.plist or .desktop file"
        case .tooLarge(let file, _):
            "\(file): invalid value: more than \(ManifestFile.maximumBytes) bytes; pass the app's own manifest"
        case .malformed(let file, let reason):
            "\(file): invalid manifest: \(reason); correct it, or pass the app's Info.plist or .desktop file"
        case .wrongType(let file, let key, let value, let expected):
            "\(file): \(key): invalid value: \(value); write \(expected)"
        case .unknownName(let file, let key, let value, let known):
            "\(file): \(key): invalid value '\(value)': must be one of \(known.joined(separator: ", "))"
        case .emptyList(let file, let key):
            "\(file): \(key): invalid value: the list is empty; name at least one orientation or remove the key"
        }
    }
}
