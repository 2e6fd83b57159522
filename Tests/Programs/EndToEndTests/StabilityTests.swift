// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `docs/stability.md` promises of the programs: a failure here is a change to announce, not a test to correct.
@Suite(.serialized) struct StabilityTests {
    /// By command: the members that its JSON object, or the first object of its list, has at least.
    static let members: [(command: [String], members: [String])] = [
        (
            ["status", "--json"],
            [
                "disturbance", "instance", "lastEdge", "locked", "natural", "orientation", "panelEdge", "rotation",
                "sensor", "sequence", "tilt", "timestamp",
            ]
        ),
        (
            ["watch", "--json", "--count", "1"],
            ["locked", "natural", "orientation", "panelEdge", "rotation", "sensor", "sequence"]
        ),
        (
            ["sensors", "--json"],
            ["chosen", "id", "location", "matrix", "matrixSource", "name", "natural", "warnings", "why"]
        ),
        (
            ["daemon", "--json"],
            [
                "changes", "connections", "dropped", "failures", "instance", "logLevel", "samples", "sensor", "source",
                "subscribers", "uptime", "version",
            ]
        ),
        (["lock", "--json", "top"], ["locked", "lockedTo", "panelEdge"]),
        (["unlock", "--json"], ["locked"]),
        (["doctor", "--json"], ["findings", "notes", "problems"]),
    ]

    @Test func `the members of JSON stay`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        _ = try daemon.state
        for (command, members) in Self.members {
            let text = try daemon.runTool(command).output.joined()
            let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let list = json as? [[String: Any]]
            let object = try #require(list?.first ?? json as? [String: Any], "\(command): \(text)")
            #expect(Set(members).subtracting(object.keys).isEmpty, "\(command): \(text)")
        }
    }

    @Test(arguments: [
        (Programs.tool, ["--no-such-option"], EX_USAGE), (Programs.tool, ["status"], EXIT_FAILURE),
        (Programs.daemon, ["--no-such-option"], EX_USAGE),
        (Programs.daemon, ["--sensor", "replay:/nonexistent"], EX_NOINPUT),
        (Programs.agent, ["--no-such-option"], EX_USAGE), (Programs.agent, [], EX_UNAVAILABLE),
        (Programs.tabletSwitch, ["--no-such-option"], EX_USAGE),
    ])
    func `exit statuses stay`(program: String, arguments: [String], status: Int32) throws {
        let folder = try TemporaryDirectory()
        let result = try RunningProgram.run(
            program, arguments,
            environment: ["ORIENTATIOND_SOCKET": folder.path + "/socket", "XDG_RUNTIME_DIR": folder.path])
        #expect(result.status == status, "\(result.errors)")
    }
}
