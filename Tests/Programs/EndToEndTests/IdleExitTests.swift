// SPDX-License-Identifier: Apache-2.0

import Foundation
import SeededRandomness
import TestSupport
import Testing

/// A daemon that exits while it has no clients; a program that holds the socket as systemd does starts it again.
@Suite struct IdleExitTests {
    @Test func `no call is lost while the daemon exits`() throws {
        let folder = try TemporaryDirectory()
        let calls = (0..<3000).sampled.count
        let activator = try RunningProgram.run(
            "/usr/bin/python3",
            [
                Programs.packageFolder + "/Tests/Programs/EndToEndTests/Python/activator.py", folder.path + "/socket",
                "\(calls)", "\(calls / 10)",
                Programs.daemon, "--sensor", "iio:", "--idle-exit", "0.002", "--state-directory", folder.path,
                "--log-level", "error",
            ], timeout: 1_200)
        let words = try #require(activator.output.last).split { !$0.isNumber }.compactMap { Int($0) }
        try #require(words.count == 3, "\(activator.output)")
        #expect(words[0] >= calls && words[1] == words[0] && words[2] >= calls / 10, "\(activator.output)")
    }

    @Test func `a daemon that created its socket itself does not exit`() throws {
        let daemon = try RunningDaemon(["--sensor", "iio:", "--idle-exit", "0.001"])
        let first = try daemon.runTool("status", "--json")
        #expect(first.status == 0)
        // It would have exited before this call.
        let second = try daemon.runTool("status", "--json")
        #expect(second.status == 0)
        #expect(kill(daemon.program.identifier, 0) == 0)
    }
}
