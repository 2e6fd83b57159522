// SPDX-License-Identifier: Apache-2.0

import CXCB
import Foundation
import Systemd
import SystemdTestSupport
import Testing
import TestSupport

@testable import Displays

/// A real X server without a screen. It refuses rotations; `screen-vm-test` has one that does not.
@Suite(.serialized, .timeLimit(.minutes(10))) struct X11ServerTests {
    private let xvfb: RunningProgram
    private let display: String

    init() throws {
        xvfb = try RunningProgram(
            "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset"])
        // It prints the number of its display once it listens.
        display = ":" + (try xvfb.line() ?? "")
    }

    private func open() throws -> DisplayBench {
        let bench = try DisplayBench(.x11, environment: ["DISPLAY": display])
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    /// A proxy that can make the server refuse requests.
    private func makeProxy() throws -> XProxy {
        let connection = try X11Connection(to: display, on: EventLoop())
        cxcb_prefetch_extensions(connection.handle)
        try connection.requireRandR()
        let opcode = try #require(cxcb_randr(connection.handle)).pointee.major_opcode
        return try XProxy(to: String(display.dropFirst()), randr: opcode)
    }

    /// Another client of the server.
    private func connectAnother(_ bench: DisplayBench) throws -> X11Connection {
        let other = try X11Connection(to: display, on: bench.loop)
        try other.requireRandR()
        return other
    }

    /// Turns the only CRTC off.
    private func turnOff(_ other: X11Connection) throws {
        var plan = try X11Plan([], on: other.readScreen())
        plan.turnedOff = try other.readScreen().controllers
        try other.perform(plan)
    }

    @Test func `an opened server sends its outputs first`() throws {
        let bench = try open()
        #expect(bench.server?.name == "X server \(display)")
        let output = Output(name: "screen", mode: PixelSize(width: 640, height: 400))
        #expect(bench.takeEvents() == [.outputs([output])])
    }

    @Test func `a rotation that the driver cannot do fails with the reason`() throws {
        let bench = try open()
        let former = bench.outputs
        let wanted = Layout.rotating("screen", to: .rotated90, in: former)
        #expect(try bench.apply(wanted) == .failed("the driver does not support '90'; use the modesetting driver"))
        #expect(try bench.apply(former) == .applied)
        #expect(bench.outputs == former)
    }

    @Test func `the outputs come before applied`() throws {
        let bench = try open()
        let outputs = bench.outputs
        _ = try bench.apply(outputs)
        #expect(bench.takeEvents() == [.outputs(outputs), .applied])
    }

    @Test func `an output that another client turns off is sent`() throws {
        let bench = try open()
        try turnOff(connectAnother(bench))
        try bench.run { bench.outputs.first?.isEnabled == false }
        #expect(bench.outputs == [Output(name: "screen", isEnabled: false)])
    }

    @Test func `outputs that changed before they were applied are outdated`() throws {
        let bench = try open()
        let former = bench.outputs
        try turnOff(connectAnother(bench))
        #expect(try bench.apply(former) == .outdated)
        #expect(bench.takeEvents().first == .outputs([Output(name: "screen", isEnabled: false)]))
    }

    @Test func `a position outside the greatest size of the screen fails with both sizes`() throws {
        let bench = try open()
        var outputs = bench.outputs
        outputs[0].position.x = 10
        #expect(
            try bench.apply(outputs)
                == .failed("the screen would be 650x400 pixels; the driver allows 640x400"))
    }

    @Test func `the end of the server is reported once`() throws {
        let bench = try open()
        _ = bench.takeEvents()
        xvfb.send(SIGKILL)
        _ = xvfb.wait()
        try bench.run { !bench.events.isEmpty }
        bench.server?.apply([])
        bench.server?.alignInput(with: Output(name: "screen"))
        try bench.runReady()
        #expect(bench.events == [.ended("the server is not running, refused the connection, or closed it")])
    }

    @Test func `the end of the server while it is called is reported`() throws {
        let bench = try open()
        let outputs = bench.outputs
        xvfb.send(SIGKILL)
        _ = xvfb.wait()
        #expect(
            try bench.apply(outputs) == .ended("the server is not running, refused the connection, or closed it"))
    }

    @Test func `a server that does not reply is lost`() throws {
        let bench = try open()
        let connection = try connectAnother(bench)
        connection.replyTimeout = 0.01
        xvfb.send(SIGSTOP)
        let failure = #expect(throws: X11Failure.self) { try connection.readScreen() }
        #expect(failure?.lastEvent == .lost("the server does not reply"))
    }

    @Test func `a screen that cannot be read is an error at the start`() throws {
        let proxy = try makeProxy()
        proxy.refuse(true)
        let error = #expect(throws: DisplayServerError.self) {
            _ = try DisplayBench(.x11, environment: ["DISPLAY": proxy.display])
        }
        #expect(error?.description == "X server \(proxy.display): request refused: BadCrtc")
    }

    @Test func `a screen that cannot be read after a change keeps its outputs until the next one`() throws {
        let proxy = try makeProxy()
        let bench = try DisplayBench(.x11, environment: ["DISPLAY": proxy.display])
        try bench.run { !bench.outputs.isEmpty }
        let outputs = bench.outputs
        let other = try connectAnother(bench)
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
        let plain = try RunningProgram(
            "/usr/bin/Xvfb",
            ["-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset", "-extension", "RANDR"])
        let display = ":" + (try plain.line() ?? "")
        let error = #expect(throws: DisplayServerError.self) {
            _ = try DisplayBench(.x11, environment: ["DISPLAY": display])
        }
        #expect(error?.description == "X server \(display): request refused: no extension RANDR")
    }

    @Test func `relative input devices are not mapped`() throws {
        let bench = try open()
        _ = bench.takeEvents()
        bench.server?.alignInput(with: bench.outputs.first ?? Output(name: "screen"))
        try bench.runReady()
        #expect(bench.events == [])
    }

    @Test func `without DISPLAY, and in a Wayland session, the session has no X server`() throws {
        for environment in [[:], ["DISPLAY": ""], ["DISPLAY": display, "WAYLAND_DISPLAY": "wayland-0"]] {
            #expect(try DisplayBench(.x11, environment: environment).server == nil)
        }
    }

    @Test func `a display without a server is an error`() {
        let error = #expect(throws: DisplayServerError.self) {
            _ = try DisplayBench(.x11, environment: ["DISPLAY": ":65000"])
        }
        #expect(
            error?.description == "X server :65000: cannot connect: the server is not running, refused the connection, "
                + "or closed it")
    }

    @Test func `an invalid DISPLAY is an error`() {
        let error = #expect(throws: DisplayServerError.self) {
            _ = try DisplayBench(.x11, environment: ["DISPLAY": "nonsense"])
        }
        #expect(error?.description == "X server nonsense: cannot connect: invalid value of DISPLAY")
    }
}
