// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import OrientationModel

/// The command of `--exec`: runs it when its ``ChangeQueue`` says so, tells how it fares, and ends it with us.
@MainActor final class ChangeCommand {
    /// After SIGTERM a command has so long to end before SIGKILL.
    private static let patience = Duration.seconds(2)

    private let text: String
    private let debounce: Duration
    private let keepsOutput: Bool
    private let report: @MainActor (CommandReport) -> Void
    private var queue = ChangeQueue()
    private var timer: Task<Void, Never>?
    private var child: ChildProcess?
    private var runs = 0
    private var children: SignalWatch?
    private var stopped: CheckedContinuation<Void, Never>?
    private let (idle, becameIdle) = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - text: for the shell.
    ///   - debounce: how long a state must last, in seconds.
    ///   - keepsOutput: what it writes is kept from the terminal, and its last line told when it fails; else it goes to
    ///     standard error.
    ///   - report: hears how it fares.
    init(
        _ text: String, debounce: Double, keepsOutput: Bool, report: @escaping @MainActor (CommandReport) -> Void
    ) {
        self.text = text
        self.debounce = .seconds(debounce)
        self.keepsOutput = keepsOutput
        self.report = report
        children = SignalWatch(SIGCHLD) { [weak self] in self?.reap() }
    }

    func changed(to state: OrientationState) {
        perform(queue.changed(to: state))
    }

    /// Waits until the command has run for the newest state.
    func finish() async {
        guard !queue.isIdle else { return }
        for await _ in idle where queue.isIdle { return }
    }

    /// Ends the command if it runs, and waits until it has.
    func stop() async {
        timer?.cancel()
        guard let child else { return }
        child.send(SIGTERM)
        let impatience = Task {
            try? await Task.sleep(for: Self.patience)
            if !Task.isCancelled { child.send(SIGKILL) }
        }
        await withCheckedContinuation { continuation in
            stopped = continuation
            reap()
        }
        impatience.cancel()
    }

    private func perform(_ action: ChangeQueue.Action) {
        switch action {
        case .nothing: if queue.isIdle { becameIdle.yield() }
        case .wait: wait()
        case .run(let state, let previous): run(state, previous)
        }
    }

    private func wait() {
        timer?.cancel()
        timer = Task {
            try? await Task.sleep(for: debounce)
            guard !Task.isCancelled else { return }
            perform(queue.lasted())
        }
    }

    private func run(_ state: OrientationState, _ previous: OrientationState?) {
        do {
            child = try ChildProcess(
                shell: text, environment: CommandEnvironment.variables(state, previous), keepsOutput: keepsOutput)
            report(.running)
        } catch {
            report(.failed("cannot be run: \(error)"))
            perform(queue.ended())
        }
    }

    private func reap() {
        guard let child, let end = child.end() else { return }
        self.child = nil
        if let stopped {
            // We ended it: that is no failure.
            self.stopped = nil
            return stopped.resume()
        }
        runs += 1
        report(end.isSuccess ? .succeeded(runs: runs) : .failed(end.description))
        perform(queue.ended())
    }
}

/// What the command of `--exec` is told.
enum CommandEnvironment {
    /// What is absent is empty, so that a script need not ask whether a variable is there.
    static func variables(_ state: OrientationState, _ previous: OrientationState?) -> [(String, String)] {
        [
            ("ORIENTATION", state.orientation.description),
            ("PREVIOUS_ORIENTATION", previous?.orientation.description ?? ""),
            ("EDGE", state.lastEdge?.description ?? ""),
            ("PREVIOUS_EDGE", previous?.lastEdge?.description ?? ""),
            ("LOCKED", state.isLocked ? "1" : "0"),
            ("LOCKED_TO", state.lockedTo?.description ?? ""),
            ("TABLET_MODE", state.tabletMode.map { $0 ? "1" : "0" } ?? ""),
            ("TILT", state.tilt.map { "\($0)" } ?? ""),
            ("DISTURBANCE", state.disturbance.map { "\($0)" } ?? ""),
            ("SENSOR", state.sensor ?? ""),
            ("REASON", state.reason ?? ""),
            ("SEQUENCE", "\(state.sequence)"),
            ("INSTANCE", state.instance),
        ]
    }
}

/// How the command of `--exec` fares.
enum CommandReport: Hashable {
    case waiting
    case running
    case succeeded(runs: Int)
    /// In words for a person.
    case failed(String)
}

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
