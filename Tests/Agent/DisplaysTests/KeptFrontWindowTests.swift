// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import SystemdTestSupport
import TestSupport
import Testing
import Varlink

@testable import Displays

/// A window that fills its output remains in front while a launcher, a panel or a menu has the focus.
@Suite(.serialized, .timeLimit(.minutes(10))) struct KeptFrontWindowTests {
    @Test(arguments: [FrontWindow.State.fullscreen, .maximized])
    func `without the focus on a window, the last one remains in front until it is closed`(
        _ state: FrontWindow.State
    ) throws {
        var table = WindowTable()
        table.keepsFront = true
        let other = WindowProperties(appID: "other", state: .fullscreen)
        table.update(1, WindowProperties(appID: "film", isFocused: true, state: state))
        table.update(2, other)
        let front = table.front
        table.update(1, WindowProperties(appID: "film", state: state))
        #expect(table.front == front && front?.appID == "film")
        table.remove(2)
        #expect(table.front == front)
        table.update(2, other)
        table.remove(1)
        #expect(table.front == nil, "the other one was not in front")
    }

    @Test func `a window that leaves full screen, is minimized, or is hidden with its workspace does not remain`() {
        for change in [WindowProperties(), WindowProperties(state: .fullscreen, isMinimized: true)] {
            var table = WindowTable()
            table.keepsFront = true
            table.update(1, WindowProperties(isFocused: true, state: .fullscreen))
            table.update(1, WindowProperties(state: .fullscreen))
            #expect(table.front != nil)
            table.update(1, change)
            #expect(table.front == nil)
        }
        var table = WindowTable()
        table.keepsFront = true
        table.update(1, WindowProperties(isFocused: true, state: .fullscreen))
        table.workspaceChanged()
        #expect(table.front != nil)
        table.update(1, WindowProperties(state: .fullscreen))
        table.workspaceChanged()
        #expect(table.front == nil)
    }

    @Test func `a dialog that closes without a new focus leaves its window in front`() {
        var table = WindowTable()
        table.keepsFront = true
        table.update(1, WindowProperties(appID: "film", isFocused: true, state: .fullscreen))
        let front = table.front
        table.update(1, WindowProperties(appID: "film", state: .fullscreen))
        table.update(2, WindowProperties(isFocused: true, parent: 1))
        table.remove(2)
        #expect(table.front == front)
    }

    @Test func `a server that does not report workspaces keeps no window without the focus`() {
        var table = WindowTable()
        table.update(1, WindowProperties(isFocused: true, state: .fullscreen))
        table.update(1, WindowProperties(state: .fullscreen))
        #expect(table.front == nil)
    }

    /// A launcher takes the focus, and the window changes its state: a report shows that the focus was handled.
    private func openLauncher(_ tested: TestedWindows, over window: inout TestWindow) throws {
        window.isFocused = false
        try tested.show([window])
        window.state = window.state == .fullscreen ? .maximized : .fullscreen
        try tested.change(to: [window])
    }

    @Test(arguments: [TestedWindows.Backend.wlr, .cosmic])
    func `with a protocol for workspaces, a launcher does not take the front, and another workspace does`(
        _ backend: TestedWindows.Backend
    ) throws {
        var window = TestWindow(id: 1, appID: "film", isFocused: true, state: .fullscreen)
        let tested = try TestedWindows(backend, [window], hasWorkspaces: true)
        let workspaces = try #require(tested.windows?.workspaces)
        try openLauncher(tested, over: &window)
        #expect(tested.front?.appID == "film" && tested.front?.state == .maximized)
        workspaces.alert()
        workspaces.activate(1)
        try tested.bench.run { tested.bench.frontWindows.last == .frontWindow(nil) }
        workspaces.activate(0)
        window.isFocused = true
        try tested.change(to: [window])
        #expect(tested.front?.appID == "film")
    }

    @Test func `a list of workspaces that ends keeps no window without the focus`() throws {
        var window = TestWindow(id: 1, appID: "film", isFocused: true, state: .fullscreen)
        let tested = try TestedWindows(.cosmic, [window], hasWorkspaces: true)
        try openLauncher(tested, over: &window)
        tested.windows?.workspaces?.finish()
        try tested.bench.run { tested.bench.frontWindows.last == .frontWindow(nil) }
    }

    @Test func `on X11 a full-screen window remains in front until it is unmapped or closed`() throws {
        var window = TestWindow(id: 1, appID: "Film", isFocused: true, state: .fullscreen)
        let other = TestWindow(id: 2, appID: "Other", state: .fullscreen)
        let tested = try TestedWindows(.x11, [window, other])
        let front = try #require(tested.front)
        window.isFocused = false
        try tested.show([window, other])
        window.state = .maximized
        try tested.change(to: [window, other])
        #expect(tested.front?.id == front.id && tested.front?.state == .maximized)
        window.isMinimized = true
        try tested.change(to: [window, other])
        #expect(tested.bench.events == [.frontWindow(nil)])
        window.isMinimized = false
        window.isFocused = true
        try tested.change(to: [window, other])
        window.isFocused = false
        try tested.show([window, other])
        try tested.change(to: [other])
        #expect(tested.bench.events == [.frontWindow(nil)])
    }

    @Test func `on sway a change of the workspace ends it`() throws {
        let directory = try TemporaryDirectory()
        let listener = try ListeningSocket.bind(to: directory.socket, mode: 0o600)
        let compositor = try FakeCompositor([.init(name: "eDP-1")], windows: .wlr)
        var window = TestWindow(id: 1, appID: "film", isFocused: true, state: .fullscreen)
        compositor.windows?.show([window])
        let bench = try DisplayBench(
            .wlr, environment: compositor.environment.merging(["SWAYSOCK": directory.socket]) { $1 },
            reportsFrontWindow: true)
        try bench.run { !bench.outputs.isEmpty }
        guard let peer = try listener.accept() else { return #expect(Bool(false), "no connection") }
        window.isFocused = false
        compositor.windows?.show([window])
        // A change that is reported shows that the focus was handled.
        window.state = .maximized
        compositor.windows?.show([window])
        try bench.run { bench.frontWindows.count > 1 }
        guard case .frontWindow(.some(let front)) = bench.frontWindows.last else {
            return #expect(Bool(false), "\(bench.frontWindows)")
        }
        #expect(front.state == .maximized)
        var event = SwayDecoder.encode(.command(#"{"change":"focus"}"#))
        withUnsafeBytes(of: SwayDecoder.MessageType.workspaceEvent) { event.replaceSubrange(10..<14, with: $0) }
        _ = try event.withUnsafeBytes { try peer.send($0) }
        try bench.run { bench.frontWindows.last == .frontWindow(nil) }
    }
}
