// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Third-party Varlink clients and the real daemon.
@Suite(.serialized) struct ThirdPartyClientTests {
    @Test func `PyPI's varlink gets the info, the description and the state, and subscribes`() throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let script = """
            import sys, varlink
            with varlink.Client(address="unix:" + sys.argv[1]) as client:
                with client.open("org.varlink.service") as service:
                    print(service.GetInfo()["product"])
                    print(service.GetInterfaceDescription("org.orientationd.Orientation")["description"].splitlines()[1])
                with client.open("org.orientationd.Orientation") as orientation:
                    print(orientation.Get()["state"]["orientation"])
                    for reply in orientation.Monitor(_more=True):
                        print(reply["state"]["orientation"], flush=True)
            """
        let client = try RunningProgram(Programs.python, ["-c", script, daemon.socket])
        #expect(try client.line() == "orientationd")
        #expect(try client.line() == "interface org.orientationd.Orientation")
        #expect(try client.line() == "portrait")
        #expect(try client.line() == "portrait")
        try daemon.machine?.hold(.upright, 1, 0, 0)
        #expect(try client.line() == "landscapeLeft")
    }

    @Test func `PyPI's asyncvarlink subscribes to the state`() throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let script = """
            import asyncio, sys
            from asyncvarlink import VarlinkClientProtocol, connect_unix_varlink
            from orientation_interface import Orientation

            async def main():
                transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
                async for reply in protocol.make_proxy(Orientation).Monitor():
                    print(reply["state"].orientation.name, flush=True)

            asyncio.run(main())
            """
        let client = try RunningProgram(
            Programs.python, ["-c", script, daemon.socket],
            environment: ["PYTHONPATH": Programs.packageFolder + "/Tests/Programs/VarlinkInteropTests/Python"])
        _ = try client.lines { $0 == "portrait" }
        try daemon.machine?.hold(.upright, 0, 0, 1)
        #expect(try client.line() == "faceUp")
    }

    @Test func `a shell with socat gets the state`() throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let line =
            #"printf '{"method":"org.orientationd.Orientation.Get"}\0' | socat -t 5 - UNIX-CONNECT:"$1" | tr '\0' '\n'"#
        let shell = try RunningProgram.run("/bin/sh", ["-c", line, "sh", daemon.socket])
        #expect(shell.output.first?.contains(#""orientation":"portrait""#) == true)
    }

    @Test func `a oneway call gets no reply, and the call after it gets one`() throws {
        let daemon = try RunningDaemon([], devices: [.upright])
        let calls = [
            #"{"method":"org.orientationd.Orientation.Get","oneway":true}"#,
            #"{"method":"org.varlink.service.GetInfo"}"#,
        ].map { $0 + "\\0" }.joined()
        let line = "printf '\(calls)' | socat -t 5 - UNIX-CONNECT:\"$1\" | tr '\\0' '\\n'"
        let shell = try RunningProgram.run("/bin/sh", ["-c", line, "sh", daemon.socket])
        #expect(shell.output.count == 1)
        #expect(shell.output.first?.contains("vendor") == true)
    }

    @Test func `the README's socat line prints each state immediately, also into a pipe`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let readme = try String(contentsOfFile: Programs.packageFolder + "/README.md", encoding: .utf8)
        let lines = readme.split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.hasPrefix("    printf '{\"method\"") })
        let command = lines[first...].prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
            .replacing("/run/orientationd/orientationd.sock", with: daemon.socket)
        let client = try RunningProgram("/bin/sh", ["-c", command])
        #expect(try client.line()?.contains("orientation") == true)
        #expect(try daemon.runTool("simulate", "faceDown").status == 0)
        _ = try client.lines { $0.contains("faceDown") }
        // The pipeline ends with its connection; a signal would end the shell only.
        daemon.program.send(SIGTERM)
        #expect(client.wait() == 0)
    }
}
