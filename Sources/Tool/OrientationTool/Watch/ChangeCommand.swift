// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import OrientationModel
import Posix

/// The command of `--exec`: runs it as the ``ChangeQueue`` decides, reports the result, and stops it at the end.
@MainActor final class ChangeCommand {
    /// The time between SIGTERM and SIGKILL.
    private static let timeout = Duration.seconds(2)

    private let text: String
    private let debounce: Duration
    private let capturesOutput: Bool
    private let report: @MainActor (CommandProgress) -> Void
    private var queue = ChangeQueue()
    private var timer: Task<Void, Never>?
    private var program: LaunchedProgram?
    /// The end of the program's output, if it is captured.
    private var output: OutputTail?
    private var runs = 0
    private var children: SignalWatch?
    private var stopped: CheckedContinuation<Void, Never>?
    private let (idle, becameIdle) = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - text: The shell command.
    ///   - debounce: The time a state must last, in seconds.
    ///   - capturesOutput: Whether to capture its output and report the last line of a failure; otherwise it goes to
    ///     standard error.
    ///   - report: Called for each change of the command's status.
    init(_ text: String, debounce: Double, capturesOutput: Bool, report: @escaping @MainActor (CommandProgress) -> Void)
    {
        self.text = text
        self.debounce = .seconds(debounce)
        self.capturesOutput = capturesOutput
        self.report = report
        children = SignalWatch(SIGCHLD) { [weak self] in self?.reap() }
    }

    func changed(to state: OrientationState) {
        queue.changed(to: state)
        timer?.cancel()
        timer = Task {
            // Cancelled with the task.
            try? await Task.sleep(for: debounce)
            guard !Task.isCancelled else { return }
            perform(queue.lasted())
        }
    }

    /// Waits until the command has run for the newest state.
    func finish() async {
        guard !queue.isIdle else { return }
        for await _ in idle where queue.isIdle { return }
    }

    /// Stops the command if it runs, and waits for its end.
    func stop() async {
        timer?.cancel()
        guard let program else { return }
        // The processes of the group, which the shell may have started.
        kill(-program.identifier, SIGTERM)
        let forceKill = Task {
            // Cancelled with the task.
            try? await Task.sleep(for: Self.timeout)
            if !Task.isCancelled { kill(-program.identifier, SIGKILL) }
        }
        await withCheckedContinuation { continuation in
            stopped = continuation
            reap()
        }
        forceKill.cancel()
    }

    private func perform(_ action: ChangeQueue.Action) {
        switch action {
        case .nothing: if queue.isIdle { becameIdle.yield() }
        case .run(let state, let previous): run(state, previous)
        }
    }

    private func run(_ state: OrientationState, _ previous: OrientationState?) {
        do {
            let variables = state.commandVariables(previous: previous)
            if capturesOutput {
                let pipe = try Pipe()
                program = try launch(variables, output: pipe.writing.number)
                output = OutputTail(reading: pipe.readingEnd().release())
            } else {
                program = try launch(variables, output: STDERR_FILENO)
            }
            report(.running)
        } catch {
            report(.failed("\(error)"))
            perform(queue.ended())
        }
    }

    private func launch(_ variables: [(String, String)], output: Int32) throws -> LaunchedProgram {
        try LaunchedProgram(
            ["/bin/sh", "-c", text], output: .descriptor(output), errors: .descriptor(output),
            environment: Environment.with(variables.map { ($0, $1) }), ownGroup: true)
    }

    private func reap() {
        guard let end = program?.end() else { return }
        program = nil
        if let stopped {
            // Stopped by ``stop()``: not a failure.
            self.stopped = nil
            return stopped.resume()
        }
        runs += 1
        let last = output?.lastLine() ?? ""
        report(end.isSuccess ? .succeeded(runs: runs) : .failed(last.isEmpty ? "\(end)" : "\(end): \(last)"))
        perform(queue.ended())
    }
}

enum CommandProgress: Hashable {
    case waiting
    case running
    case succeeded(runs: Int)
    case failed(String)
}

/// The last bytes written to a pipe. Owns the read end.
@MainActor private final class OutputTail {
    /// The number of bytes kept, enough for one line.
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

    /// Reads the available bytes, with a limit, because the command may write faster than this reads.
    private func read() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<16 where !source.isCancelled {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { source.cancel() }
            guard count > 0 else { return }
            bytes = Array((bytes + chunk[..<count]).suffix(Self.kept))
        }
    }
}
