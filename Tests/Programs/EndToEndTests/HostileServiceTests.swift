// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing
import Varlink

/// `orientationctl` and a hostile service: the tool ends with a result or an error, never by a signal, and prints no
/// control characters.
@Suite(.serialized) struct HostileServiceTests {
    private static let controls = "a\u{1B}[2J\u{9B}31m\u{202E}\u{7F}\n* forged"

    /// Runs the tool with a service that replies with these parameters to every call.
    private func run(_ arguments: String..., reply: JSONObject) throws -> (
        status: Int32, output: [String], errors: String
    ) {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let service = try HostileService(at: socket, version: Self.controls, reply: reply)
        defer { withExtendedLifetime(service) {} }
        return try RunningProgram.run(Programs.tool, toolOptions(socket, for: arguments.first) + arguments)
    }

    private func sensor(_ text: String, matrix: [JSONValue]) -> JSONObject {
        [
            "sensors": [
                [
                    "id": .string(text), "name": .string(text), "location": .string(text), "chosen": true,
                    "why": .string(text), "matrix": .array(matrix), "matrixSource": .string(text),
                    "warnings": [.string(text)],
                ]
            ]
        ]
    }

    private func sample(at timestamp: Int64) -> JSONValue {
        ["timestamp": .integer(timestamp), "x": 0.5, "y": 9.5, "z": 0.5]
    }

    @Test func `an invalid header of a recording is an error`() throws {
        let reply: JSONObject = ["origin": ["scale": [1.0]], "samples": [sample(at: 1)]]
        let run = try run("record", "-", reply: reply)
        #expect(run.status == 1)
        #expect(run.errors == "orientationctl: scale: expected 3 numbers, found 1\n")
    }

    @Test func `control characters are removed from text and escaped in JSON, and forge no line`() throws {
        let list = sensor(Self.controls, matrix: [1])
        let state: JSONObject = [
            "state": [
                "orientation": "unknown", "locked": false, "sequence": 1, "instance": .string(Self.controls),
                "timestamp": 1, "sensor": .string(Self.controls), "reason": .string(Self.controls),
            ]
        ]
        let motion: JSONObject = [
            "origin": ["device": .string(Self.controls), "matrixSource": .string(Self.controls)],
            "samples": [sample(at: 1)],
        ]
        let runs = [
            try run("sensors", reply: list), try run("sensors", "--json", reply: list), try run("status", reply: state),
            try run("status", "--json", reply: state), try run("record", "-", reply: motion),
            try run("watch", "--plain", "--count", "1", reply: state),
            try run("watch", "--json", "--count", "1", reply: state),
            try run("doctor", "--all", reply: list), try run("doctor", "--json", reply: list),
        ]
        for run in runs {
            let text = run.output.joined(separator: "\n") + run.errors
            let controls = text.unicodeScalars.filter {
                $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.generalCategory == .format)
            }
            #expect(controls.isEmpty, "\(text.debugDescription)")
            #expect(!run.output.contains { $0.hasPrefix("* forged") })
        }
    }
}
