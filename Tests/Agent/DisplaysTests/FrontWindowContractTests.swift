// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestSupport
import Testing

@testable import Displays

/// The contract of ``DisplayEvent/frontWindow(_:)``, for each way to read the window in front.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FrontWindowContractTests {
    @Test(arguments: TestedWindows.Backend.allCases)
    func `the window in front is reported before the outputs`(_ backend: TestedWindows.Backend) throws {
        let tested = try TestedWindows(backend, [TestWindow(id: 1, appID: "org.app.First", isFocused: true)])
        let (bench, front) = (tested.bench, tested.front)
        #expect(front?.appID == "org.app.First")
        #expect(front?.state == .normal)
        #expect(front?.output == (backend == .x11 ? "screen" : "eDP-1"))
        #expect(bench.events.first == .frontWindow(front))
        guard case .outputs = bench.events.last else { return #expect(Bool(false), "\(bench.events)") }
        #expect(bench.events.count == 2)
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `without the focus on a window, none is in front`(_ backend: TestedWindows.Backend) throws {
        let tested = try TestedWindows(backend, [TestWindow(id: 1, appID: "org.app.First")])
        #expect(tested.bench.frontWindows == [.frontWindow(nil)])
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `two windows of one app differ, and a new focus is one report`(_ backend: TestedWindows.Backend) throws {
        var windows = [
            TestWindow(id: 1, appID: "org.app.First", isFocused: true), TestWindow(id: 2, appID: "org.app.First"),
        ]
        let tested = try TestedWindows(backend, windows)
        let first = try #require(tested.front)
        windows[0].isFocused = false
        windows[1].isFocused = true
        try tested.change(to: windows)
        let second = try #require(tested.front)
        #expect(tested.bench.events == [.frontWindow(second)])
        #expect(second.appID == first.appID)
        #expect(second.id != first.id)
        windows[0].isFocused = true
        windows[1].isFocused = false
        try tested.change(to: windows)
        #expect(tested.front == first)
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `each state of a window is reported`(_ backend: TestedWindows.Backend) throws {
        var window = TestWindow(id: 1, appID: "org.app.First", isFocused: true)
        let tested = try TestedWindows(backend, [window])
        for state in [FrontWindow.State.fullscreen, .maximized, .normal] {
            window.state = state
            try tested.change(to: [window])
            #expect(tested.front?.state == state)
            #expect(tested.bench.events.count == 1)
        }
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `a window without an app ID has none until it is set`(_ backend: TestedWindows.Backend) throws {
        var window = TestWindow(id: 1, isFocused: true, state: .fullscreen)
        let tested = try TestedWindows(backend, [window])
        #expect(tested.front?.state == .fullscreen)
        #expect(tested.front?.appID == nil)
        window.appID = "org.app.First"
        try tested.change(to: [window])
        #expect(tested.front?.appID == "org.app.First")
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `a window that closes while in front leaves none`(_ backend: TestedWindows.Backend) throws {
        let tested = try TestedWindows(
            backend, [TestWindow(id: 1, appID: "org.app.First", isFocused: true), TestWindow(id: 2)])
        try tested.change(to: [TestWindow(id: 2)])
        #expect(tested.bench.events == [.frontWindow(nil)])
        try tested.change(to: [TestWindow(id: 3, appID: "org.app.First", isFocused: true)])
        #expect(tested.front?.appID == "org.app.First")
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `an app ID that is too long counts as none`(_ backend: TestedWindows.Backend) throws {
        let longest = String(repeating: "a", count: FrontWindow.maximumNameLength)
        var window = TestWindow(id: 1, appID: longest, isFocused: true)
        let tested = try TestedWindows(backend, [window])
        #expect(tested.front?.appID == longest)
        window.appID = longest + "a"
        try tested.change(to: [window])
        #expect(tested.bench.events.count == 1)
        #expect(tested.front != nil)
        #expect(tested.front?.appID == nil)
    }

    /// COSMIC reports no parents.
    @Test(arguments: TestedWindows.Backend.allCases.filter { $0 != .cosmic })
    func `a dialog stands for its window`(_ backend: TestedWindows.Backend) throws {
        var window = TestWindow(id: 1, appID: "org.app.First", isFocused: true, state: .fullscreen)
        let tested = try TestedWindows(backend, [window])
        let front = tested.front
        window.isFocused = false
        let dialog = TestWindow(id: 2, appID: "org.app.First", isFocused: true, parent: 1)
        try tested.show([window, dialog])
        try tested.bench.runReady()
        // A change that is reported shows that the dialog was handled.
        window.state = .maximized
        try tested.change(to: [window, dialog])
        #expect(tested.front?.id == front?.id)
        #expect(tested.front?.state == .maximized)
    }

    @Test(arguments: TestedWindows.Backend.allCases.filter { $0 != .x11 })
    func `the output of a window is reported`(_ backend: TestedWindows.Backend) throws {
        var window = TestWindow(id: 1, appID: "org.app.First", isFocused: true)
        let tested = try TestedWindows(backend, [window])
        window.output = 1
        try tested.change(to: [window])
        #expect(tested.front?.output == "HDMI-A-1")
    }

    @Test(arguments: TestedWindows.Backend.allCases.filter { $0 != .x11 })
    func `windows beyond the limit are ignored`(_ backend: TestedWindows.Backend) throws {
        var windows = (1...WaylandLimit.windows).map { TestWindow(id: $0, appID: "org.app.\($0)") }
        windows[0].isFocused = true
        let tested = try TestedWindows(backend, windows)
        windows[0].isFocused = false
        var extra = TestWindow(id: windows.count + 1, appID: "org.app.Extra", isFocused: true)
        try tested.change(to: windows + [extra])
        #expect(tested.bench.events == [.frontWindow(nil)])
        // The last window within the limit is one; and one more fits after a window was closed.
        extra.isFocused = false
        windows[windows.count - 1].isFocused = true
        try tested.change(to: windows + [extra])
        #expect(tested.front?.appID == "org.app.\(windows.count)")
        windows[windows.count - 1].isFocused = false
        try tested.change(to: Array(windows.dropFirst()))
        let new = TestWindow(id: windows.count + 2, appID: "org.app.New", isFocused: true)
        try tested.change(to: windows.dropFirst() + [new])
        #expect(tested.front?.appID == "org.app.New")
    }

    @Test(arguments: TestedWindows.Backend.allCases)
    func `a session that does not ask receives no report`(_ backend: TestedWindows.Backend) throws {
        let tested = try TestedWindows(
            backend, [TestWindow(id: 1, appID: "org.app.First", isFocused: true)], isAsked: false)
        try tested.show([])
        try tested.bench.runReady()
        #expect(tested.bench.frontWindows.isEmpty)
    }
}

/// A display server with windows.
final class TestedWindows {
    enum Backend: String, CaseIterable, Sendable {
        case wlr, cosmic, x11
    }

    let bench: DisplayBench
    let show: ([TestWindow]) throws -> Void
    /// The windows of a Wayland compositor.
    let windows: FakeWindows?
    /// Runs as long as it is referred to.
    private var server: TestXServer?

    /// Starts a server with windows, and opens it until its first outputs.
    init(
        _ backend: Backend, _ windows: [TestWindow], isAsked: Bool = true, hasWorkspaces: Bool = false
    ) throws {
        switch backend {
        case .wlr, .cosmic:
            let compositor = try FakeCompositor(
                [.init(name: "eDP-1"), .init(name: "HDMI-A-1", position: [1_920, 0])],
                windows: backend == .wlr ? .wlr : .cosmic, hasWorkspaces: hasWorkspaces)
            self.windows = compositor.windows
            compositor.windows?.show(windows)
            bench = try DisplayBench(.wlr, environment: compositor.environment, reportsFrontWindow: isAsked)
            show = { compositor.windows?.show($0) }
        case .x11:
            self.windows = nil
            let server = try TestXServer()
            let manager = try FakeWindowManager(server.display)
            try manager.show(windows)
            bench = try server.open(reportsFrontWindow: isAsked)
            show = { try manager.show($0) }
            self.server = server
        }
        let bench = bench
        try bench.run { !bench.outputs.isEmpty }
    }

    /// The window in front of the last report.
    var front: FrontWindow? {
        guard case .frontWindow(let window) = bench.frontWindows.last else { return nil }
        return window
    }

    /// Forgets the events, changes the windows, and waits for a report.
    func change(to windows: [TestWindow]) throws {
        _ = bench.takeEvents()
        try show(windows)
        try bench.run { !bench.frontWindows.isEmpty }
        try bench.runReady()
    }
}
