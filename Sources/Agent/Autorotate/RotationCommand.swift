// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix
internal import Systemd

/// The command of `--exec`: one process at a time; after its end, the command runs for the newest rotation.
final class RotationCommand {
    typealias Variables = [(name: String, value: String)]

    private let text: String
    private let log: Logger
    private var source: EventSource?
    private var child: LaunchedProgram?
    private var next: Variables?

    /// Prepares the command; it does not run yet.
    init(_ text: String, on loop: EventLoop, log: Logger) throws(SystemError) {
        self.text = text
        self.log = log
        source = try loop.watch(signal: SIGCHLD) { [weak self] in self?.reap() }
    }

    /// Runs the command with these variables, after the previous run has ended.
    func run(_ variables: Variables) {
        guard child == nil else {
            next = variables
            return
        }
        do {
            // Standard output has the events of `--json`.
            child = try LaunchedProgram(
                ["/bin/sh", "-c", text], output: .descriptor(STDERR_FILENO), environment: Environment.with(variables),
                ownGroup: true)
        } catch {
            log.error("--exec: \(error)")
        }
    }

    /// Sends SIGTERM to the running command and its processes.
    func stop() {
        next = nil
        if let child { kill(-child.identifier, SIGTERM) }
    }

    private func reap() {
        guard let end = child?.end() else { return }
        child = nil
        if !end.isSuccess { log.warning("--exec: '\(text)' \(end)") }
        if let variables = next {
            next = nil
            run(variables)
        }
    }
}
