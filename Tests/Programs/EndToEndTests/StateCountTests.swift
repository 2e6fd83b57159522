// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `watch --count`, with states set by the test.
@Suite(.serialized) struct StateCountTests {
    private let folder: TemporaryDirectory
    private let daemon: StubDaemon

    init() throws {
        folder = try TemporaryDirectory()
        daemon = try StubDaemon(
            at: folder.path + "/socket", state: OrientationState(sequence: 1, instance: "one", reason: "starting"))
    }

    private func watch(_ options: String...) throws -> RunningProgram {
        try RunningProgram(Programs.tool, ["--socket", folder.path + "/socket", "watch", "--count", "1"] + options)
    }

    @Test(arguments: [[], ["--json"], ["--exec", "echo ran for $ORIENTATION", "--debounce", "0"]])
    func `--count 1 prints the first orientation, not the state in which the sensor starts`(options: [String]) throws {
        let watch = try RunningProgram(
            Programs.tool, toolOptions(folder.path + "/socket") + ["watch", "--count", "1"] + options)
        while daemon.peerCount == 0 { sched_yield() }
        daemon.publish(OrientationState(orientation: .faceUp, sequence: 2, instance: "one"))
        let line = try watch.line()
        #expect(line?.contains("faceUp") == true)
        #expect(watch.wait() == 0)
        #expect(watch.errorText == (options.contains("--exec") ? "ran for faceUp\n" : ""))
    }

    @Test func `--count 1 without an orientation prints the reason, as status does`() throws {
        let watch = try watch()
        #expect(try watch.line() == "unknown: starting")
        #expect(watch.wait() == 0)
    }

    @Test(arguments: [[], ["--json"]])
    func `status --watch prints from the first orientation on, as status does`(options: [String]) throws {
        let status = try RunningProgram(
            Programs.tool, toolOptions(folder.path + "/socket") + ["status", "--watch"] + options)
        while daemon.peerCount == 0 { sched_yield() }
        // The first state arrives long before the start and the reply of another program.
        _ = try RunningProgram.run(Programs.tool, toolOptions(folder.path + "/socket") + ["status"])
        daemon.publish(OrientationState(orientation: .faceUp, sequence: 2, instance: "one"))
        #expect(try status.lines { $0.contains("faceUp") }.count == (options.isEmpty ? 2 : 1))
        status.send(SIGINT)
        #expect(status.wait() == 0)
    }

    @Test func `status --watch without an orientation prints the reason after the timeout`() throws {
        let status = try RunningProgram(Programs.tool, ["--socket", folder.path + "/socket", "status", "--watch"])
        #expect(
            try status.lines { $0.hasPrefix("sensor") }.prefix(3) == [
                "display        unknown: no edge has been up yet", "orientation    unknown", "reason         starting",
            ])
        status.send(SIGINT)
        #expect(status.wait() == 0)
    }

    @Test func `status --watch prints each change, and --timestamps the time of each line`() throws {
        daemon.publish(OrientationState(orientation: .portrait, sequence: 2, instance: "one"))
        let status = try RunningProgram(Programs.tool, ["--socket", folder.path + "/socket", "status", "--watch"])
        _ = try status.lines { $0.hasPrefix("sensor") }
        daemon.publish(OrientationState(orientation: .faceUp, sequence: 3, instance: "one"))
        let report = try status.lines { $0.hasPrefix("sensor") }
        #expect(report.first == "" && report.dropFirst(2).first == "orientation    faceUp")
        status.send(SIGINT)
        #expect(status.wait() == 0)
        let line = try #require(try watch("--timestamps").line())
        let time = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}[+-][0-9]{4} faceUp/
        #expect(line.wholeMatch(of: time) != nil, "\(line)")
        #expect(try watch("--timestamps", "--json").line()?.contains(#""time":"20"#) == true)
    }
}
