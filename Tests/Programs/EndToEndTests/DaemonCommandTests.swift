// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing

/// `orientationctl daemon`, and `orientationctl` without a command.
@Suite(.serialized) struct DaemonCommandTests {
    /// The value of a row of the status.
    private func value(_ name: String, _ run: RunningProgram.Result) -> String? {
        run.output.first { $0.hasPrefix(name + " ") }?.dropFirst(name.count).drop { $0 == " " }.description
    }

    @Test func `the status has the version, the log level, the sensor, the clients and the failures`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:", "--log-level", "notice"])
        // `watch` would have a second connection now and then, for its checks of the daemon.
        var subscriber = try RawClient(to: daemon.socket)
        try subscriber.send(#"{"method":"org.orientationd.Orientation.Monitor","more":true}|"#)
        while try #require(try subscriber.message()).contains(#""orientation":"portrait""#) == false {}
        let run = try daemon.runTool("daemon")
        #expect(run.status == 0 && run.errors == "")
        #expect(value("socket", run) == daemon.socket)
        #expect(value("log level", run) == "notice")
        #expect(value("--sensor", run) == "fake:")
        #expect(value("sensor", run) == "fake:")
        #expect(value("subscribers", run) == "1")
        #expect(value("connections", run) == "2 of user \(geteuid())")
        #expect(value("failure", run) == nil)
        #expect(value("version", run) == (try daemon.runTool("--version").output.first?.dropFirst(15).description))
        try daemon.simulate("fail", "--duration", "3600")
        while try #require(try subscriber.message()).contains(#""orientation":"unknown""#) == false {}
        #expect(try #require(value("failure", try daemon.runTool("daemon"))).contains(/^\d+ s ago: ./))
        let json = try daemon.runTool("daemon", "--json")
        #expect(json.output.count == 1 && json.output.first?.contains(#""logLevel":"notice""#) == true)
    }

    @Test func `without a daemon both say so with status 1, and the next commands follow`() throws {
        let folder = try TemporaryDirectory()
        let options = toolOptions(folder.path + "/socket")
        let status = try RunningProgram.run(Programs.tool, options + ["daemon"])
        #expect(status.status == 1 && status.output == [])
        #expect(status.errors.hasPrefix("orientationctl: orientationd: not connected: "))
        let run = try RunningProgram.run(Programs.tool, options)
        #expect(run.status == 1 && run.errors == status.errors)
        #expect(run.output.first == "Next:")
        #expect(run.output.contains { $0.hasPrefix("  orientationctl doctor ") })
    }

    @Test func `without a command the state and three commands are printed, on a terminal and into a pipe`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeLeft")
        // A sensor that starts may take longer than the second that a call waits for it.
        let watch = try daemon.watch(until: "landscapeLeft")
        let run = try daemon.runTool()
        #expect(run.status == 0 && run.errors == "")
        let state = "right edge up: display needs 270° counter-clockwise"
        #expect(run.output.prefix(2) == [state, "sensor: fake:"])
        #expect(run.output.count { $0.hasPrefix("  ") } == 3)
        #expect(run.output.last == "'orientationctl --help' lists all commands.")
        let window = try TerminalWindow(80, 24, [Programs.tool] + toolOptions(daemon.socket))
        #expect(try window.end() == 0)
        #expect(try window.text.split(separator: "\n").map(String.init) == run.output.filter { !$0.isEmpty })
        #expect(try daemon.runTool("lock").status == 0)
        #expect(try daemon.runTool().output.contains { $0.hasPrefix("  orientationctl unlock ") })
        withExtendedLifetime(watch) {}
    }

    @Test func `display without the agent prints what the daemon knows, and without both how to install it`() throws {
        let daemon = try RunningDaemon(
            ["--sensor", "fake:", "--dbus"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
        let environment = ["PATH": "/nonexistent", "XDG_CURRENT_DESKTOP": "Phosh:GNOME"]
        let run = try RunningProgram.run(
            Programs.tool, toolOptions(daemon.socket) + ["display"], environment: environment)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output.first == "turned by      Phosh itself")
        #expect(
            run.output.last == "No desktop can follow the device: orientationd is not connected to the system bus.")
        let missing = try RunningProgram.run(
            Programs.tool, ["--socket", daemon.socket + ".none", "display"], environment: environment)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("orientationd: not connected: "))
        #expect(
            missing.errors.contains("; Phosh rotates the display itself; install the package orientationd-sensorproxy")
        )
        let elsewhere = try RunningProgram.run(
            Programs.tool, ["--socket", daemon.socket + ".none", "display"],
            environment: ["PATH": "/nonexistent", "XDG_CURRENT_DESKTOP": "sway"])
        #expect(elsewhere.errors.contains("install the package orientation-autorotate"))
    }

    @Test func `on a desktop that rotates the display itself, lock and status say that the lock does not apply to it`()
        throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeLeft")
        let watch = try daemon.watch(until: "landscapeLeft")
        let run = { (command: String...) in
            try RunningProgram.run(
                Programs.tool, toolOptions(daemon.socket, for: command.first) + command,
                environment: ["XDG_CURRENT_DESKTOP": "Phosh:GNOME"]
            ).output
        }
        let note = "Phosh has a rotation lock of its own: this one does not change what it shows"
        #expect(try run("lock", "natural") == ["rotation lock: on (top edge up)", note])
        let status = try run("status")
        #expect(status.first == "display        needs 270° counter-clockwise")
        #expect(status.contains("rotation lock  on (top edge up); \(note)"))
        #expect(try run().first == "right edge up: display needs 270° counter-clockwise")
        withExtendedLifetime(watch) {}
    }

    @Test func `the state is printed while the display server does not reply`() throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let watch = try daemon.watch(until: "portrait")
        let folder = try TemporaryDirectory()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let agent = "#!/bin/sh\nread line <'\(pipe)'\nexit 1\n"
        try Programs.write(agent, to: folder.path("orientation-autorotate"))
        let run = try RunningProgram(
            Programs.tool, toolOptions(daemon.socket),
            environment: ["PATH": "\(folder.path):/usr/bin:/bin", "WAYLAND_DISPLAY": "wayland-1"])
        _ = try run.lines { $0 == "sensor: iio:device0" }
        // ENXIO without a reader.
        #expect(eventually { close(open(pipe, O_WRONLY | O_NONBLOCK)) == 0 })
        let (status, output, _) = try run.finish()
        #expect(status == 0 && output.contains("Next:"))
        withExtendedLifetime(watch) {}
    }
}
