// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// wlr-foreign-toplevel-management: sway, labwc, phoc, niri, Hyprland, river, wayfire.
///
/// The app ID of an Xwayland window is its class.
final class WlrWindowList {
    private let connection: WaylandConnection
    private let outputs: OutputNames
    private unowned let reporter: FrontWindowReporter
    private var manager: WaylandObject?

    static let interface = "zwlr_foreign_toplevel_manager_v1"
    /// The highest known version.
    private static let version: UInt32 = 3

    private enum Manager {
        static let toplevel = 0, finished = 1
    }
    private enum Event {
        static let appID = 1, outputEnter = 2, outputLeave = 3, state = 4, done = 5, closed = 6, parent = 7
    }
    private static let destroy = 7

    /// Binds the protocol; nil without it.
    init?(_ connection: WaylandConnection, _ outputs: OutputNames, _ reporter: FrontWindowReporter) {
        self.connection = connection
        self.outputs = outputs
        self.reporter = reporter
        guard let global = connection.global(Self.interface) else { return nil }
        manager = connection.bind(global, cwayland_wlr_toplevel_manager(), atMost: Self.version) {
            [unowned self] opcode, arguments in
            switch opcode {
            case Manager.toplevel: if let proxy = arguments.proxy(0) { add(proxy) }
            case Manager.finished: self.reporter.end()
            default: break
            }
        }
    }

    private func add(_ proxy: OpaquePointer) {
        guard let window = reporter.add() else { return connection.adopt(proxy).destroy(Self.destroy) }
        window.object = connection.adopt(proxy) { [unowned self, unowned window] opcode, arguments in
            receive(opcode, arguments, of: window)
        }
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments, of window: ListedWindow) {
        switch opcode {
        case Event.appID: window.properties.appID = FrontWindow.name(arguments.text(0))
        case Event.outputEnter: window.properties.enter(outputs[arguments.proxy(0)])
        case Event.outputLeave: window.properties.leave(outputs[arguments.proxy(0)])
        case Event.state: window.properties.setStates(arguments.words(0))
        case Event.parent: window.properties.parent = reporter.id(of: arguments.proxy(0))
        case Event.done: reporter.update(window)
        case Event.closed:
            window.object?.destroy(Self.destroy)
            reporter.remove(window)
        default: break
        }
    }
}
