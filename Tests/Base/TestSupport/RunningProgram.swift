// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test started; it and its own children end with this object.
package final class RunningProgram {
    private let process: pid_t
    private let output: LineReader
    private let errors: LineReader
    private let inputPipe = UnsharedPipe()
    private var ending: Int32?
    /// Released after the end of the program: the directory to which it writes.
    package var kept: AnyObject?

    /// The result of a program that ended.
    package typealias Result = (status: Int32, output: [String], errors: String)

    /// The process that receives signals instead of this one: umockdev-run does not forward them.
    package var childIdentifier: Int32?

    /// What the session and the system of the test have, and no program under test finds by itself; an empty value counts as
    /// unset.
    private static let isolation = [
        "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1", "XDG_CURRENT_DESKTOP": "",
        "ORIENTATIOND_SOCKET": "/nonexistent/orientationd.sock", "ORIENTATION_BACKEND": "", "XDG_RUNTIME_DIR": "",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/system-bus",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/session-bus",
        "WAYLAND_DISPLAY": "", "DISPLAY": "", "SWAYSOCK": "", "HYPRLAND_INSTANCE_SIGNATURE": "", "NIRI_SOCKET": "",
        "WAYFIRE_SOCKET": "", "NOTIFY_SOCKET": "", "LISTEN_FDS": "",
    ]

    /// Starts a program with `input` as its whole standard input.
    ///
    /// `keepsInput` keeps standard input open for ``write(_:)``, `mergesErrors` sends standard error to standard output,
    /// `directory` is the working directory, and `timeout` applies to each line of output, in seconds.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        keepsInput: Bool = false, mergesErrors: Bool = false, directory: String? = nil, timeout: Double = stepTimeout
    ) throws {
        output = LineReader(timeout: timeout)
        errors = LineReader(timeout: timeout)
        let variables = ProcessInfo.processInfo.environment
            .merging(Self.isolation) { $1 }.merging(environment) { $1 }
        let words = directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        process = try Self.start(
            words + [path] + arguments, variables.map { "\($0)=\($1)" },
            input: keepsInput || input != nil ? inputPipe.reader : nil, output: output.pipe.writer,
            errors: (mergesErrors ? output : errors).pipe.writer)
        // The program has the only copies: its end is the end of its output.
        for pipe in [output.pipe, errors.pipe] { pipe.closeWriter() }
        inputPipe.closeReader()
        if let input { write(input) }
        if !keepsInput { inputPipe.closeWriter() }
    }

    /// Starts a process in a group of its own, with no signal blocked: children inherit the mask of the test's thread,
    /// which blocks most signals.
    private static func start(
        _ words: [String], _ variables: [String], input: Int32?, output: Int32, errors: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // Not those of other tests; a descriptor that is closed meanwhile is no error.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let open = Int32(name), open > STDERR_FILENO { posix_spawn_file_actions_addclose(&actions, open) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // nohup(1), under which the tests may run, ignores SIGHUP.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let argv = words.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer {
            for word in argv + envp { free(word) }
        }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], &actions, &attributes, argv, envp)
        guard code == 0 else {
            let cause = String(cString: strerror(code))
            throw TestFailure("\(words[0]): cannot start: \(cause); `make test` installs what the tests need")
        }
        return process
    }

    deinit { end() }

    /// Ends the program, if it still runs, and its children.
    package func end() {
        if !hasEnded { send(SIGTERM) }
        // A test must end.
        if !eventually({ hasEnded }) { kill(process, SIGKILL) }
        _ = wait()
        kill(-process, SIGKILL)
    }

    /// Whether the program has ended.
    private var hasEnded: Bool {
        if ending == nil { collect(WNOHANG) }
        return ending != nil
    }

    private func collect(_ options: Int32) {
        var status: Int32 = 0
        guard waitpid(process, &status, options) == process else { return }
        let signal = status & 0x7f
        ending = signal == 0 ? (status >> 8) & 0xff : -signal
    }

    /// The process that receives signals.
    package var identifier: Int32 { childIdentifier ?? process }

    /// The standard error up to now; complete after the end of the program.
    package var errorText: String { errors.available() }

    /// Returns the next line of standard output; nil at the end.
    package func line() throws -> String? {
        try output.line()
    }

    /// Returns the lines up to and including the first that matches.
    package func lines(until matches: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        do {
            while let line = try line() {
                lines.append(line)
                if matches(line) { return lines }
            }
        } catch {
            throw TestFailure("\(error), after \(lines)")
        }
        throw TestFailure("the program ended after \(lines): \(errorText)")
    }

    /// Writes to standard input, if `keepsInput`.
    package func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(inputPipe.writer, $0.baseAddress, $0.count) }
            // The program has ended.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Sends a signal.
    package func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the end; returns the exit status, or the negative signal number.
    package func wait() -> Int32 {
        while ending == nil { collect(0) }
        return ending ?? 0
    }

    /// Reads the remaining lines and waits for the end.
    package func finish() throws -> Result {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return (wait(), lines, errorText)
    }

    /// Runs a program to its end, as root, where the system's service does not exist: with an empty /run.
    package static func runWithoutService(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws -> Result {
        let hiding = ["--mount", "/bin/sh", "-c", "mount -t tmpfs tmpfs /run && exec \"$0\" \"$@\"", path]
        return try run("/usr/bin/unshare", hiding + arguments, environment: environment)
    }

    /// Runs a program to its end.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        mergesErrors: Bool = false, directory: String? = nil, timeout: Double = stepTimeout
    ) throws -> Result {
        try RunningProgram(
            path, arguments, environment: environment, input: input, mergesErrors: mergesErrors, directory: directory,
            timeout: timeout
        ).finish()
    }
}

