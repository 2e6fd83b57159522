// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test started; it ends with this object.
package final class RunningProgram {
    private let process = Process()
    private let output: LineReader
    private let errors: LineReader
    private let inputPipe = Pipe.unshared()

    /// The result of a program that ended.
    package typealias Result = (status: Int32, output: [String], errors: String)

    /// The process that receives signals instead of this one: umockdev-run does not forward them.
    package var childIdentifier: Int32?

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
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        let defaults = [
            "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1", "XDG_CURRENT_DESKTOP": "",
        ]
        process.environment = ProcessInfo.processInfo.environment
            .merging(defaults) { $1 }.merging(environment) { $1 }
        process.standardOutput = output.pipe
        process.standardError = mergesErrors ? output.pipe : errors.pipe
        if mergesErrors { try errors.pipe.fileHandleForWriting.close() }
        if keepsInput {
            process.standardInput = inputPipe
            try start()
        } else if let input {
            let pipe = Pipe.unshared()
            process.standardInput = pipe
            defer { pipe.close() }
            try start()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        } else {
            process.standardInput = FileHandle.nullDevice
            try start()
        }
    }

    /// Starts the process with no signal blocked: children inherit the mask of the test's thread, which blocks most
    /// signals.
    private func start() throws {
        var none = sigset_t()
        var former = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        do {
            try process.run()
        } catch {
            let path = process.executableURL?.path ?? ""
            throw TestFailure("\(path): cannot start: \(error); `make test` installs what the tests need")
        }
    }

    deinit {
        if process.isRunning { send(SIGTERM) }
        awaitEnd()
        // A test must end.
        if process.isRunning { send(SIGKILL) }
        // Not `waitUntilExit()`: Foundation takes a program for running as long as one of its own children runs.
        awaitEnd()
        inputPipe.close()
    }

    private func awaitEnd() {
        let deadline = Date(timeIntervalSinceNow: stepTimeout)
        while process.isRunning, deadline.timeIntervalSinceNow > 0 { usleep(1_000) }
    }

    /// The process that receives signals.
    package var identifier: Int32 { childIdentifier ?? process.processIdentifier }

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
        inputPipe.fileHandleForWriting.write(Data(text.utf8))
    }

    /// Sends a signal.
    package func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the end; returns the exit status, or the negative signal number.
    package func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Reads the remaining lines and waits for the end.
    package func finish() throws -> Result {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return (wait(), lines, errorText)
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
    package init(_ path: String, _ arguments: [String]) throws {
        directory = try TemporaryDirectory()
        let pipe = directory.path("input")
        guard mkfifo(pipe, 0o600) == 0 else { throw TestFailure("cannot create \(pipe)") }
        program = try RunningProgram("/bin/sh", ["-c", "exec \"$@\" < '\(pipe)'", "sh", path] + arguments)
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

extension Pipe {
    /// Creates a pipe that programs of other tests do not inherit: one that Foundation starts meanwhile would keep its ends
    /// open.
    fileprivate static func unshared() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }

    /// Closes both ends. Foundation keeps the pipes of a process for longer than the process is used; with more than 1300
    /// open descriptors it crashes when it starts another one.
    fileprivate func close() {
        try? fileHandleForReading.close()
        try? fileHandleForWriting.close()
    }
}

/// Reads lines from a pipe, each with a timeout.
private final class LineReader {
    let pipe = Pipe.unshared()
    private let timeout: Double
    private var pending: [UInt8] = []
    private var isAtEnd = false

    init(timeout: Double) {
        self.timeout = timeout
    }

    deinit { pipe.close() }

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
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        guard poll(&watched, 1, Int32(max(seconds, 0) * 1_000)) == 1 else { return false }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { pending += buffer[..<count] } else { isAtEnd = true }
        return true
    }
}
