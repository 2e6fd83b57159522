// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Systemd
import SystemdTestSupport
import TestSupport
import Testing
import Varlink

@testable import Displays

@Suite(.serialized, .timeLimit(.minutes(10))) struct WlrServerTests {
    private typealias Head = FakeCompositor.Head

    private func heads() -> [Head] {
        [
            Head(name: "eDP-1"), Head(name: "HDMI-A-1", position: [1920, 0], scale: 384),
            Head(name: "DP-3", isEnabled: false),
        ]
    }

    private func open(_ compositor: FakeCompositor, _ more: [String: String] = [:]) throws -> DisplayBench {
        let bench = try DisplayBench(.wlr, environment: compositor.environment.merging(more) { $1 })
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt32])
    func `all versions report the outputs`(_ version: UInt32) throws {
        let bench = try open(try FakeCompositor(version: version, heads()))
        let mode = PixelSize(width: 1920, height: 1080), label = version > 1 ? "ACME" : nil
        #expect(
            bench.outputs == [
                Output(name: "eDP-1", label: label, mode: mode),
                Output(name: "HDMI-A-1", label: label, mode: mode, scale: 1.5, position: LayoutPoint(x: 1920, y: 0)),
                Output(name: "DP-3", label: label, isEnabled: false),
            ])
    }

    @Test func `a configuration names every head, and the outputs come before applied`() throws {
        let compositor = try FakeCompositor(heads())
        let bench = try open(compositor)
        let wanted = Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)
        #expect(try bench.apply(wanted) == .applied)
        #expect(bench.events == [.outputs(wanted), .applied])
        let disabled: Head? = nil
        let expected: FakeCompositor.Request = [
            "eDP-1": Head(name: "eDP-1", transform: 1),
            "HDMI-A-1": Head(name: "HDMI-A-1", position: [1080, 0], scale: 384), "DP-3": disabled,
        ]
        #expect(compositor.applied == [expected])
    }

    @Test func `a cancelled configuration is outdated, and the next one succeeds`() throws {
        let compositor = try FakeCompositor(heads())
        let bench = try open(compositor)
        compositor.reply(.cancel)
        let wanted = Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)
        #expect(try bench.apply(wanted) == .outdated)
        compositor.reply(.succeed)
        #expect(try bench.apply(wanted) == .applied)
    }

    @Test(arguments: [2, 4] as [UInt32])
    func `heads that are removed and added while a configuration is pending`(_ version: UInt32) throws {
        let compositor = try FakeCompositor(version: version, heads())
        let bench = try open(compositor)
        compositor.reply(.none)
        bench.server?.apply(Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs))
        compositor.change { heads in
            heads.remove(at: 1)
            heads.append(Head(name: "DP-9"))
        }
        try bench.run { bench.outputs.map(\.name) == ["eDP-1", "DP-3", "DP-9"] }
        compositor.finish(2)
        try bench.run { bench.events.last == .outdated }
        compositor.reply(.succeed)
        #expect(try bench.apply(Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)) == .applied)
        #expect(compositor.applied.last?.keys.sorted() == ["DP-3", "DP-9", "eDP-1"])
        #expect(compositor.releases.sorted() == (version >= 3 ? ["head", "mode"] : []))
    }

    @Test func `niri's panel orientation is subtracted, once it is known at the first attempt`() throws {
        let compositor = try FakeCompositor(heads())
        let bench = try open(compositor, ["NIRI_SOCKET": "/run/niri"])
        compositor.reply(.add(3))
        // The other output stays: niri adds to the panel only.
        compositor.change { $0.removeSubrange(1...) }
        try bench.run { bench.outputs.count == 1 }
        let turns: [(OutputTransform, Int32)] = [(.rotated90, 2), (.rotated180, 3), (.normal, 1)]
        for (transform, sent) in turns {
            #expect(try bench.apply(Layout.rotating("eDP-1", to: transform, in: bench.outputs)) == .applied)
            #expect(bench.outputs.map(\.transform) == [transform])
            #expect(compositor.applied.last?["eDP-1"]??.transform == sent)
        }
        #expect(compositor.applied.count == 4)
    }

    @Test func `the end of the compositor and a protocol error are reported`() throws {
        let closing = try FakeCompositor(heads())
        let bench = try open(closing, ["SWAYSOCK": "/run/sway"])
        closing.close()
        try bench.run { bench.events.last == .ended("sway closed the connection") }
        let failing = try FakeCompositor(heads())
        let other = try open(failing, ["SWAYSOCK": "/run/sway"])
        failing.fail()
        try other.run { other.events.last == .ended("sway: protocol error 3 of zwlr_output_manager_v1") }
    }

    @Test func `a request that cannot be sent ends the connection, although there is nothing to read`() throws {
        let compositor = try FakeCompositor(heads(), ignoresEnd: true)
        let bench = try open(compositor, ["SWAYSOCK": "/run/sway"])
        let wanted = Layout.rotating("eDP-1", to: .rotated90, in: bench.outputs)
        _ = bench.takeEvents()
        compositor.failSending()
        bench.server?.apply(wanted)
        try bench.run { !bench.events.isEmpty }
        bench.server?.apply(wanted)
        try bench.runReady()
        #expect(bench.events == [.ended("sway closed the connection")])
    }

    @Test func `a compositor that does not reply is an error after the timeout`() throws {
        let compositor = try FakeCompositor([], isSilent: true)
        let bench = try LoopBench()
        let log = Logger { _, _ in }
        let session = DisplaySession(environment: compositor.environment, loop: bench.loop, log: log)
        let error = #expect(throws: DisplayServerError.self) { try WaylandConnection(session, timeout: 0.01) }
        #expect(error?.description.contains("timed out") == true)
    }

    @Test func `a compositor with a full backlog is an error`() throws {
        // Never accepts a connection.
        let compositor = try FakeWaylandServer()
        var waiting: [Int32] = []
        defer { for descriptor in waiting { close(descriptor) } }
        let isFull = #expect(throws: SocketError.self) {
            while true { waiting.append(try StreamSocket.connectedDescriptor(to: compositor.path).release()) }
        }
        #expect(isFull == .busy(path: compositor.path))
        let bench = try LoopBench()
        let log = Logger { _, _ in }
        let session = DisplaySession(environment: compositor.environment, loop: bench.loop, log: log)
        let error = #expect(throws: DisplayServerError.self) { try WaylandConnection(session, timeout: 0.01) }
        #expect(error?.description.contains("accepts no connections") == true)
        #expect(error?.isPermanent == false)
    }

    @Test func `a socket without a compositor is an error, no Wayland is none`() throws {
        let error = #expect(throws: DisplayServerError.self) {
            try DisplayBench(.wlr, environment: ["WAYLAND_DISPLAY": "/nonexistent/wayland-0"])
        }
        #expect(error?.description.contains("/nonexistent/wayland-0: cannot connect") == true)
        #expect(error?.description.contains("no compositor is listening") == true)
        #expect(throws: DisplayServerError.self) {
            try DisplayBench(.wlr, environment: ["WAYLAND_DISPLAY": "wayland-0"])
        }
        #expect(try DisplayBench(.wlr, environment: [:]).server == nil)
    }

    @Test func `the end of the output management is the last event`() throws {
        let compositor = try FakeCompositor(heads())
        let bench = try open(compositor, ["SWAYSOCK": "/run/sway"])
        #expect(bench.takeEvents().count == 1)
        compositor.finishManager()
        compositor.change { $0.removeFirst() }
        compositor.close()
        try bench.run { !bench.events.isEmpty }
        bench.server?.apply([])
        bench.server?.alignInput(with: Output(name: "eDP-1"))
        try bench.runReady()
        #expect(bench.events == [.ended("sway ended its output management")])
    }

    @Test func `more outputs than the limit are an error of the compositor`() throws {
        let many = (0...WaylandLimit.outputs).map { Head(name: "DP-\($0)") }
        let bench = try DisplayBench(
            .wlr, environment: try FakeCompositor(many).environment.merging(["SWAYSOCK": "/run/sway"]) { $1 })
        try bench.run { !bench.events.isEmpty }
        #expect(bench.events == [.ended("sway has more than 64 outputs")])
        let most = try DisplayBench(.wlr, environment: try FakeCompositor(many.dropLast()).environment)
        try most.run { most.outputs.count == WaylandLimit.outputs }
    }

    @Test func `globals beyond the limit are ignored`() throws {
        let server = try FakeWaylandServer()
        server.globals = Array(repeating: ("wl_seat", 1), count: WaylandLimit.globals + 10)
        server.start()
        let bench = try LoopBench()
        let log = Logger { _, _ in }
        let session = DisplaySession(environment: server.environment, loop: bench.loop, log: log)
        #expect(try WaylandConnection(session, timeout: 60)?.globals.count == WaylandLimit.globals)
    }
}
