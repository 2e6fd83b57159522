// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One of the system's programs, run to its end. What it complains of goes to our standard error, what it prints nowhere.
enum SystemCommand {
    /// - Throws: ``Failure``, when it is not there or does not succeed.
    static func run(_ arguments: String...) throws {
        // Apart it does not hear Ctrl-C: what was begun is brought to its end.
        let end = try LaunchedProgram(arguments, output: .nothing, isApart: true).wait()
        guard end.isSuccess else { throw Failure("'\(arguments.joined(separator: " "))' \(end)") }
    }
}

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
        do {
            let pipe = try Pipe()
            defer { close(pipe.reading) }
            let program = Result {
                try LaunchedProgram(
                    arguments, output: .to(pipe.writing), errors: .to(pipe.writing),
                    environment: Environment.with([("LC_ALL", "C"), ("SYSTEMD_PAGER", "")]))
            }
            close(pipe.writing)
            return answer(of: try program.get(), named: arguments[0], from: pipe.reading)
        } catch {
            return .failed("\(error)")
        }
    }

    private static func answer(of program: LaunchedProgram, named name: String, from pipe: Int32) -> Answer {
        let text = read(from: pipe)
        if text == nil { kill(program.identifier, SIGKILL) }
        let end = program.wait()
        guard let text else { return .failed("\(name) did not come to an end") }
        if end.isSuccess { return .text(text) }
        return .failed(text.split(separator: "\n").first.map(String.init) ?? "\(name) said nothing and \(end)")
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

/// Another program, run once with a text as its input. Its own messages are dropped: ours is one line.
enum Converter {
    /// - Throws: ``Failure``, when it cannot be started.
    static func run(_ arguments: [String], input: String) throws -> ProgramEnd {
        let pipe = try Pipe()
        // A program that ends early closes the pipe: that is told by its status, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Result { try LaunchedProgram(arguments, input: .to(pipe.reading), errors: .nothing) }
        close(pipe.reading)
        if case .success = program { _ = TextOutput.write(Array(input.utf8), to: pipe.writing) }
        close(pipe.writing)
        return try program.get().wait()
    }
}
