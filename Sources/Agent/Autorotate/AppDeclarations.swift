// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import Displays
internal import OrientationModel
internal import OrientationRules
internal import Posix
internal import Systemd

/// The desktop file of a window, and the orientations that it declares.
struct AppDeclaration: Hashable, Sendable {
    /// The ID: the name of the file without `.desktop`.
    var id: String
    /// The declared orientations in their order; nil if the file declares none.
    var orientations: OrientationList?
    /// Why the file or its list cannot be used.
    var failure: String?

    /// The name of the file.
    var fileName: String { id + ".desktop" }
}

/// The desktop files of the session: what the app of a window declares. Read when a window comes to the front or changes.
struct AppDeclarations: Sendable {
    /// The number of invalid lines that are reported. 64: each is reported once.
    static let maximumReports = 64

    private var files: DesktopFiles
    private var reported: Set<String> = []

    /// The environment names the folders.
    init(environment: [String: String]) {
        files = DesktopFiles(DesktopFolders(environment: environment))
    }

    /// Reads what a window's desktop file declares; reports each invalid line once.
    mutating func find(_ window: FrontWindow) -> [AutorotatePolicy.Event] {
        guard let file = files.find(appIDs: [window.appID, window.instance].compactMap(\.self)) else {
            return [.app(nil, window: window)]
        }
        var events: [AutorotatePolicy.Event] = []
        var declaration = AppDeclaration(id: file.id)
        read(file.path, into: &declaration) { events.append(.invalidDesktopFile($0)) }
        return events + [.app(declaration, window: window)]
    }

    private mutating func read(_ path: String, into declaration: inout AppDeclaration, report: (String) -> Void) {
        var problems: [String] = []
        do {
            let entry = try DesktopEntry(path: path, ignoringInvalidLines: { problems.append("\($0); ignored") })
            // A session has no idiom of its own: it is a pad, as an app by default.
            declaration.orientations = try DeclaredOrientations.orientations(of: entry, idiom: .pad)
        } catch {
            declaration.failure = "\(error)"
            problems.append("\(error); ignored")
        }
        for problem in problems where reported.count < Self.maximumReports {
            let text = "\(path): \(problem)".replacingControls()
            if reported.insert(text).inserted { report(text) }
        }
    }
}

/// Finds the declarations of windows on another thread: a folder may be on a file system that does not reply. After a timeout
/// the window is reported without an app, and again when the folder replies.
final class AppLookup {
    typealias Finder = @Sendable (inout AppDeclarations, FrontWindow) -> [AutorotatePolicy.Event]

    /// The timeout of a lookup, in seconds; until then the restriction of the former app remains.
    private static let timeout = 2.0

    private let loop: EventLoop
    private let finder: Finder
    private let report: (AutorotatePolicy.Event) -> Void
    private var declarations: AppDeclarations
    private var call: BackgroundCall<(AppDeclarations, [AutorotatePolicy.Event])>?
    /// Exists until the call times out.
    private var timer: EventSource?
    /// The newest window while the call for an earlier one runs; the policy ignores that call's result.
    private var next: FrontWindow?

    init(
        _ declarations: AppDeclarations, on loop: EventLoop, finder: @escaping Finder = { $0.find($1) },
        report: @escaping (AutorotatePolicy.Event) -> Void
    ) {
        (self.declarations, self.loop, self.finder, self.report) = (declarations, loop, finder, report)
    }

    /// Reports what follows from the desktop file of a window.
    func find(_ window: FrontWindow) {
        guard call == nil else {
            next = window
            if timer == nil { report(.app(nil, window: window)) }
            return
        }
        let work = { @Sendable [declarations, finder] in
            var declarations = declarations
            let events = finder(&declarations, window)
            return (declarations, events)
        }
        do throws(SystemError) {
            timer = try loop.timer { [unowned self] in
                timer = nil
                report(.app(nil, window: next ?? window))
            }
            call = try BackgroundCall(on: loop, work) { [unowned self] in finish($0) }
            timer?.fire(after: Self.timeout)
        } catch {
            finish(work())
        }
    }

    private func finish(_ found: (AppDeclarations, [AutorotatePolicy.Event])) {
        declarations = found.0
        found.1.forEach(report)
        (call, timer) = (nil, nil)
        if let window = next {
            next = nil
            find(window)
        }
    }
}
