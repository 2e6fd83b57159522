// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// Runs a program of the system to its end.
enum SystemCommand {
    /// The longest time without output, in milliseconds.
    private static let timeout: Int32 = 10_000
    /// The largest output, in bytes.
    private static let maximumOutput = 4 << 20

    /// Runs a program without input; its errors go to standard error, its output is discarded.
    ///
    /// - Throws: ``Failure`` if it is not found or fails.
    static func run(_ arguments: String...) throws {
        // In its own process group Ctrl-C does not reach it: a started step is completed.
        let end = try LaunchedProgram(arguments, output: .null, ownGroup: true).wait()
        guard end.isSuccess else { throw Failure("'\(arguments.joined(separator: " "))': \(end)") }
    }

    /// Runs a program in the C locale and returns its output, standard error included.
    ///
    /// - Throws: `LaunchError` if it cannot be started; ``Failure`` with the first line of its output if it fails.
    static func output(of arguments: [String]) throws -> String {
        let pipe = try Pipe()
        let stream = LaunchedProgram.Stream.descriptor(pipe.writing.number)
        let program = try LaunchedProgram(
            arguments, output: stream, errors: stream,
            environment: Environment.with([("LC_ALL", "C"), ("SYSTEMD_PAGER", "")]))
        let reading = pipe.readingEnd()
        let text = read(from: reading.number)
        if text == nil { kill(program.identifier, SIGKILL) }
        let end = program.wait()
        guard let text else { throw Failure("\(arguments[0]): timed out, or its output is too long") }
        guard end.isSuccess else {
            throw Failure(text.split(separator: "\n").first.map(String.init) ?? "\(arguments[0]): \(end)")
        }
        return text
    }

    /// Reads to the end; nil after the timeout or at the size limit.
    private static func read(from pipe: Int32) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < maximumOutput {
            var watched = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&watched, 1, timeout)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(pipe, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
        return nil
    }
}
