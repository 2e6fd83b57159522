// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What clients of the library see when the daemon is killed and started again.
@Suite(.serialized) struct ARestart {
    /// Kills what `start` starts, starts it again, and says what three subscribers were told.
    private func expectRecovery(at socket: String, start: () throws -> RunningProgram) throws {
        let first = try start()
        let watchers = try (0..<3).map { _ in
            try RunningProgram(Programs.tool, ["--socket", socket, "watch", "--json"])
        }
        var told: [[WireState]] = try watchers.map { try $0.states(until: "portrait") }
        first.send(SIGKILL)
        _ = first.wait()
        let second = try start()
        for (index, watcher) in watchers.enumerated() {
            let instance = told[index].last?.instance
            let started = Date()
            var states: [WireState] = []
            repeat { states.append(try watcher.state()) } while states.last?.orientation != "portrait"
            // Counted from when the daemon was started, and with its first sample; machines for tests can be slow.
            #expect(Date().timeIntervalSince(started) < 5)
            #expect(states.allSatisfy { $0.instance != instance })
            told[index] += states
        }
        for states in told {
            for (former, next) in zip(states, states.dropFirst()) where former.instance == next.instance {
                #expect(next.sequence > former.sequence)
            }
            #expect(Set(states.map(\.instance)).count == 2)
        }
        for watcher in watchers { watcher.send(SIGTERM) }
        second.send(SIGTERM)
        #expect(second.wait() == 0)
    }

    @Test func `with a socket of the daemon's own every subscriber is back, in order and with nothing told twice`()
        throws
    {
        let folder = try TemporaryFolder()
        let socket = folder.path + "/socket"
        try expectRecovery(at: socket) {
            try RunningProgram(
                Programs.daemon,
                ["--sensor", "fake:poses", "--socket", socket, "--state-directory", folder.path])
        }
    }

    @Test func `with a socket that systemd keeps they are back as well, and none was refused in between`() throws {
        let folder = try TemporaryFolder()
        let socket = folder.path + "/socket"
        // systemd holds the socket all the time, and hands it to each run as descriptor 3.
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
                "-c", holder, socket, Programs.daemon, "--sensor", "fake:poses", "--state-directory", folder.path,
            ])
        func start() throws -> pid_t {
            try manager.say("start")
            guard let process = try manager.program.line().flatMap({ pid_t($0) }) else { throw Surprise("no process") }
            return process
        }
        let first = try start()
        let watch = try RunningProgram(Programs.tool, ["--socket", socket, "watch", "--json"])
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
