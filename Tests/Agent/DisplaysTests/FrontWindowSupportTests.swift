// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestSupport
import Testing

@testable import Displays

/// Display servers that do not report the window in front, and the ends of those that do.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FrontWindowSupportTests {
    private func open(_ kind: DisplayServerKind, _ environment: [String: String]) throws -> DisplayBench {
        let bench = try DisplayBench(kind, environment: environment, reportsFrontWindow: true)
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    @Test func `a compositor without a protocol for windows is named before the outputs`() throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")])
        let bench = try open(.wlr, compositor.environment.merging(["SWAYSOCK": "/run/sway"]) { $1 })
        #expect(
            bench.events.first
                == .frontWindowUnsupported(
                    "sway does not report the window in front: it offers neither zwlr_foreign_toplevel_manager_v1 nor "
                        + "zcosmic_toplevel_info_v1; apps can only hold orientations."))
        #expect(bench.events.count == 2)
    }

    @Test func `a list of windows that ends is reported`() throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: .wlr)
        let bench = try open(.wlr, compositor.environment.merging(["SWAYSOCK": "/run/sway"]) { $1 })
        #expect(bench.frontWindows == [.frontWindow(nil)])
        compositor.windows?.finish()
        try bench.run { bench.frontWindows.count > 1 }
        #expect(
            bench.frontWindows.last
                == .frontWindowUnsupported(
                    "sway does not report the window in front any more; restart orientation-autorotate."))
    }

    @Test(arguments: [FakeWindows.Kind.wlr, .cosmic])
    func `the objects of closed windows are destroyed`(_ kind: FakeWindows.Kind) throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: kind)
        compositor.windows?.show([TestWindow(id: 1, isFocused: true)])
        let bench = try open(.wlr, compositor.environment)
        compositor.windows?.show([])
        // COSMIC has two objects for each window.
        let count = kind == .cosmic ? 2 : 1
        try bench.run { compositor.windows?.destructions == count }
    }

    @Test(arguments: [FakeWindows.Kind.wlr, .cosmic])
    func `requests for many windows wait for a compositor that does not read`(_ kind: FakeWindows.Kind) throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: kind)
        let bench = try open(.wlr, compositor.environment)
        var windows = (1...WaylandLimit.windows).map { TestWindow(id: $0, appID: "org.app.\($0)") }
        windows[windows.count - 1].isFocused = true
        // The compositor needs the lock to read. The requests for a few windows are sent together.
        try compositor.lock.withLock {
            for first in stride(from: 0, to: windows.count, by: 2) {
                compositor.windows?.add(Array(windows[first..<first + 2]))
                try bench.runReady()
            }
        }
        // Until the properties of the last window arrive, the compositor may be sending while it holds the lock.
        try bench.run {
            guard case .frontWindow(let window) = bench.frontWindows.last else { return false }
            return window?.appID == windows.last?.appID
        }
        try compositor.lock.withLock {
            for _ in stride(from: 0, to: windows.count, by: 2) {
                compositor.windows?.closeFirst(2)
                try bench.runReady()
            }
        }
        let count = WaylandLimit.windows * (kind == .cosmic ? 2 : 1)
        try bench.run { compositor.windows?.destructions == count }
        #expect(bench.frontWindows.last == .frontWindow(nil))
    }

    @Test func `a compositor that never reads its requests is lost`() throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: .wlr)
        let bench = try open(.wlr, compositor.environment)
        // The events of so many windows fit into the socket.
        let windows = (1...32).map { TestWindow(id: $0) }
        var reason: String? { if case .lost(let reason) = bench.events.last { reason } else { nil } }
        try compositor.lock.withLock {
            // The socket takes requests before the others wait; how many depends on the system's buffer size.
            while reason == nil {
                compositor.windows?.show(windows)
                try bench.runReady()
                compositor.windows?.show([])
                try bench.runReady()
            }
        }
        #expect(
            reason?.hasSuffix(": connection lost: it does not read requests; the compositor hangs or is stopped")
                == true)
    }

    @Test func `a session that does not ask binds outputs only`() throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: .wlr)
        let bench = try DisplayBench(.wlr, environment: compositor.environment)
        try bench.run { !bench.outputs.isEmpty }
        #expect(compositor.bound == ["zwlr_output_manager_v1"])
    }

    @Test func `a window manager that starts and windows that vanish`() throws {
        let server = try TestXServer()
        let bench = try open(.x11, ["DISPLAY": server.display])
        guard case .frontWindowUnsupported(let reason) = bench.events.first else {
            return #expect(Bool(false), "\(bench.events)")
        }
        #expect(reason.contains("no window manager sets _NET_ACTIVE_WINDOW"))
        let manager = try FakeWindowManager(server.display)
        try manager.show([TestWindow(id: 1, appID: "App", instance: "app", isFocused: true, state: .fullscreen)])
        try bench.run { if case .frontWindow(.some) = bench.frontWindows.last { true } else { false } }
        guard case .frontWindow(let window) = bench.frontWindows.last else { return }
        #expect(window?.instance == "app")
        // The property still names the window.
        manager.destroyWithoutNotice(1)
        try bench.run { bench.frontWindows.last == .frontWindow(nil) }
        // One that never existed.
        manager.setActive(0x1234_5678)
        manager.setActive(0)
        try manager.show([TestWindow(id: 2, appID: "Next", isFocused: true)])
        try bench.run {
            if case .frontWindow(let window) = bench.frontWindows.last { window?.appID == "Next" } else { false }
        }
        #expect(bench.events.allSatisfy { if case .ended = $0 { false } else { true } })
    }
}

