// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One of the system's programs, run to its end. What it complains of goes to our standard error, what it prints nowhere.
enum SystemCommand {
    /// - Throws: ``Failure``, when it is not there or does not succeed.
    static func run(_ arguments: String...) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In a process group of its own it does not hear Ctrl-C: what was begun is brought to its end.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var vector = arguments.map { strdup($0) }
        vector.append(nil)
        defer { vector.forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, arguments[0], &actions, &attributes, vector, environ)
        guard error == 0 else { throw Failure("\(arguments[0]): \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure.system(arguments[0]) }
        }
        guard status == 0 else { throw Failure("'\(arguments.joined(separator: " "))' did not succeed") }
    }
}
