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
