// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// A shell that runs a command in a process group of its own, so that all of it can be ended.
@MainActor final class ChildProcess {
    /// How it ended.
    struct End: CustomStringConvertible {
        fileprivate let status: Int32
        fileprivate let lastWords: String

        private var signal: Int32 { status & 0x7f }

        var isSuccess: Bool { status == 0 }

        var description: String {
            let what =
                signal == 0
                ? "ended with status \(status >> 8 & 0xff)"
                : "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
            return lastWords.isEmpty ? what : "\(what): \(lastWords)"
        }
    }

    private let identifier: pid_t
    private let output: OutputTail?

    init(shell command: String, environment: [(String, String)], keepsOutput: Bool) throws {
        var output: OutputTail?
        var ends: [Int32] = [-1, -1]
        if keepsOutput {
            guard pipe(&ends) == 0 else { throw Failure.system("cannot be run") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            output = OutputTail(reading: ends[0])
        }
        defer { if keepsOutput { close(ends[1]) } }
        identifier = try Self.spawn(command, environment, output: keepsOutput ? ends[1] : STDERR_FILENO)
        self.output = output
    }

    /// To all processes of the group.
    func send(_ signal: Int32) { kill(-identifier, signal) }

    /// How it ended; nil while it runs. To be asked no more after that.
    func end() -> End? {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        return End(status: status, lastWords: output?.lastLine() ?? "")
    }

    private static func spawn(_ command: String, _ environment: [(String, String)], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

        // It begins with no signal blocked or ignored, whatever we do with them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = CStrings(["sh", "-c", command])
        var variables = CStrings(Self.inherited(but: environment.map(\.0)) + environment.map { "\($0)=\($1)" })
        var identifier: pid_t = 0
        let problem = posix_spawn(
            &identifier, "/bin/sh", &actions, &attributes, &arguments.pointers, &variables.pointers)
        guard problem == 0 else { throw Failure("cannot be run: \(String(cString: strerror(problem)))") }
        return identifier
    }

    private static func inherited(but names: [String]) -> [String] {
        var variables: [String] = []
        var next = environ
        while let text = next.pointee {
            let variable = String(cString: text)
            if !names.contains(where: { variable.hasPrefix("\($0)=") }) { variables.append(variable) }
            next += 1
        }
        return variables
    }
}

/// Strings as C's `main` has them: the only owner of the copies.
private struct CStrings: ~Copyable {
    var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}

/// The last of what is written into a pipe; the only owner of its reading end.
@MainActor private final class OutputTail {
    /// Bytes that are kept: a line that a person reads.
    private static let kept = 512

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var bytes: [UInt8] = []

    init(reading descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.resume()
    }

    isolated deinit { source.cancel() }

    func lastLine() -> String {
        read()
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last.map(String.init) ?? ""
    }

    /// Reads what is there, but not for ever: somebody may write faster than we read.
    private func read() {
        var piece = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<16 where !source.isCancelled {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { source.cancel() }
            guard count > 0 else { return }
            bytes = Array((bytes + piece[..<count]).suffix(Self.kept))
        }
    }
}
