// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Subscribers when the daemon is killed and started again.
@Suite(.serialized) struct RestartTests {
    /// Kills the program that `start` returned, starts it again, and checks the states of three subscribers.
    private func expectRecovery(at socket: String, start: () throws -> RunningProgram) throws {
        let first = try start()
        let watchers = try (0..<3).map { _ in
            try RunningProgram(Programs.tool, toolOptions(socket) + ["watch", "--json"])
        }
        var received: [[WireState]] = try watchers.map { try $0.states(until: "portrait") }
        first.send(SIGKILL)
        _ = first.wait()
        let second = try start()
        for (index, watcher) in watchers.enumerated() {
            let instance = received[index].last?.instance
            let states = try watcher.states(until: "portrait")
            #expect(states.allSatisfy { $0.instance != instance })
            received[index] += states
        }
        for states in received {
            for (former, next) in zip(states, states.dropFirst()) where former.instance == next.instance {
                #expect(next.sequence > former.sequence)
            }
            #expect(Set(states.map(\.instance)).count == 2)
        }
        for watcher in watchers { watcher.send(SIGTERM) }
        second.send(SIGTERM)
        #expect(second.wait() == 0)
    }

    @Test func `subscribers reconnect to the daemon's own socket, with states in order and none twice`()
        throws
    {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        try expectRecovery(at: socket) {
            try RunningProgram(
                Programs.daemon,
                ["--sensor", "fake:", "--socket", socket, "--state-directory", folder.path])
        }
    }

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
