// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemdTestSupport
import TestSupport
import Testing
import Varlink

@testable import Displays

@Suite(.serialized, .timeLimit(.minutes(10))) struct SwayInputTests {
    private let directory: TemporaryDirectory
    private let compositor: FakeCompositor
    /// The socket of the running sway: the process of the compositor is this one.
    private var socket: String { directory.path("sway-ipc.\(getuid()).\(getpid()).sock") }

    init() throws {
        directory = try TemporaryDirectory()
        compositor = try FakeCompositor([.init(name: "eDP-1")])
    }

    /// Opens sway with this value of SWAYSOCK.
    private func open(_ path: String) throws -> DisplayBench {
        let more = ["XDG_RUNTIME_DIR": directory.path, "SWAYSOCK": path]
        let bench = try DisplayBench(.wlr, environment: compositor.environment.merging(more) { $1 })
        try bench.run { !bench.outputs.isEmpty }
        return bench
    }

    /// Maps input, and expects its requests at a listener.
    private func expectRequests(of bench: DisplayBench, at listener: borrowing ListeningSocket) throws {
        bench.server?.alignInput(with: bench.outputs[0])
        guard let peer = try listener.accept() else { return #expect(Bool(false), "no connection") }
        let requests: [SwayConnection.Request] = [
            .subscribe(.inputs), .subscribe(.workspaces), .subscribe(.outputs), .outputs, .inputs,
        ]
        let expected = requests.flatMap(SwayDecoder.encode)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let received = try bytes.withUnsafeMutableBytes { try peer.receive(into: $0) }
        #expect(received == .bytes(expected.count))
        #expect(bytes.starts(with: expected))
    }

    @Test func `a SWAYSOCK of an earlier sway does not hide the socket of the running one`() throws {
        let listener = try ListeningSocket.bind(to: socket, mode: 0o600)
        let bench = try open(directory.path("stale"))
        try expectRequests(of: bench, at: listener)
        #expect(bench.messages.texts == [])
    }

    @Test func `a reload of the configuration is an event; other changes of workspaces are none`() throws {
        let listener = try ListeningSocket.bind(to: socket, mode: 0o600)
        let bench = try open(socket)
        bench.server?.alignInput(with: bench.outputs[0])
        guard let peer = try listener.accept() else { return #expect(Bool(false), "no connection") }
        _ = bench.takeEvents()
        for change in ["init", "reload", "focus"] {
            var event = SwayDecoder.encode(.command(#"{"change":"\#(change)","old":null}"#))
            withUnsafeBytes(of: SwayDecoder.MessageType.workspaceEvent) { event.replaceSubrange(10..<14, with: $0) }
            _ = try event.withUnsafeBytes { try peer.send($0) }
        }
        try bench.run { !bench.events.isEmpty }
        try bench.runReady()
        #expect(bench.events == [.reloaded])
    }

    @Test func `an output is dark while sway says that its power is off, until the connection ends`() throws {
        let listener = try ListeningSocket.bind(to: socket, mode: 0o600)
        let bench = try open(socket)
        bench.server?.alignInput(with: bench.outputs[0])
        func serve() throws {
            guard let peer = try listener.accept() else { return #expect(Bool(false), "no connection") }
            func send(_ type: UInt32, _ text: String) throws {
                var message = SwayDecoder.encode(.command(text))
                withUnsafeBytes(of: type) { message.replaceSubrange(10..<14, with: $0) }
                _ = try message.withUnsafeBytes { try peer.send($0) }
            }
            _ = bench.takeEvents()
            let others = #"{"name":"HDMI-A-1","power":true},{"name":"DP-1"},{"power":false},1"#
            for power in ["power", "dpms"] {
                for isOn in [false, true] {
                    try send(SwayDecoder.MessageType.outputEvent, #"{"change":"unspecified"}"#)
                    let output = #"{"name":"eDP-1","\#(power)":\#(isOn)}"#
                    try send(SwayDecoder.MessageType.outputs, "[\(output),\(others)]")
                    try bench.run { !bench.events.isEmpty }
                    #expect(bench.takeEvents() == [.darkOutputs(isOn ? [] : ["eDP-1"])])
                }
            }
            try send(SwayDecoder.MessageType.outputs, #"[{"name":"eDP-1","power":false}]"#)
            try bench.run { bench.takeEvents() == [.darkOutputs(["eDP-1"])] }
        }
        try serve()
        try bench.run { bench.takeEvents() == [.darkOutputs([])] }
    }

    @Test func `without the default socket, SWAYSOCK is used`() throws {
        let listener = try ListeningSocket.bind(to: directory.socket, mode: 0o600)
        try expectRequests(of: try open(directory.socket), at: listener)
    }

    @Test func `a socket without sway is reported once until it was connected`() throws {
        let bench = try open(directory.path("stale"))
        for _ in 1...3 { bench.server?.alignInput(with: bench.outputs[0]) }
        #expect(
            bench.messages.texts == [
                "sway: cannot map touch screens and pens: cannot connect to \(socket): no service is listening; "
                    + "cannot connect to \(directory.path("stale")): no service is listening"
            ])
    }
}
