// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Third-party Varlink clients and the real daemon.
@Suite(.serialized) struct ThirdPartyClientTests {
    @Test func `the socat line of docs/apps.md prints each state immediately, also into a pipe`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let page = try String(contentsOfFile: Programs.packageFolder + "/docs/apps.md", encoding: .utf8)
        let lines = page.split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.hasPrefix("    printf '{\"method\"") })
        let command = lines[first...].prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
            .replacing("/run/orientationd/orientationd.sock", with: daemon.socket)
        let client = try RunningProgram("/bin/sh", ["-c", command])
        #expect(try client.line()?.contains("orientation") == true)
        try daemon.simulate("faceDown")
        _ = try client.lines { $0.contains("faceDown") }
        // The pipeline ends with its connection; a signal would end the shell only.
        daemon.program.send(SIGTERM)
        #expect(client.wait() == 0)
    }
}
