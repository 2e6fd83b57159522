// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `orientationctl watch` on a terminal.
@Suite(.serialized) struct WatchViewTests {
    private static let setupSequence = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
    private static let restoreSequence = "\u{1b}[m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    private func watch(
        _ socket: String, _ columns: Int = 80, _ rows: Int = 24, _ options: [String] = [],
        environment: [String: String] = [:]
    ) throws -> TerminalWindow {
        try TerminalWindow(
            columns, rows, [Programs.tool] + toolOptions(socket, for: "watch") + ["watch"] + options,
            environment: environment)
    }

    @Test(arguments: ["q", "\u{3}", "TERM", "HUP"])
    func `the terminal is restored at every kind of end`(how: String) throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let window = try watch(daemon.socket)
        try window.until("top edge up", "● connected", "tilt", "samples/s", "q or Ctrl-C quits")
        #expect(try !window.showsCursor)
        #expect(try window.written.hasPrefix(Self.setupSequence))
        switch how {
        case "TERM": kill(window.child, SIGTERM)
        case "HUP": kill(window.child, SIGHUP)
        default: try window.type(how)
        }
        #expect(try window.end() == 0)
        #expect(try window.written.hasSuffix(Self.restoreSequence))
        #expect(try window.showsCursor)
    }

    @Test(arguments: [["--duration", "0.05"], ["--count", "2"]])
    func `the last state remains on the terminal when --count or --duration ends the picture`(options: [String]) throws
    {
        let folder = try TemporaryDirectory()
        let daemon = try StubDaemon(
            at: folder.path + "/socket", state: OrientationState(orientation: .faceUp, sequence: 1, instance: "one"))
        defer { withExtendedLifetime(daemon) {} }
        let window = try watch(folder.path + "/socket", 80, 24, options)
        if options.contains("--count") {
            try window.until("face up", "This daemon has no samples")
            daemon.publish(OrientationState(orientation: .faceDown, sequence: 2, instance: "one"))
        }
        #expect(try window.end() == 0)
        let last = options.contains("--count") ? "face down" : "face up"
        let written = try window.written
        #expect(written.hasPrefix(Self.setupSequence) && written.hasSuffix(Self.restoreSequence + last + "\r\n"))
    }

    @Test func `the picture follows the size of the terminal, down to none and back`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeRight")
        let window = try watch(daemon.socket)
        try window.until("left edge up", "face down", "q or Ctrl-C quits")
        try window.resize(40, 12)
        try window.until("left edge up", "x y z", "●")
        try window.resize(20, 5)
        try window.until("left edge up       ●\ndisplay")
        try window.resize(1, 1)
        try window.resize(200, 50)
        try window.until("left edge up", "length", "q or Ctrl-C quits")
    }

    @Test func `--no-color, NO_COLOR and TERM disable colors`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let usual = try watch(daemon.socket)
        #expect(try eventually { try usual.colours.contains("cyan") })
        #expect(try watch(daemon.socket, 80, 24, ["--no-color"]).colours(after: "samples/s") == ["default"])
        let wish = try watch(daemon.socket, environment: ["NO_COLOR": "1"])
        #expect(try wish.colours(after: "samples/s") == ["default"])
    }

    @Test(arguments: [(["--plain"], "xterm"), ([], "dumb")])
    func `a terminal without cursor addressing, or with --plain, gets lines`(options: [String], terminal: String) throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let window = try watch(daemon.socket, 80, 24, options + ["--count", "2"], environment: ["TERM": terminal])
        try window.until("top edge up")
        try daemon.simulate("faceUp")
        #expect(try window.end() == 0)
        #expect(try !window.written.contains("\u{1b}"))
    }

    @Test func `a lost daemon is reported, the last state remains, and watch reconnects`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let start = {
            try RunningProgram(
                Programs.daemon, ["--sensor", "fake:", "--socket", socket, "--state-directory", folder.path])
        }
        let window = try watch(socket)
        try window.until("no state yet", "not connected; retrying", "listening")
        let first = try start()
        try window.until("● connected", "samples/s")
        #expect(
            try RunningProgram.run(Programs.tool, toolOptions(socket) + ["simulate", "portraitUpsideDown"]).status == 0)
        try window.until("bottom edge up", "180°")
        first.send(SIGKILL)
        let lost = try window.until("not connected; retrying")
        #expect(lost.first?.contains("bottom edge up") == true)
        #expect(try eventually { try !window.text.contains("samples/s") })
        let second = try start()
        try window.until("● connected", "samples/s")
        try window.type("q")
        #expect(try window.end() == 0)
        second.send(SIGTERM)
    }

    @Test func `the bands are the daemon's, or those of --classifier`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:", "--classifier", "standard,edgeMargin=20"])
        try daemon.simulate("portrait")
        try watch(daemon.socket).until("right edge from 65°")
        try watch(daemon.socket, 80, 24, ["--classifier", "calm"]).until("right edge from 60°")
    }

    @Test func `a failing command is reported in the picture, and its output does not disturb it`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let window = try watch(
            daemon.socket, 80, 30, ["--debounce", "0", "--exec", "echo this and that; echo no such output; exit 3"])
        let screen = try window.until("exec: exited with status 3: no such output")
        #expect(!screen.joined().contains("this and that"))
    }
}

extension TerminalWindow {
    fileprivate func colours(after part: String) throws -> [String] {
        try until(part)
        return try colours
    }
}
