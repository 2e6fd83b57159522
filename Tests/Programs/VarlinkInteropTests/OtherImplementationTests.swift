// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import TestServer
import TestSupport
import Testing
import Varlink

/// Third-party clients.
@Suite(.timeLimit(.minutes(10))) struct OtherImplementationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Runs a client, and publishes a state after each of the first two that it prints.
    private func output(of script: String) throws -> [String] {
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let folder = Programs.packageFolder + "/Tests/Programs/VarlinkInteropTests/Python/"
        let client = try RunningProgram(Programs.python, [folder + script, directory.socket])
        var output: [String] = []
        for sequence in 2...3 {
            while let line = try client.line() {
                output.append(line)
                if line.hasPrefix("monitor:") { break }
            }
            daemon.publish(.number(sequence))
        }
        let end = try client.finish()
        #expect(end.status == 0, "\(end.errors)")
        return output + end.output
    }

    @Test func `PyPI's varlink calls, subscribes and reads errors`() throws {
        let output = try output(of: "varlink_client.py")
        #expect(
            output == [
                "product: test",
                "interfaces: org.varlink.service org.orientationd.Orientation",
                "documented: The orientation of the device, for every local program.",
                "get: portrait",
                "error: org.orientationd.Orientation.SensorUnavailable none was found",
                "error: org.varlink.service.InterfaceNotFound org.example.missing",
                "monitor: 1 portrait", "monitor: 2 portraitUpsideDown", "monitor: 3 landscapeLeft",
            ])
    }

    @Test func `PyPI's asyncvarlink calls, pipelines and subscribes`() throws {
        let output = try output(of: "asyncvarlink_client.py")
        #expect(
            output == [
                "product: test",
                "interfaces: org.varlink.service org.orientationd.Orientation",
                "described: True",
                "pipelined: portrait portrait",
                "error: org.orientationd.Orientation.SensorUnavailable",
                "monitor: 1 portrait", "monitor: 2 portraitUpsideDown", "monitor: 3 landscapeLeft",
            ])
    }
}
