// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Subscribers when the daemon is killed and systemd starts it again.
@Suite(.serialized) struct RestartTests {
    @Test func `subscribers reconnect to a socket-activated daemon, and none is refused meanwhile`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        // systemd keeps the socket and passes it to each run as descriptor 3.
        let holder = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(sys.argv[1])
            listener.listen(128)
            for line in sys.stdin:
                child = os.fork()
                if child == 0:
                    os.dup2(listener.fileno(), 3)
                    os.set_inheritable(3, True)
                    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
                    os.execv(sys.argv[2], sys.argv[2:])
                print(child, flush=True)
                os.waitpid(child, 0)
                print("gone", flush=True)
            """
        let manager = try InteractiveProgram(
            Programs.python,
            [
                "-c", holder, socket, Programs.daemon, "--sensor", "fake:", "--state-directory", folder.path,
            ])
        func start() throws -> pid_t {
            try manager.writeLine("start")
            guard let process = try manager.program.line().flatMap({ pid_t($0) }) else {
                throw TestFailure("no process")
            }
            return process
        }
        let first = try start()
        let watch = try RunningProgram(Programs.tool, toolOptions(socket) + ["watch", "--json"])
        let before = try watch.states(until: "portrait")
        kill(first, SIGKILL)
        #expect(try manager.program.line() == "gone")
        let second = try start()
        let after = try watch.states(until: "portrait")
        #expect(after.allSatisfy { $0.instance != before.last?.instance })
        #expect(zip(after, after.dropFirst()).allSatisfy { $1.sequence > $0.sequence })
        kill(second, SIGTERM)
        #expect(try manager.program.line() == "gone")
        #expect(FileManager.default.fileExists(atPath: socket))
    }
}
