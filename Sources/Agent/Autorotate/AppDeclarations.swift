// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import Displays
internal import InterfaceRotation
internal import OrientationModel
internal import Posix

/// The desktop files of the session: what the app of a window declares. Read when a window comes to the front or changes.
struct AppDeclarations {
    /// The number of invalid lines that are reported. 64: each is reported once.
    static let maximumReports = 64

    private var files: DesktopFiles
    private var reported: Set<String> = []
    private let report: (String) -> Void

    /// - Parameters:
    ///   - environment: names the folders.
    ///   - report: receives a message for each invalid line, once.
    init(environment: [String: String], report: @escaping (String) -> Void) {
        files = DesktopFiles(DesktopFolders(environment: environment))
        self.report = report
    }

    /// Returns the declaration of a window's desktop file; nil if it has none.
    mutating func find(_ window: FrontWindow) -> AppDeclaration? {
        guard let file = files.find(appIDs: [window.appID, window.instance].compactMap(\.self)) else { return nil }
        return AppDeclaration(id: file.id, orientations: read(file.path))
    }

    private mutating func read(_ path: String) -> OrientationList? {
        var problems: [String] = []
        var orientations: OrientationList?
        do {
            let entry = try DesktopEntry(path: path, ignoringInvalidLines: { problems.append("\($0); ignored") })
            // A session has no idiom of its own: it is a pad, as an app by default.
            orientations = try DesktopManifest.orientations(of: entry, idiom: .pad, reading: .session)
        } catch {
            problems.append("\(error); ignored")
        }
        for problem in problems where reported.count < Self.maximumReports {
            let text = "\(path): \(problem)".replacingControls()
            if reported.insert(text).inserted { report(text) }
        }
        return orientations
    }
}
