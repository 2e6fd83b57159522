// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test has started; it is ended with the test.
final class RunningProgram {
    private let process = Process()
    private let output = LineReader()
    private let errors = LineReader()
    private let inputPipe = Pipe()

    /// What it has written to standard error so far; all of it once the program has ended.
    var errorText: String { errors.everything() }

    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        keepsInput: Bool = false
    ) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        all["SWIFT_BACKTRACE"] = "enable=no"
        all["LC_ALL"] = "C.UTF-8"
        process.environment = all.merging(environment) { $1 }
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        if keepsInput {
            process.standardInput = inputPipe
            try start()
        } else if let input {
            let pipe = Pipe()
            process.standardInput = pipe
            try start()
            pipe.fileHandleForWriting.write(Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        } else {
            process.standardInput = FileHandle.nullDevice
            try start()
        }
    }

    /// Starts it with no signal blocked: tests run on threads that block most of them, and children inherit that.
    private func start() throws {
        var none = sigset_t()
        var former = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        try process.run()
    }

    /// The process whose end ends this one, where it is not itself: umockdev hands no signal on.
    var endsWith: Int32?

    deinit {
        if process.isRunning { send(SIGTERM) }
        // Whoever does not obey is made to, so that a failure shows as one and not as a test that never ends.
        let deadline = Date(timeIntervalSinceNow: patience)
        while process.isRunning, deadline.timeIntervalSinceNow > 0 { usleep(1_000) }
        if process.isRunning { send(SIGKILL) }
        process.waitUntilExit()
    }

    var identifier: Int32 { endsWith ?? process.processIdentifier }

    /// The next line of its standard output; nil at the end.
    func line() throws -> String? {
        try output.line()
    }

    /// The lines up to and including the first that fits.
    func lines(until fits: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        do {
            while let line = try line() {
                lines.append(line)
                if fits(line) { return lines }
            }
        } catch {
            throw Surprise("\(error), after \(lines)")
        }
        throw Surprise("the program ended after \(lines); it said: \(errorText)")
    }

    /// Writes to its standard input, where that was kept.
    func write(_ text: String) {
        inputPipe.fileHandleForWriting.write(Data(text.utf8))
    }

    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the end; the exit status, or minus the signal that ended it.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Runs a program to its end.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> (status: Int32, output: [String], errors: String) {
        let program = try RunningProgram(path, arguments, environment: environment, input: input)
        var lines: [String] = []
        while let line = try program.line() { lines.append(line) }
        return (program.wait(), lines, program.errorText)
    }
}

/// A program that is told what to do while it runs, a line at a time.
final class InteractiveProgram {
    let program: RunningProgram
    private let folder: TemporaryFolder
    private let input: FileHandle

    init(_ path: String, _ arguments: [String]) throws {
        folder = try TemporaryFolder()
        let pipe = folder.path + "/input"
        guard mkfifo(pipe, 0o600) == 0 else { throw Surprise("no pipe at \(pipe)") }
        program = try RunningProgram("/bin/sh", ["-c", "exec \"$@\" < '\(pipe)'", "sh", path] + arguments)
        guard let input = FileHandle(forWritingAtPath: pipe) else { throw Surprise("no pipe at \(pipe)") }
        self.input = input
    }

    func say(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends its input and waits for its end; the exit status.
    func end() throws -> Int32 {
        try input.close()
        return program.wait()
    }
}

/// Lines from a pipe, each waited for, but not for ever.
private final class LineReader {
    let pipe = Pipe()
    private var pending: [UInt8] = []
    private var isAtEnd = false

    func line() throws -> String? {
        let deadline = Date(timeIntervalSinceNow: patience)
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
                throw Surprise("no line came within \(Int(patience)) seconds")
            }
        }
    }

    /// All that is there now, without waiting.
    func everything() -> String {
        while !isAtEnd, read(atMost: 0) {}
        return String(decoding: pending, as: UTF8.self)
    }

    /// Reads once when something is there in time; false when nothing was.
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
