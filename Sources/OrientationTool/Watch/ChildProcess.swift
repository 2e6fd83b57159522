// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// A shell that runs a command in a process group of its own, so that all of it can be ended.
@MainActor final class ChildProcess {
    /// How it ended.
    struct End: CustomStringConvertible {
        fileprivate let end: ProgramEnd
        fileprivate let lastWords: String

        var isSuccess: Bool { end.isSuccess }

        var description: String { lastWords.isEmpty ? "\(end)" : "\(end): \(lastWords)" }
    }

    private let program: LaunchedProgram
    private let output: OutputTail?

    init(shell command: String, environment: [(String, String)], keepsOutput: Bool) throws {
        let pipe = keepsOutput ? try Pipe() : nil
        defer { if let pipe { close(pipe.writing) } }
        output = pipe.map { OutputTail(reading: $0.reading) }
        let stream = LaunchedProgram.Stream.to(pipe?.writing ?? STDERR_FILENO)
        program = try LaunchedProgram(
            ["/bin/sh", "-c", command], output: stream, errors: stream,
            environment: Environment.with(environment.map { ($0, $1) }), isApart: true)
    }

    /// To all processes of the group.
    func send(_ signal: Int32) { kill(-program.identifier, signal) }

    /// How it ended; nil while it runs. To be asked no more after that.
    func end() -> End? {
        program.end().map { End(end: $0, lastWords: output?.lastLine() ?? "") }
    }
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
