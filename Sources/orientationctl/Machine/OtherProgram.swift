// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Another program that is asked for facts: what it prints, messages included.
enum OtherProgram {
    enum Answer {
        case text(String)
        /// Why there is none, for a person.
        case failed(String)
    }

    /// A program that has said nothing for so many milliseconds is given up.
    private static let patience: Int32 = 10_000
    /// What it may say, in bytes.
    private static let longestAnswer = 4 << 20

    /// Runs a program from the path, in no language but English.
    static func ask(_ arguments: [String]) -> Answer {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failed("no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = start(["env", "LC_ALL=C", "SYSTEMD_PAGER="] + arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return .failed("there is no \(arguments[0])") }
        let text = read(from: ends[0])
        if text == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard let text else { return .failed("\(arguments[0]) did not come to an end") }
        switch status {
        case 0: return .text(text)
        // What env exits with when it cannot find the program, where wait has it.
        case 127 << 8: return .failed("there is no \(arguments[0])")
        default:
            let line = text.split(separator: "\n").first.map(String.init)
            return .failed(line ?? "\(arguments[0]) says nothing and ends with status \(status >> 8)")
        }
    }

    private static func start(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var vector = arguments.map { strdup($0) }
        vector.append(nil)
        defer { vector.forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawnp(&child, arguments[0], &actions, nil, vector, environ) == 0 ? child : nil
    }

    /// All that comes; nil where it does not come to an end.
    private static func read(from pipe: Int32) -> String? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < longestAnswer {
            var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&watched, 1, patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(pipe, &piece, piece.count)
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
        return nil
    }
}
