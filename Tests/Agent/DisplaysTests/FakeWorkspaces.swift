// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two workspaces of a compositor of the tests: through ext-workspace, or KWin's virtual desktops. The server's lock guards
/// it.
nonisolated final class FakeWorkspaces: @unchecked Sendable {
    private let isKWin: Bool
    weak var server: FakeWaylandServer?
    private var manager: UInt32?
    private var objects: [UInt32] = [0, 0]
    private var active = 0

    init(isKWin: Bool) { self.isKWin = isKWin }

    var global: (interface: String, version: UInt32) {
        isKWin ? ("org_kde_plasma_virtual_desktop_management", 4) : ("ext_workspace_manager_v1", 1)
    }

    // MARK: For the test

    /// Changes to another workspace.
    func activate(_ index: Int) {
        server?.lock.withLock {
            guard let server, let manager, index != active else { return }
            let former = active
            active = index
            if isKWin {
                server.send(objects[former], 3)
                server.send(objects[index], 2)
            } else {
                for object in objects { server.send(object, 3, .number(object == objects[active] ? 1 : 0)) }
                server.send(manager, 2)
            }
        }
    }

    /// Marks a workspace as urgent, which changes nothing.
    func alert() {
        server?.lock.withLock {
            guard let server, let manager, !isKWin else { return }
            server.send(objects[1 - active], 3, .number(2))
            server.send(manager, 2)
        }
    }

    /// Ends the list.
    func finish() {
        server?.lock.withLock { if let manager, !isKWin { server?.send(manager, 3) } }
    }

    // MARK: The protocols

    func bound(_ interface: String, to object: UInt32) -> Bool {
        guard let server, interface == global.interface else { return false }
        server.interfaces[object] = "workspaces"
        manager = object
        if isKWin {
            for index in objects.indices { server.send(object, 0, .text("\(index)"), .number(UInt32(index))) }
            server.send(object, 2)
            return true
        }
        let group = server.newObject("workspace")
        server.send(object, 0, .number(group))
        for index in objects.indices {
            objects[index] = server.newObject("workspace")
            server.send(object, 1, .number(objects[index]))
            server.send(group, 3, .number(objects[index]))
            server.send(objects[index], 1, .text("\(index)"))
            server.send(objects[index], 3, .number(index == active ? 1 : 0))
        }
        server.send(object, 2)
        return true
    }

    func handle(_ interface: String, _ opcode: Int, _ arguments: FakeWaylandServer.Reader) -> Bool {
        guard let server, interface == "workspaces" || interface == "workspace" else { return false }
        guard isKWin, interface == "workspaces", opcode == 0, let index = Int(arguments.text(1)) else { return true }
        objects[index] = arguments.number(0)
        server.interfaces[objects[index]] = "workspace"
        server.send(objects[index], 0, .text("\(index)"))
        if index == active { server.send(objects[index], 2) }
        server.send(objects[index], 4)
        return true
    }
}
