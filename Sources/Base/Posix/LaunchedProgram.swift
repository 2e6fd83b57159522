// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A started program. The caller must wait for it. No signal is blocked or ignored in it.
///
/// Foundation's `Process` would make the tool 30 MB larger.
package struct LaunchedProgram {
    /// The target of a standard stream.
    package enum Stream {
        case inherited
        case null
        case descriptor(Int32)
    }

    package let identifier: Int32

    /// Starts a program found in PATH.
    ///
    /// - Parameters:
    ///   - arguments: The name and the arguments.
    ///   - input: Standard input.
    ///   - output: Standard output.
    ///   - errors: Standard error.
    ///   - environment: `NAME=VALUE`; nil to inherit it.
    ///   - ownGroup: Whether to start it in its own process group: Ctrl-C does not reach it, and a signal can be sent to
    ///     all of it.
    /// - Throws: ``LaunchError`` if it is not found or cannot be started.
    package init(
        _ arguments: [String], input: Stream = .null, output: Stream = .inherited, errors: Stream = .inherited,
        environment: [String]? = nil, ownGroup: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, number) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .inherited: break
            case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.set(&attributes, ownGroup: ownGroup)

        var words = CStrings(arguments)
        var variables = CStrings(environment ?? Environment.all)
        var identifier: pid_t = 0
        let code = posix_spawnp(
            &identifier, arguments[0], &actions, &attributes, &words.pointers, &variables.pointers)
        if code == ENOENT { throw LaunchError("\(arguments[0]): not found", isNotFound: true) }
        guard code == 0 else { throw LaunchError("\(arguments[0]): cannot start: \(Errno(code))") }
        self.identifier = identifier
    }

    private static func set(_ attributes: inout posix_spawnattr_t, ownGroup: Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    package func wait() -> ProgramEnd {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return ProgramEnd(status: status)
    }

    /// Returns how the program ended, or nil if it still runs. Do not call again after the end.
    package func end() -> ProgramEnd? {
        var status: Int32 = 0
        return waitpid(identifier, &status, WNOHANG) == identifier ? ProgramEnd(status: status) : nil
    }
}

package struct ProgramEnd: CustomStringConvertible {
    /// The status from wait(2).
    fileprivate let status: Int32

    private var signal: Int32 { status & 0x7f }

    package var isSuccess: Bool { status == 0 }

    /// The exit status, or 128 plus the number of the signal, as in shells.
    package var exitStatus: Int32 { signal == 0 ? status >> 8 & 0xff : 128 + signal }

    package var description: String {
        signal == 0
            ? "exited with status \(status >> 8 & 0xff)"
            : "killed by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}

/// A program that cannot be started: the message names it and the cause.
package struct LaunchError: Error, Hashable, CustomStringConvertible {
    package let description: String
    package let isNotFound: Bool

    init(_ description: String, isNotFound: Bool = false) {
        self.description = description
        self.isNotFound = isNotFound
    }
}

/// A pipe whose ends are closed on exec.
package struct Pipe: ~Copyable {
    package let reading: OwnedDescriptor
    package let writing: OwnedDescriptor

    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchError("pipe: cannot create: \(Errno.current)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.init(try OwnedDescriptor(ends[0]), try OwnedDescriptor(ends[1]))
    }

    private init(_ reading: consuming OwnedDescriptor, _ writing: consuming OwnedDescriptor) {
        self.reading = reading
        self.writing = writing
    }

    /// Returns the end for reading, and closes the other.
    package consuming func readingEnd() -> OwnedDescriptor { reading }
}

/// A null-terminated array of C strings. Owns the copies.
private struct CStrings: ~Copyable {
    var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