/// The choice of the front window, and the names of X11 windows.
@Suite struct WindowTableTests {
    @Test func `of several windows with a focus, the last one that received it is in front`() {
        var table = WindowTable()
        table.update(1, WindowProperties(appID: "a", isFocused: true))
        table.update(2, WindowProperties(appID: "b", isFocused: true))
        table.update(1, WindowProperties(appID: "c", isFocused: true))
        #expect(table.front?.appID == "b")
        table.remove(2)
        #expect(table.front?.appID == "c")
    }

    @Test func `a window belongs to the output that it came to first, until it leaves that for another one`() {
        var table = WindowTable()
        func show(_ outputs: [String]) -> String? {
            table.update(1, WindowProperties(appID: "film", isFocused: true, state: .fullscreen, outputs: outputs))
            return table.front?.output
        }
        #expect(show([]) == nil)
        #expect(show(["eDP-1"]) == "eDP-1")
        // It fills an output that was rotated, and has its former size.
        #expect(show(["eDP-1", "HDMI-A-1"]) == "eDP-1")
        #expect(show(["HDMI-A-1", "eDP-1"]) == "eDP-1")
        #expect(show([]) == "eDP-1")
        #expect(show(["HDMI-A-1"]) == "HDMI-A-1")
        #expect(show(["HDMI-A-1", "eDP-1"]) == "HDMI-A-1")
        table.removeOutput("HDMI-A-1")
        #expect(table.front?.output == "eDP-1")
        table.removeOutput("eDP-1")
        #expect(table.front != nil && table.front?.output == nil)
    }

    @Test func `a dialog stands for its topmost parent, as far as it exists`() {
        var table = WindowTable()
        table.update(1, WindowProperties(appID: "a", state: .fullscreen))
        table.update(2, WindowProperties(appID: "a", parent: 1))
        table.update(3, WindowProperties(appID: "a", isFocused: true, parent: 2))
        #expect(table.front?.id == 1)
        table.remove(1)
        #expect(table.front?.id == 2)
        table.update(2, WindowProperties(appID: "a", parent: 3))
        #expect(table.front != nil)
    }

    @Test func `a property WM_CLASS has an instance and a class`() {
        func names(_ text: String) -> [String?] {
            let names = X11FrontWindow.names(in: Array(text.utf8))
            return [names.instance, names.className]
        }
        #expect(names("navigator\0firefox\0") == ["navigator", "firefox"])
        #expect(names("\0Firefox\0") == [nil, "Firefox"])
        #expect(names("") == [nil, nil])
        // Cut off, and without a class.
        #expect(names("navigator\0fire") == ["navigator", nil])
        #expect(names("navigator\0") == ["navigator", nil])
        #expect(names("a\0b\0c\0") == ["a", "b"])
        #expect(X11FrontWindow.names(in: [0xe9, 0, 0xe9, 0]).className == "é")
    }
}
