// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceRotation

/// The bytes of a manifest, and how a list of names in it becomes a declaration.
struct ManifestFile {
    /// Real ones have a few kilobytes; a path to something else should not fill the memory.
    static let maximumBytes = 1 << 20

    let path: String
    let data: Data

    init(path: String) throws(ManifestError) {
        self.path = path
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: Self.maximumBytes + 1) ?? Data()
        } catch {
            throw .unreadable(file: path, reason: Self.reason(of: error as NSError))
        }
        guard data.count <= Self.maximumBytes else { throw .tooLarge(file: path, bytes: data.count) }
    }

    /// Names, as one kind of manifest spells them, in the order of the file.
    func manifest(
        _ names: [String], key: String, spelling: [(name: String, orientation: InterfaceOrientation)]
    ) throws(ManifestError) -> OrientationManifest {
        var orientations: [InterfaceOrientation] = []
        for name in names {
            guard let match = spelling.first(where: { $0.name == name }) else {
                throw .unknownName(file: path, key: key, value: name, known: spelling.map(\.name))
            }
            orientations.append(match.orientation)
        }
        do { return try OrientationManifest(orientations) } catch {
            throw .emptyList(file: path, key: key)
        }
    }

    /// What the system says. Foundation's own words are vaguer, down to the number of an error for a folder.
    private static func reason(of error: NSError) -> String {
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain else {
            return error.localizedDescription
        }
        return String(cString: strerror(Int32(cause.code)))
    }

    static let four: [InterfaceOrientation] = [.portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight]
}
