// SPDX-License-Identifier: Apache-2.0

import CXCB
import Foundation
import Systemd
import SystemdTestSupport
import TestSupport
import Testing

@testable import Displays

/// A real X server refuses rotations; `screen-vm-test` has one that does not.
@Suite(.serialized, .timeLimit(.minutes(10))) struct X11ServerTests {
    private let server: TestXServer
    private var display: String { server.display }

    init() throws {
        server = try TestXServer()
    }

    private func open() throws -> DisplayBench {
        let bench = try server.open()
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    /// A proxy that can make the server refuse requests.
    private func makeProxy() throws -> XProxy {
        let connection = try X11Connection(to: display)
        try connection.requireRandR()
        let opcode = try #require(cxcb_randr(connection.handle)).pointee.major_opcode
        return try XProxy(to: String(display.dropFirst()), randr: opcode)
    }

    /// Another client of the server.
    private func connectAnother() throws -> X11Connection {
        let other = try X11Connection(to: display)
        try other.requireRandR()
        return other
    }

    /// Turns the only CRTC off.
    private func turnOff(_ other: X11Connection) throws {
        var plan = try X11Plan([], on: other.readScreen())
        plan.turnedOff = try other.readScreen().controllers
        try other.perform(plan)
    }

    @Test func `an output that another client turns off is sent`() throws {
        let bench = try open()
        try turnOff(connectAnother())
        try bench.run { bench.outputs.first?.isEnabled == false }
        #expect(bench.outputs == [Output(name: "screen", isEnabled: false)])
    }

    @Test func `while another client has grabbed the server the loop runs, and afterwards it configures`() throws {
        let bench = try open()
        let other = try connectAnother()
        let outputs = bench.outputs
        xcb_grab_server(other.handle)
        // With the reply to a later request, the server is grabbed.
        _ = try other.readScreen()
        _ = bench.takeEvents()
        bench.server?.apply(outputs)
        var isDispatched = false
        let timer = try bench.loop.timer { isDispatched = true }
        timer.fire(after: 0)
        try bench.run { isDispatched }
        #expect(bench.events == [])
        xcb_ungrab_server(other.handle)
        other.flush()
        try bench.run { bench.events.contains(.applied) }
        #expect(bench.events == [.outputs(outputs), .applied])
    }

    @Test func `of two configurations that wait for the server the newer is applied`() throws {
        let bench = try open()
        let other = try connectAnother()
        let outputs = bench.outputs
        xcb_grab_server(other.handle)
        _ = try other.readScreen()
        _ = bench.takeEvents()
        // The thread begins with one of them; no other request shows when.
        for _ in 0..<3 { bench.server?.apply(Layout.rotating("screen", to: .rotated90, in: outputs)) }
        bench.server?.apply(outputs)
        xcb_ungrab_server(other.handle)
        other.flush()
        try bench.run { bench.events.contains(.applied) }
        let failures = bench.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failures.count <= 1)
        #expect(bench.events.suffix(2) == [.outputs(outputs), .applied])
    }

    @Test func `a screen that cannot be read after a change keeps its outputs until the next one`() throws {
        let proxy = try makeProxy()
        let bench = try DisplayBench(.x11, environment: ["DISPLAY": proxy.display])
        try bench.run { !bench.outputs.isEmpty }
        let outputs = bench.outputs
        let other = try connectAnother()
        let controllers = try other.readScreen().controllers
        proxy.refuse(true)
        #expect(try bench.apply(outputs) == .failed("BadCrtc"))
        _ = bench.takeEvents()
        try turnOff(other)
        try bench.run { bench.messages.texts.contains { $0.hasSuffix("request refused: BadCrtc") } }
        #expect(bench.events == [])
        proxy.refuse(false)
        var plan = try X11Plan([], on: other.readScreen())
        plan.set = controllers
        try other.perform(plan)
        try turnOff(other)
        try bench.run { bench.outputs.first?.isEnabled == false }
        #expect(try bench.apply(bench.outputs) == .applied)
    }

    @Test func `a server without RandR is an error`() throws {
        let plain = try TestXServer("-extension", "RANDR")
        let error = #expect(throws: DisplayServerError.self) { _ = try plain.open() }
        #expect(error?.description == "X server \(plain.display): it lacks the extension RANDR")
    }

    @Test func `without DISPLAY, and in a Wayland session, the session has no X server`() throws {
        for environment in [[:], ["DISPLAY": display, "WAYLAND_DISPLAY": "wayland-0"]] {
            #expect(try DisplayBench(.x11, environment: environment).server == nil)
        }
    }

    @Test(arguments: [
        (":65000", "the server is not running, refused the connection, or closed it"),
        ("nonsense", "invalid value of DISPLAY"),
    ])
    func `a display without a server and an invalid DISPLAY are errors`(display: String, cause: String) {
        let error = #expect(throws: DisplayServerError.self) {
            _ = try DisplayBench(.x11, environment: ["DISPLAY": display])
        }
        #expect(error?.description == "X server \(display): cannot connect: \(cause)")
    }
}
