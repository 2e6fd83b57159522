// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `watch --count`, with states set by the test.
@Suite(.serialized) struct StateCountTests {
    private let folder: TemporaryDirectory
    private let starting = OrientationState(sequence: 1, instance: "one", reason: "starting")

    init() throws { folder = try TemporaryDirectory() }

    private func tool(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(Programs.tool, toolOptions(folder.socket) + arguments)
    }

    @Test(arguments: [[], ["--json"], ["--exec", "echo ran for $ORIENTATION", "--debounce", "0"]])
    func `--count 1 prints the first orientation, not the state in which the sensor starts`(options: [String]) throws {
        // Directly after it: the tool waits only 1 s.
        let next = OrientationState(orientation: .faceUp, sequence: 2, instance: "one")
        let daemon = try StubDaemon(at: folder.socket, state: starting, followedBy: next)
        defer { withExtendedLifetime(daemon) {} }
        let watch = try tool(["watch", "--count", "1"] + options)
        let line = try watch.line()
        #expect(line?.contains("faceUp") == true)
        #expect(watch.wait() == 0)
        #expect(watch.errorText == (options.contains("--exec") ? "ran for faceUp\n" : ""))
    }

    @Test func `--count 1 without an orientation prints the reason, as status does`() throws {
        let daemon = try StubDaemon(at: folder.socket, state: starting)
        defer { withExtendedLifetime(daemon) {} }
        let watch = try tool(["watch", "--count", "1"])
        #expect(try watch.line() == "unknown: starting")
        #expect(watch.wait() == 0)
    }

    @Test(arguments: [[], ["--json"]])
    func `status --watch prints from the first orientation on, as status does`(options: [String]) throws {
        let daemon = try StubDaemon(at: folder.socket, state: starting)
        defer { withExtendedLifetime(daemon) {} }
        let status = try tool(["status", "--watch"] + options)
        // At once: the tool waits only 1 s. In one message with the first state it would skip that.
        #expect(eventually { !daemon.lidRequests.isEmpty })
        daemon.publish(OrientationState(orientation: .faceUp, sequence: 2, instance: "one"))
        #expect(try status.lines { $0.contains("faceUp") }.count == (options.isEmpty ? 2 : 1))
        status.send(SIGINT)
        #expect(status.wait() == 0)
    }

    @Test func `status --watch without an orientation prints the reason after the timeout`() throws {
        let daemon = try StubDaemon(at: folder.socket, state: starting)
        defer { withExtendedLifetime(daemon) {} }
        let status = try tool(["status", "--watch"])
        #expect(
            try status.lines { $0.hasPrefix("sensor") }.prefix(3) == [
                "display        unknown: no edge has been up yet", "orientation    unknown", "reason         starting",
            ])
        status.send(SIGINT)
        #expect(status.wait() == 0)
    }

    @Test func `status --watch prints each change, and --timestamps the time of each line`() throws {
        let daemon = try StubDaemon(
            at: folder.socket, state: OrientationState(orientation: .portrait, sequence: 2, instance: "one"))
        defer { withExtendedLifetime(daemon) {} }
        let status = try tool(["status", "--watch"])
        _ = try status.lines { $0.hasPrefix("sensor") }
        daemon.publish(OrientationState(orientation: .faceUp, sequence: 3, instance: "one"))
        let report = try status.lines { $0.hasPrefix("sensor") }
        #expect(report.first == "" && report.dropFirst(2).first == "orientation    faceUp")
        status.send(SIGINT)
        #expect(status.wait() == 0)
        let watch = ["watch", "--count", "1", "--timestamps"]
        let line = try #require(try tool(watch).line())
        let time = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}[+-][0-9]{4} faceUp/
        #expect(line.wholeMatch(of: time) != nil, "\(line)")
        #expect(try tool(watch + ["--json"]).line()?.contains(#""time":"20"#) == true)
    }
}
