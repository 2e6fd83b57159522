// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// COSMIC's windows: ext-foreign-toplevel-list has the app IDs, cosmic-toplevel-info the states.
final class CosmicWindowList {
    private let connection: WaylandConnection
    private let outputs: OutputNames
    private unowned let reporter: FrontWindowReporter
    private var list: WaylandObject?
    private var info: WaylandObject?

    static let interface = "zcosmic_toplevel_info_v1"
    /// The version that extends the list, which has the app IDs.
    private static let version: UInt32 = 2

    private enum List {
        static let toplevel = 0, finished = 1
    }
    private enum Info {
        static let getCosmicToplevel = 1
    }
    private enum Event {
        static let closed = 0, appID = 3
    }
    private enum CosmicEvent {
        static let outputEnter = 4, outputLeave = 5, state = 8
    }
    private static let destroy = 0

    /// Binds the protocols; nil without both.
    init?(_ connection: WaylandConnection, _ outputs: OutputNames, _ reporter: FrontWindowReporter) {
        self.connection = connection
        self.outputs = outputs
        self.reporter = reporter
        guard let listed = connection.global("ext_foreign_toplevel_list_v1"),
            let extended = connection.global(Self.interface), extended.version >= Self.version
        else { return nil }
        info = connection.bind(extended, cwayland_cosmic_toplevel_info(), atMost: Self.version)
        list = connection.bind(listed, cwayland_toplevel_list(), atMost: 1) { [unowned self] opcode, arguments in
            switch opcode {
            case List.toplevel: if let proxy = arguments.proxy(0) { add(proxy) }
            case List.finished: self.reporter.end()
            default: break
            }
        }
    }

    private func add(_ proxy: OpaquePointer) {
        guard let window = reporter.add() else { return connection.adopt(proxy).destroy(Self.destroy) }
        let object = connection.adopt(proxy) { [unowned self, unowned window] opcode, arguments in
            receive(opcode, arguments, of: window)
        }
        window.object = object
        connection.enqueue { [weak self] in self?.getState(of: window, object) }
    }

    private func getState(of window: ListedWindow, _ object: WaylandObject) {
        guard !object.isDestroyed else { return }
        window.details = info?.create(
            cwayland_cosmic_toplevel(), Info.getCosmicToplevel, .new, .object(object)
        ) { [unowned self, unowned window] opcode, arguments in
            receiveState(opcode, arguments, of: window)
        }
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments, of window: ListedWindow) {
        switch opcode {
        case Event.appID:
            window.properties.appID = FrontWindow.name(arguments.text(0))
            reporter.update(window)
        case Event.closed:
            window.details?.destroy(Self.destroy)
            window.object?.destroy(Self.destroy)
            reporter.remove(window)
        default: break
        }
    }

    /// COSMIC sends `done` after all windows: until then, the reporter waits.
    private func receiveState(_ opcode: Int, _ arguments: WaylandArguments, of window: ListedWindow) {
        switch opcode {
        case CosmicEvent.outputEnter: window.properties.enter(outputs[arguments.proxy(0)])
        case CosmicEvent.outputLeave: window.properties.leave(outputs[arguments.proxy(0)])
        case CosmicEvent.state: window.properties.setStates(arguments.words(0))
        default: return
        }
        reporter.update(window)
    }
}
