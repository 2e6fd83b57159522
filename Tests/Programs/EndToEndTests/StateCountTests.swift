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
        try RunningProgram(Programs.tool, toolOptions(folder.socket, for: arguments.first) + arguments)
    }

    @Test(arguments: [[], ["--json"], ["--exec", "echo ran for $ORIENTATION", "--debounce", "0"]])
    func `--count 1 prints the first orientation, not the state in which the sensor starts`(options: [String]) throws {
        // Directly after it: the tool waits only 1 s.
        let next = OrientationState(orientation: .faceUp, sequence: 2, instance: "one")
        let daemon = try StubDaemon(at: folder.socket, state: starting, followedBy: next)
        defer { withExtendedLifetime(daemon) {} }
        let watch = try tool(["watch", "--count", "1"] + options)
        let line = try watch.line()
        #expect(line?.contains(options == ["--json"] ? "faceUp" : "face up") == true)
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

    @Test func `--timestamps prints the time of each line`() throws {
        let daemon = try StubDaemon(
            at: folder.socket, state: OrientationState(orientation: .faceUp, sequence: 2, instance: "one"))
        defer { withExtendedLifetime(daemon) {} }
        let watch = ["watch", "--count", "1", "--timestamps"]
        let line = try #require(try tool(watch).line())
        let time = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}[+-][0-9]{4} face up/
        #expect(line.wholeMatch(of: time) != nil, "\(line)")
        #expect(try tool(watch + ["--json"]).line()?.contains(#""time":"20"#) == true)
    }
}
