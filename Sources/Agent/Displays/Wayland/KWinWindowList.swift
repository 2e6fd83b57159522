// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// KWin's windows: plasma-window-management, which KWin offers only to programs whose desktop file asks for it.
///
/// The app ID is the name of a desktop file; that of an Xwayland window without one is its class.
final class KWinWindowList: WindowList {
    private let connection: WaylandConnection
    private let layout: () -> [Output]
    private unowned let reporter: FrontWindowReporter
    private var management: WaylandObject?
    private var windows = ListedWindows()

    static let interface = "org_kde_plasma_window_management"
    /// The first version that identifies windows by UUID, and the last one without an event for each moved window.
    private static let versions: ClosedRange<UInt32> = 13...17

    private enum Management {
        static let getWindowByUUID = 2
        static let showDesktopChanged = 0, windowWithUUID = 4
    }
    private enum Event {
        static let appID = 1, state = 2, unmapped = 5, initialState = 6, parent = 7, geometry = 8
        static let desktopLeft = 12, resourceName = 16
    }
    private enum State {
        static let active: UInt32 = 0x1, minimized: UInt32 = 0x2, maximized: UInt32 = 0x4, fullscreen: UInt32 = 0x8
    }
    private static let destroy = 7

    /// Binds the protocol; nil without it. `layout` returns the outputs.
    init?(_ connection: WaylandConnection, _ layout: @escaping () -> [Output], _ reporter: FrontWindowReporter) {
        self.connection = connection
        self.layout = layout
        self.reporter = reporter
        guard let global = connection.global(Self.interface), global.version >= Self.versions.lowerBound
        else { return nil }
        management = connection.bind(
            global, cwayland_plasma_window_management(), atMost: Self.versions.upperBound
        ) { [unowned self] opcode, arguments in
            switch opcode {
            case Management.windowWithUUID: add(arguments.text(1))
            case Management.showDesktopChanged: self.reporter.windowsHidden()
            default: break
            }
        }
    }

    private func add(_ uuid: String) {
        guard uuid.utf8.count <= WaylandLimit.text, let window = windows.add() else { return }
        connection.enqueue { [weak self] in self?.getWindow(window, uuid) }
    }

    private func getWindow(_ window: ListedWindow, _ uuid: String) {
        window.object = uuid.withCString { uuid in
            management?.create(cwayland_plasma_window(), Management.getWindowByUUID, .new, .text(uuid)) {
                [unowned self, unowned window] opcode, arguments in
                receive(opcode, arguments, of: window)
            }
        }
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments, of window: ListedWindow) {
        switch opcode {
        case Event.appID: window.properties.appID = FrontWindow.name(arguments.text(0))
        case Event.resourceName: window.properties.instance = FrontWindow.name(arguments.text(0))
        case Event.state:
            let flags = arguments.unsigned(0)
            window.properties.isFocused = flags & State.active != 0
            window.properties.isMinimized = flags & State.minimized != 0
            window.properties.state =
                flags & State.fullscreen != 0 ? .fullscreen : flags & State.maximized != 0 ? .maximized : .normal
        case Event.parent: window.properties.parent = windows.id(of: arguments.proxy(0))
        case Event.geometry:
            window.frame = LayoutRectangle(
                x: arguments.int(0), y: arguments.int(1), width: Int(arguments.unsigned(2)),
                height: Int(arguments.unsigned(3)))
        case Event.initialState: window.isComplete = true
        case Event.desktopLeft: return reporter.windowsHidden()
        case Event.unmapped:
            window.object?.destroy(Self.destroy)
            windows.remove(window)
            return reporter.remove(window.id)
        default: return
        }
        report(window)
    }

    private func report(_ window: ListedWindow) {
        guard window.isComplete else { return }
        window.properties.outputs = window.frame.map { Layout.outputs(showing: $0, in: layout()) } ?? []
        reporter.update(window.id, window.properties)
    }

    func layoutChanged() {
        for window in windows.all { report(window) }
    }
}
