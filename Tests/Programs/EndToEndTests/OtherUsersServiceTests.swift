// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Clients check the user of the service at a standard socket.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can serve as another user")) struct OtherUsersServiceTests {
    /// A runtime directory of the user 65534, and a service of that user at a path in it, which replies to each call with a
    /// state and an empty explanation.
    private func serve(at path: String) throws -> (runtime: String, RunningProgram, TemporaryDirectory) {
        let folder = try TemporaryDirectory()
        chmod(folder.path, 0o755)
        let runtime = folder.path + "/runtime"
        mkdir(runtime, 0o700)
        chown(runtime, 65_534, 65_534)
        let service = """
            import os, socket, sys
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen()
            print("listening", flush=True)
            while True:
                client, _ = listener.accept()
                client.recv(1000)
                client.sendall(
                    b'{"parameters":{"state":{"orientation":"faceUp","sequence":1,"instance":"x"},"applies":true,'
                    b'"sentence":"Served."}}\\0')
                client.close()
            """
        let hostile = try RunningProgram(Programs.python, ["-c", service, runtime + "/" + path])
        #expect(try hostile.line() == "listening")
        return (runtime, hostile, folder)
    }

    @Test func `root uses the socket in another user's runtime directory only if it is named`() throws {
        let (runtime, hostile, folder) = try serve(at: "orientationd.sock")
        defer {
            hostile.send(SIGKILL)
            withExtendedLifetime(folder) {}
        }
        let refused = try RunningProgram.runWithoutService(
            Programs.tool, ["status"], environment: ["XDG_RUNTIME_DIR": runtime, "ORIENTATIOND_SOCKET": ""])
        #expect(refused.status != 0)
        #expect(refused.errors.contains("untrusted service: runs as user 65534, not as root or user 0"))
        #expect(refused.errors.hasSuffix("to use it, set ORIENTATIOND_SOCKET to the path\n"))
        let named = try RunningProgram.run(Programs.tool, toolOptions(runtime + "/orientationd.sock") + ["status"])
        #expect(!named.errors.contains("untrusted service"))
    }

    @Test func `root does not hold orientations with another user's agent`() throws {
        let (runtime, hostile, folder) = try serve(at: "orientation-autorotate/socket")
        defer {
            hostile.send(SIGKILL)
            withExtendedLifetime(folder) {}
        }
        let run = try RunningProgram.run(
            Programs.tool, ["hold", "--landscape", "--", "true"], environment: ["XDG_RUNTIME_DIR": runtime])
        #expect(run.status == 0)
        #expect(
            run.errors.contains("untrusted service: runs as user 65534, not as root or user 0; set XDG_RUNTIME_DIR"))
        #expect(run.errors.hasSuffix("/run/user/0\n"))
    }
}
