// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import OrientationRules

/// The orientations that a desktop file declares, for `AppManifest` and for the session agent, which has no Foundation.
package enum DeclaredOrientations {
    /// The key; with `-Pad` or `-Phone` it wins on that idiom.
    package static let key = "X-SupportedInterfaceOrientations"

    /// Returns the declared orientations; nil without a key.
    package static func orientations(
        of entry: DesktopEntry, idiom: UserInterfaceIdiom
    ) throws(OrientationListError) -> OrientationList? {
        for key in [key + (idiom == .pad ? "-Pad" : "-Phone"), key] {
            guard let names = entry.list(key) else { continue }
            guard !names.isEmpty else { throw .empty(key: key) }
            do throws(OrientationList.UnknownWord) { return try OrientationList(names) } catch {
                throw .unknownName(key: key, value: error.word, known: OrientationWord.allCases.map(\.rawValue))
            }
        }
        return nil
    }
}

extension OrientationList {
    /// Returns the allowed interface orientations in their order, without duplicates.
    package func interfaces(natural: Edge) -> [InterfaceOrientation] {
        edges(natural: natural).map { InterfaceOrientation($0) }
    }
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
