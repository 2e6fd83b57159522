// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two workspaces of a compositor of the tests, through ext-workspace. The server's lock guards it.
nonisolated final class FakeWorkspaces: @unchecked Sendable {
    weak var server: FakeWaylandServer?
    private var manager: UInt32?
    private var objects: [UInt32] = [0, 0]
    private var active = 0

    let global: (interface: String, version: UInt32) = ("ext_workspace_manager_v1", 1)

    // MARK: For the test

    /// Changes to another workspace.
    func activate(_ index: Int) {
        server?.lock.withLock {
            guard let server, let manager, index != active else { return }
            active = index
            for object in objects { server.send(object, 3, .number(object == objects[active] ? 1 : 0)) }
            server.send(manager, 2)
        }
    }

    /// Marks a workspace as urgent, which changes nothing.
    func alert() {
        server?.lock.withLock {
            guard let server, let manager else { return }
            server.send(objects[1 - active], 3, .number(2))
            server.send(manager, 2)
        }
    }

    /// Ends the list.
    func finish() {
        server?.lock.withLock { if let manager { server?.send(manager, 3) } }
    }

    // MARK: The protocols

    func bound(_ interface: String, to object: UInt32) -> Bool {
        guard let server, interface == global.interface else { return false }
        server.interfaces[object] = "workspaces"
        manager = object
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

    func handle(_ interface: String) -> Bool { interface == "workspaces" || interface == "workspace" }
}
