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
            lock.errors.hasPrefix(
                "orientationctl: orientationd: permission denied: requires an active session of logind at this "
                    + "machine, root, or membership in the group orientation, which needs no session; ")
                && lock.errors.hasSuffix("join it with 'sudo gpasswd -a $USER orientation', then log in again\n"))
        #expect(lock.errors.contains("sudo groupadd -r orientation") == (getgrnam("orientation") == nil))
        let record = try RunningProgram.run("/usr/bin/setpriv", words + ["record", "-"])
        #expect(record.status == 1)
        #expect(
            record.errors.contains(
                "requires root, the daemon's own user, or membership in the group orientation; "))
    }
}
