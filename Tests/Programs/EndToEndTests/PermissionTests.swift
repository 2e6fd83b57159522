// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Permissions of users other than root and the daemon's user. Needs root to change the user.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can call as another user"))
struct PermissionTests {
    /// Calls as the user `nobody`, from Python; returns each raw reply or error.
    private func call(_ daemon: RunningDaemon, _ calls: [String], group: Int = 65534) throws -> [String] {
        let script = """
            import os, socket, sys
            os.setgroups([])
            os.setgid(int(sys.argv[2]))
            os.setuid(65534)
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1])
            for call in sys.argv[3:]:
                client.sendall(call.encode() + b"\\0")
                reply = b""
                while not reply.endswith(b"\\0"):
                    reply += client.recv(65536)
                print(reply[:-1].decode())
            """
        return try RunningProgram.run(
            Programs.python, ["-c", script, daemon.socket, String(group)] + calls
        ).output
    }

    @Test func `any user can read the orientation, and other calls are refused with the required group`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let replies = try call(
            daemon,
            [
                #"{"method":"org.orientationd.Orientation.Get"}"#, #"{"method":"org.varlink.service.GetInfo"}"#,
                #"{"method":"org.orientationd.Control.Status"}"#,
                #"{"method":"org.orientationd.Control.SetLogLevel","parameters":{"level":"debug"}}"#,
                #"{"method":"org.orientationd.Control.SetRotationLock","parameters":{"locked":true}}"#,
                #"{"method":"org.orientationd.Control.ToggleRotationLock"}"#,
                #"{"method":"org.orientationd.Simulator.SetPose","parameters":{"pose":"faceUp"}}"#,
            ])
        try #require(replies.count == 7)
        #expect(replies[0].contains(#""orientation""#))
        #expect(replies[1].contains("org.orientationd.Control"))
        let trusted = #""needs":"root, the daemon's own user, or membership in the group orientation""#
        #expect(replies[2].hasPrefix(#"{"error":"org.orientationd.Control.PermissionDenied""#))
        #expect(replies[2].contains(trusted))
        #expect(replies[3].contains(trusted))
        #expect(replies[4].contains(#""needs":"an active session of logind at this machine"#))
        #expect(replies[5] == replies[4])
        #expect(replies[6].hasPrefix(#"{"error":"org.orientationd.Simulator.PermissionDenied""#))
    }

    @Test func `the tool names the required group`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        chmod(daemon.folder.path, 0o755)
        let tool = daemon.folder.path + "/tool"
        try Programs.copy(Programs.tool, to: tool)
        let words = ["--reuid", "65534", "--regid", "65534", "--clear-groups", tool, "--socket", daemon.socket]
        let lock = try RunningProgram.run("/usr/bin/setpriv", words + ["lock", "portrait-primary"])
        #expect(lock.status == 1)
        #expect(
            lock.errors
                == "orientationctl: orientationd: permission denied: requires an active session of logind at this "
                + "machine, root, or membership in the group orientation, which needs no session; join "
                + "it with 'sudo gpasswd -a $USER orientation', then log in again\n")
        let record = try RunningProgram.run("/usr/bin/setpriv", words + ["record", "-"])
        #expect(record.status == 1)
        #expect(
            record.errors.contains(
                "requires root, the daemon's own user, or membership in the group orientation; join it with "
                    + "'sudo gpasswd -a $USER orientation', then log in again"))
    }

    @Test func `a user at its limit of connections is refused, and root is not limited`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:", "--connections-per-user", "3"])
        let script = """
            import os, socket, sys
            def connect():
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                return client
            def answer(client):
                try:
                    client.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
                except OSError:
                    pass
                return client.recv(65536)[:-1].decode()[:60]
            roots = [connect() for _ in range(10)]
            print(sum("vendor" in answer(client) for client in roots), flush=True)
            os.setgroups([])
            os.setuid(65534)
            clients = [connect() for _ in range(4)]
            print([("vendor" if "vendor" in text else text) for text in map(answer, clients)], flush=True)
            """
        let run = try RunningProgram.run(Programs.python, ["-c", script, daemon.socket])
        let refused = #"{"error":"org.orientationd.Orientation.LimitReached","parame"#
        #expect(run.output == ["10", "['vendor', 'vendor', 'vendor', '\(refused)']"])
        #expect(daemon.program.errorText.contains("refused a client of user 65534"))
    }

    @Test func `root is served, and a new user is refused, when many users fill the table`() throws {
        let daemon = try RunningDaemon(
            ["--sensor", "fake:", "--connections", "80", "--connections-per-user", "20"])
        chmod(daemon.folder.path, 0o755)
        let script = """
            import os, socket, sys
            def connect(user):
                os.seteuid(user)
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                os.seteuid(0)
                return client
            def is_served(client):
                try:
                    client.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
                    return "vendor" in client.recv(65536).decode()
                except OSError:
                    return False
            hostile = [connect(user) for user in range(2001, 2005) for _ in range(20)]
            root = connect(0)
            # Accepted after the others: all decisions are made before the first hostile client sends a call.
            is_root_served = is_served(root)
            print(sum(map(is_served, hostile)), is_root_served, flush=True)
            new = [connect(3000) for _ in range(3)]
            print([is_served(client) for client in new], sum(map(is_served, hostile)), flush=True)
            more = [connect(0) for _ in range(10)]
            print([is_served(client) for client in more + [root]].count(False), flush=True)
            """
        let run = try RunningProgram.run(Programs.python, ["-c", script, daemon.socket])
        #expect(run.output == ["60 True", "[False, False, False] 60", "0"], "\(run.errors)")
        // Causes are logged once.
        #expect(daemon.program.errorText.components(separatedBy: "\n").count < 40)
    }

    @Test func `a user that is refused continuously causes one log line`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:", "--connections-per-user", "1"])
        chmod(daemon.folder.path, 0o755)
        let script = """
            import os, select, socket, sys
            os.setgroups([])
            os.setuid(65534)
            for _ in range(300):
                pair = []
                for _ in range(2):
                    client = socket.socket(socket.AF_UNIX)
                    client.connect(sys.argv[1])
                    pair.append(client)
                # Which one is refused depends on when the daemon sees that the pair before is closed.
                refused = select.select(pair, [], [])[0][0]
                print(refused.recv(65536).decode()[:40], flush=True)
            """
        let run = try RunningProgram.run(Programs.python, ["-c", script, daemon.socket])
        #expect(run.output.count > 200)
        #expect(daemon.program.errorText.components(separatedBy: "refused a client").count == 2)
    }
}
