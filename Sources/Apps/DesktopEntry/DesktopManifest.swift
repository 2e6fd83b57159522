// SPDX-License-Identifier: Apache-2.0

package import InterfaceRotation

/// The orientations that a desktop file declares, for `AppManifest` and for the session agent, which has no Foundation.
package enum DesktopManifest {
    /// The key; with `-Pad` or `-Phone` it wins on that idiom.
    package static let key = "X-SupportedInterfaceOrientations"

    /// Returns the declared orientations in their order; `none` without a key.
    ///
    /// - Throws: ``OrientationListError``.
    package static func orientations(
        of entry: DesktopEntry, idiom: UserInterfaceIdiom
    ) throws(OrientationListError) -> OrientationManifest {
        for key in [key + (idiom == .pad ? "-Pad" : "-Phone"), key] {
            guard let names = entry.list(key) else { continue }
            return try OrientationManifest(
                named: names, key: key, spelling: OrientationNames.four.map { (name: $0.description, orientation: $0) })
        }
        return .none
    }
}

/// The four orientations that a manifest can name.
package enum OrientationNames {
    package static let four: [InterfaceOrientation] = [.portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight]
}

/// An invalid list of orientations in a manifest.
package enum OrientationListError: Error, Hashable, CustomStringConvertible {
    /// A value is no orientation.
    case unknownName(key: String, value: String, known: [String])
    /// The list is empty.
    case empty(key: String)

    /// The cause and the remedy, without the file.
    package var description: String {
        switch self {
        case .unknownName(let key, let value, let known):
            "\(key): invalid value '\(value)': must be one of \(known.joined(separator: ", "))"
        case .empty(let key):
            "\(key): invalid value: the list is empty; name at least one orientation or remove the key"
        }
    }
}

extension OrientationManifest {
    /// Converts names in the spelling of one type of manifest, in the order of the file.
    ///
    /// - Throws: ``OrientationListError``.
    package init(
        named names: [String], key: String, spelling: [(name: String, orientation: InterfaceOrientation)]
    ) throws(OrientationListError) {
        var orientations: [InterfaceOrientation] = []
        for name in names {
            guard let match = spelling.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw .unknownName(key: key, value: name, known: spelling.map(\.name))
            }
            orientations.append(match.orientation)
        }
        do { self = try OrientationManifest(orientations) } catch { throw .empty(key: key) }
    }
}
