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
        var reason: String? { if case .ended(let reason) = bench.events.last { reason } else { nil } }
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