/// A program that reads commands from standard input, a line each.
package final class InteractiveProgram {
    package let program: RunningProgram
    private let directory: TemporaryDirectory
    private let input: FileHandle

    /// Starts a program. Its input is a FIFO, whose end no other child process can inherit.
    package init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        let pipe = directory.path("input")
        guard mkfifo(pipe, 0o600) == 0 else { throw TestFailure("cannot create \(pipe)") }
        program = try RunningProgram(
            "/bin/sh", ["-c", "exec \"$@\" < '\(pipe)'", "sh", path] + arguments, environment: environment)
        guard let input = FileHandle(forWritingAtPath: pipe) else { throw TestFailure("cannot open \(pipe)") }
        self.input = input
    }

    /// Writes a line to standard input.
    package func writeLine(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Closes standard input and waits for the end; returns the exit status.
    package func end() throws -> Int32 {
        try input.close()
        return program.wait()
    }
}

/// A pipe that no program inherits.
private final class UnsharedPipe {
    private(set) var reader: Int32
    private(set) var writer: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { fatalError("cannot create a pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        closeReader()
        closeWriter()
    }

    func closeReader() { close(&reader) }

    func closeWriter() { close(&writer) }

    private func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }
}

/// Reads lines from a pipe, each with a timeout.
private final class LineReader {
    let pipe = UnsharedPipe()
    private let timeout: Double
    private var pending: [UInt8] = []
    private var isAtEnd = false

    init(timeout: Double) {
        self.timeout = timeout
    }

    func line() throws -> String? {
        let deadline = Date(timeIntervalSinceNow: timeout)
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            if isAtEnd {
                defer { pending = [] }
                return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
            }
            guard read(atMost: deadline.timeIntervalSinceNow) else {
                throw TestFailure("no line within \(Int(timeout)) s")
            }
        }
    }

    /// Returns all available bytes, without waiting.
    func available() -> String {
        while !isAtEnd, read(atMost: 0) {}
        return String(decoding: pending, as: UTF8.self)
    }

    /// Reads once; false if nothing is available in time.
    private func read(atMost seconds: Double) -> Bool {
        let descriptor = pipe.reader
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        guard poll(&watched, 1, Int32(max(seconds, 0) * 1_000)) == 1 else { return false }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { pending += buffer[..<count] } else { isAtEnd = true }
        return true
    }
}
