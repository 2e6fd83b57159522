// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@testable import Displays

/// A real X server without a screen. It refuses rotations; `make screen-vm-test` has one that does not.
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
        #expect(try bench.apply(wanted) == .failed("screen: the driver cannot rotate it to '90'"))
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
