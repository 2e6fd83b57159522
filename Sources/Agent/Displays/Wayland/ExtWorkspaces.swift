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
