// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Displays

/// A window of the tests.
nonisolated struct TestWindow: Equatable, Sendable {
    var id: Int
    var appID: String?
    /// The instance of an X11 window.
    var instance: String?
    var isFocused = false
    var state = FrontWindow.State.normal
    /// The window that this one is a dialog of.
    var parent: Int?
    /// The index of the output that shows it.
    var output = 0
    var isMinimized = false

    /// An ``output`` that no output has: the window leaves all of them.
    static let noOutput = 100
}

/// The windows of a compositor of the tests, through one of the protocols. The server's lock guards it.
nonisolated final class FakeWindows: @unchecked Sendable {
    enum Kind: Sendable {
        case wlr, cosmic
    }

    private let kind: Kind
    /// The workspaces; nil without a protocol for them.
    let workspaces: FakeWorkspaces?
    weak var server: FakeWaylandServer? { didSet { workspaces?.server = server } }
    /// The client's wl_output objects, by index.
    var outputs: [UInt32] = []
    private var windows: [TestWindow] = []
    private var manager: UInt32?
    private var info: UInt32?
    /// By window: its object; for COSMIC the one with the app ID, and the one with the state.
    private var objects: [Int: UInt32] = [:]
    private var stateObjects: [Int: UInt32] = [:]
    private var destroyed = 0

    init(_ kind: Kind, hasWorkspaces: Bool = false) {
        self.kind = kind
        workspaces = hasWorkspaces ? FakeWorkspaces() : nil
    }

    var globals: [(interface: String, version: UInt32)] {
        (workspaces.map { [$0.global] } ?? []) + lists
    }

    private var lists: [(interface: String, version: UInt32)] {
        switch kind {
        case .wlr: [("zwlr_foreign_toplevel_manager_v1", 3)]
        case .cosmic: [("ext_foreign_toplevel_list_v1", 1), ("zcosmic_toplevel_info_v1", 3)]
        }
    }

    // MARK: For the test

    /// Changes the windows: sends the new ones, all properties of those that changed, and the end of those that closed.
    func show(_ new: [TestWindow]) {
        server?.lock.withLock {
            let old = Dictionary(uniqueKeysWithValues: windows.map { ($0.id, $0) })
            let remaining = Set(new.map(\.id))
            windows = new
            for window in old.values where !remaining.contains(window.id) { close(window) }
            for window in new where old[window.id] != window {
                if old[window.id] == nil { announce(window) } else { sendProperties(of: window) }
            }
            if kind == .cosmic, let info { server?.send(info, 2) }
        }
    }

    /// Adds windows, faster than ``show(_:)``.
    func add(_ new: [TestWindow]) {
        server?.lock.withLock {
            windows += new
            for window in new { announce(window) }
            if kind == .cosmic, let info { server?.send(info, 2) }
        }
    }

    /// Closes the first windows, faster than ``show(_:)``.
    func closeFirst(_ count: Int) {
        server?.lock.withLock {
            for window in windows.prefix(count) { close(window) }
            windows.removeFirst(count)
            if kind == .cosmic, let info { server?.send(info, 2) }
        }
    }

    /// Ends the list.
    func finish() {
        server?.lock.withLock { if let manager { server?.send(manager, 1) } }
    }

    /// The number of objects of windows that the client destroyed.
    var destructions: Int { server?.lock.withLock { destroyed } ?? 0 }

    // MARK: The protocols

    /// Handles the binding of a global; returns false for that of another protocol.
    func bound(_ interface: String, to object: UInt32) -> Bool {
        if workspaces?.bound(interface, to: object) == true { return true }
        guard lists.contains(where: { $0.interface == interface }) else { return false }
        server?.interfaces[object] = "windows"
        if interface == "zcosmic_toplevel_info_v1" {
            info = object
        } else {
            manager = object
            for window in windows { announce(window) }
        }
        return true
    }

    /// Handles a request; returns false for that of another protocol.
    func handle(_ object: UInt32, _ interface: String, _ opcode: Int, _ arguments: FakeWaylandServer.Reader) -> Bool {
        if workspaces?.handle(interface) == true { return true }
        switch (interface, kind, opcode) {
        case ("windows", .cosmic, 1):
            let window = windows.first { objects[$0.id] == arguments.number(1) }
            adopt(arguments.number(0), window)
        case ("window", .cosmic, 0), ("window", _, 7): destroyed += 1
        case ("windows", _, _), ("window", _, _): break
        default: return false
        }
        return true
    }

    /// Adopts an object that the client created for a window; the window is nil if it was closed.
    private func adopt(_ object: UInt32, _ window: TestWindow?) {
        server?.interfaces[object] = "window"
        guard let window else { return }
        stateObjects[window.id] = object
        sendProperties(of: window)
    }

    private func announce(_ window: TestWindow) {
        guard let server, let manager else { return }
        let object = server.newObject("window")
        objects[window.id] = object
        server.send(manager, 0, .number(object))
        sendProperties(of: window)
    }

    private func close(_ window: TestWindow) {
        guard let object = objects.removeValue(forKey: window.id) else { return }
        stateObjects[window.id] = nil
        server?.send(object, kind == .wlr ? 6 : 0)
    }

    private func sendProperties(of window: TestWindow) {
        guard let server, let object = objects[window.id] else { return }
        switch kind {
        case .wlr:
            server.send(object, 0, .text("a title"))
            if let appID = window.appID { server.send(object, 1, .text(appID)) }
            sendOutput(of: window, to: object)
            server.send(object, 7, .number(window.parent.flatMap { objects[$0] } ?? 0))
            server.send(object, 4, .array(window.states))
            server.send(object, 5)
        case .cosmic:
            server.send(object, 2, .text("a title"))
            if let appID = window.appID { server.send(object, 3, .text(appID)) }
            server.send(object, 1)
            guard let object = stateObjects[window.id] else { return }
            sendOutput(of: window, to: object, enter: 4)
            server.send(object, 8, .array(window.states))
        }
    }

    private func sendOutput(of window: TestWindow, to object: UInt32, enter: UInt16 = 2) {
        for (index, output) in outputs.enumerated() where index != window.output {
            server?.send(object, enter + 1, .number(output))
        }
        if window.output < outputs.count { server?.send(object, enter, .number(outputs[window.output])) }
    }
}

extension TestWindow {
    /// The states of wlr-foreign-toplevel-management and of cosmic-toplevel-info.
    fileprivate nonisolated var states: [UInt32] {
        (isFocused ? [2] : []) + (isMinimized ? [1] : []) + [[], [0], [0, 3]][state.rawValue]
    }
}
