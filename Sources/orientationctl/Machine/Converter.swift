// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Another program, run once with a text as its input. Its own messages are dropped: ours is one line.
///
/// Foundation's `Process` would do the same, at 30 MB more of program.
enum Converter {
    /// Returns its exit status; 127 if there is no such program, as in a shell.
    static func run(_ arguments: [String], input: String) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.system("a pipe") }
        // The program would else hold the end that is written to, and wait for itself.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A program that ends early closes the pipe: that is told by its status, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let child = start(arguments, input: ends[0])
        close(ends[0])
        if child != nil { feed(input, to: ends[1]) }
        close(ends[1])
        guard let child else { return 127 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure.system(arguments[0]) }
        }
        // WIFEXITED and WEXITSTATUS; after a signal what a shell gives.
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    private static func start(_ arguments: [String], input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var vector = arguments.map { strdup($0) }
        vector.append(nil)
        defer { vector.forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawnp(&child, arguments[0], &actions, nil, vector, environ) == 0 ? child : nil
    }

    private static func feed(_ text: String, to pipe: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
