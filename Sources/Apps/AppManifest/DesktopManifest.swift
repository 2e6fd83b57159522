// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import OrientationModel
public import OrientationRules

extension OrientationManifest {
    /// Reads the orientations that a freedesktop `.desktop` file declares for an idiom.
    ///
    /// The key is `X-SupportedInterfaceOrientations` in the group `[Desktop Entry]`, its value a list such as
    /// `portrait;landscapeLeft;`, whose last semicolon may be left out. The same key with `-Pad` or `-Phone` wins on
    /// that idiom. Without either key nothing is declared.
    ///
    /// The words are W3C's, as for `orientation-autorotate`: `portrait` and `landscape` are two orientations each, `any`
    /// is all; `portrait-primary`, `portrait-secondary`, `landscape-primary`, `landscape-secondary` and `natural`, which
    /// is portrait, are one each. UIKit's names are valid as well; beside one of them, `portrait` is the upright one.
    public init(desktopEntry path: String, idiom: UserInterfaceIdiom) throws(ManifestError) {
        let entry: DesktopEntry
        do throws(DesktopEntryError) {
            entry = try DesktopEntry(path: path)
        } catch {
            throw ManifestError(error, file: path)
        }
        let list: OrientationList?
        do throws(OrientationListError) {
            list = try DeclaredOrientations.orientations(of: entry, idiom: idiom)
        } catch {
            throw ManifestError(error, file: path)
        }
        // A list that was read is not empty.
        self = list.flatMap { try? OrientationManifest($0.interfaces(natural: .portrait)) } ?? .none
    }
}

extension ManifestError {
    fileprivate init(_ error: DesktopEntryError, file: String) {
        self =
            switch error {
            case .unreadable(let reason): .unreadable(file: file, reason: reason)
            case .tooLarge(let bytes): .tooLarge(file: file, bytes: bytes)
            case .malformed: .malformed(file: file, reason: error.description)
            }
    }
}
