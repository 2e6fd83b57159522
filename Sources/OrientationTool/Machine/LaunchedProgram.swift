// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Another program that was started; whoever starts it waits for it. It begins with no signal blocked or ignored, whatever
/// we do with them.
///
/// Foundation's `Process` would do the same, at 30 MB more of program.
struct LaunchedProgram {
    /// Where one of its standard streams leads.
    enum Stream {
        case ours
        case nothing
        case to(Int32)
    }

    let identifier: pid_t

    /// Starts a program from the path.
    ///
    /// - Parameters:
    ///   - arguments: its name, and what it is started with.
    ///   - input: what it reads.
    ///   - output: where it writes to.
    ///   - errors: where it complains.
    ///   - environment: `NAME=VALUE`; nil for ours.
    ///   - isApart: in a process group of its own, which does not hear Ctrl-C and can be ended as a whole.
    /// - Throws: ``Failure``, when there is no such program or it cannot be started.
    init(
        _ arguments: [String], input: Stream = .nothing, output: Stream = .ours, errors: Stream = .ours,
        environment: [String]? = nil, isApart: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, number) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .ours: break
            case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .to(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.set(&attributes, isApart: isApart)

        var words = CStrings(arguments)
        var variables = CStrings(environment ?? Environment.all)
        var identifier: pid_t = 0
        let problem = posix_spawnp(
            &identifier, arguments[0], &actions, &attributes, &words.pointers, &variables.pointers)
        if problem == ENOENT { throw Failure("there is no \(arguments[0])") }
        guard problem == 0 else { throw Failure("\(arguments[0]): \(String(cString: strerror(problem)))") }
        self.identifier = identifier
    }

    private static func set(_ attributes: inout posix_spawnattr_t, isApart: Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// How it ended, once it has.
    func wait() -> ProgramEnd {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return ProgramEnd(status: status)
    }

    /// How it ended; nil while it runs. To be asked no more after that.
    func end() -> ProgramEnd? {
        var status: Int32 = 0
        return waitpid(identifier, &status, WNOHANG) == identifier ? ProgramEnd(status: status) : nil
    }
}

/// How a program ended.
struct ProgramEnd: CustomStringConvertible {
    /// As wait(2) has it.
    fileprivate let status: Int32

    private var signal: Int32 { status & 0x7f }

    var isSuccess: Bool { status == 0 }

    var description: String {
        signal == 0
            ? "ended with status \(status >> 8 & 0xff)"
            : "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}

/// A way for bytes from one program to another, closed in a program that is started but where it is one of its streams.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.system("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}

/// The variables that this process was started with.
enum Environment {
    static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// All of them, as `NAME=VALUE`.
    static var all: [String] {
        var variables: [String] = []
        var next = environ
        while let text = next.pointee {
            variables.append(String(cString: text))
            next += 1
        }
        return variables
    }

    /// All of them, these in the place of those of the same names.
    static func with(_ others: [(name: String, value: String)]) -> [String] {
        all.filter { variable in !others.contains { variable.hasPrefix("\($0.name)=") } }
            + others.map { "\($0.name)=\($0.value)" }
    }
}

/// Strings as C's `main` has them: the only owner of the copies.
private struct CStrings: ~Copyable {
    var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
