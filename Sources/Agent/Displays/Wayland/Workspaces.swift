// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// ext-workspace: COSMIC, niri from 25.08, and others.
final class ExtWorkspaces {
    private let connection: WaylandConnection
    private let changed: () -> Void
    private var manager: WaylandObject?
    private var groups: [WaylandObject] = []
    private var workspaces: [Workspace] = []
    /// Whether another workspace is active since the last `done`, and whether there was one.
    private var hasChanged = false
    private var isListed = false

    /// A workspace, and whether an output shows it.
    private final class Workspace {
        var object: WaylandObject?
        var isActive = false
    }

    private enum Manager {
        static let group = 0, workspace = 1, done = 2, finished = 3
    }
    private enum Group {
        static let removed = 5, destroy = 1
    }
    private enum Event {
        static let state = 3, removed = 5
    }
    private static let active: UInt32 = 1
    private static let destroy = 0

    /// Binds the protocol; nil without it. `ended` is called when the compositor reports no further changes.
    init?(
        _ connection: WaylandConnection, changed: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        self.connection = connection
        self.changed = changed
        guard let global = connection.global("ext_workspace_manager_v1") else { return nil }
        manager = connection.bind(global, cwayland_workspace_manager(), atMost: 1) {
            [unowned self] opcode, arguments in
            switch opcode {
            case Manager.group: if let proxy = arguments.proxy(0) { addGroup(proxy) }
            case Manager.workspace: if let proxy = arguments.proxy(0) { add(proxy) }
            case Manager.done: report()
            case Manager.finished: ended()
            default: break
            }
        }
    }

    /// Adopts a group, whose events are not needed.
    private func addGroup(_ proxy: OpaquePointer) {
        let group = connection.adopt(proxy) { [unowned self] opcode, _ in
            guard opcode == Group.removed,
                let index = groups.firstIndex(where: { $0.proxy == proxy })
            else { return }
            groups.remove(at: index).destroy(Group.destroy)
        }
        guard groups.count < WaylandLimit.outputs else { return group.destroy(Group.destroy) }
        groups.append(group)
    }

    private func add(_ proxy: OpaquePointer) {
        let workspace = Workspace()
        let object = connection.adopt(proxy) { [unowned self, unowned workspace] opcode, arguments in
            switch opcode {
            case Event.state:
                let isActive = arguments.unsigned(0) & Self.active != 0
                if isActive != workspace.isActive { hasChanged = true }
                workspace.isActive = isActive
            case Event.removed:
                if workspace.isActive { hasChanged = true }
                workspace.object?.destroy(Self.destroy)
                workspaces.removeAll { $0 === workspace }
            default: break
            }
        }
        guard workspaces.count < WaylandLimit.workspaces else { return object.destroy(Self.destroy) }
        workspace.object = object
        workspaces.append(workspace)
    }

    private func report() {
        if hasChanged, isListed { changed() }
        (hasChanged, isListed) = (false, true)
    }
}

/// KWin's virtual desktops.
final class KWinDesktops {
    private let connection: WaylandConnection
    private let changed: () -> Void
    private var management: WaylandObject?
    /// By identifier.
    private var desktops: [String: WaylandObject] = [:]
    /// The identifier of the shown desktop by output, or by the empty name for all outputs.
    private var shown: [String: String] = [:]

    /// The highest known version: from version 4, outputs can show different desktops.
    private static let version: UInt32 = 4

    private enum Management {
        static let getDesktop = 0
        static let created = 0
    }
    private enum Event {
        static let activated = 2, removed = 5, outputEntered = 7
    }

    /// Binds the protocol; nil without it.
    init?(_ connection: WaylandConnection, changed: @escaping () -> Void) {
        self.connection = connection
        self.changed = changed
        guard let global = connection.global("org_kde_plasma_virtual_desktop_management") else { return nil }
        management = connection.bind(global, cwayland_plasma_desktops(), atMost: Self.version) {
            [unowned self] opcode, arguments in
            if opcode == Management.created { add(arguments.text(0)) }
        }
    }

    private func add(_ identifier: String) {
        guard identifier.utf8.count <= WaylandLimit.text else { return }
        connection.enqueue { [weak self] in self?.getDesktop(identifier) }
    }

    private func getDesktop(_ identifier: String) {
        guard desktops.count < WaylandLimit.workspaces else { return }
        desktops[identifier] = identifier.withCString { text in
            management?.create(cwayland_plasma_desktop(), Management.getDesktop, .new, .text(text)) {
                [unowned self] opcode, arguments in
                switch opcode {
                case Event.activated: show(identifier, on: "")
                case Event.outputEntered: show(identifier, on: arguments.text(0))
                case Event.removed: desktops[identifier] = nil
                default: break
                }
            }
        }
    }

    private func show(_ identifier: String, on output: String) {
        guard shown[output] != nil || shown.count < WaylandLimit.workspaces else { return }
        if let former = shown.updateValue(identifier, forKey: output), former != identifier { changed() }
    }
}
