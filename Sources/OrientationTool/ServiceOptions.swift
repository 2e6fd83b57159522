// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient

/// Which daemon is called, and how long a call may take. Accepted before and after the subcommand; the latter wins.
struct ServiceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: """
                Without it: $ORIENTATIOND_SOCKET, else the system's socket if it exists, else the user's own in \
                $XDG_RUNTIME_DIR.
                """,
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Give up on a reply after this time; 5 without it.", valueName: "seconds"),
        transform: NumberRange.timeout.parse)
    var timeout: Double?
}

/// The machine to examine: this one, or in tests a tree of files that stands for one.
struct MachineOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .hidden)
    var sysroot = ""

    var system: SystemRoot { SystemRoot(prefix: sysroot) }
}

/// A subcommand that calls the daemon.
protocol AsksDaemon: AsyncParsableCommand {
    var root: OrientationCtl { get }
    var service: ServiceOptions { get }
}

extension AsksDaemon {
    var socketPath: String? { service.socket ?? root.service.socket }

    var daemon: OrientationService { OrientationService(socketPath: socketPath, timeout: timeout) }

    var timeout: Duration {
        (service.timeout ?? root.service.timeout).map { .seconds($0) } ?? OrientationService.defaultTimeout
    }

    /// What the user can do about an error of a call; nil where the error says it.
    func remedy(for error: OrientationServiceError) -> String? {
        let socket = SocketPath(explicit: socketPath)
        switch error {
        case .notConnected where socket.isSystems:
            return "start it with 'sudo systemctl start orientationd.socket', or see 'orientationctl doctor'"
        case .notConnected:
            return "check --socket and ORIENTATIOND_SOCKET, or start 'orientationd --socket \(socket.current)'"
        case .timedOut where socket.isSystems: return Self.restart
        case .timedOut: return "end that orientationd and start it again, or allow more time with --timeout"
        default: return nil
        }
    }

    private static var restart: String { "restart it with 'sudo systemctl restart orientationd.service'" }
}

extension OrientationService {
    /// Between two checks, while nothing else shows whether the daemon replies.
    private static let checkInterval = Duration.seconds(2)

    /// Whether the daemon replies, time and again until the task is cancelled; a connection that cannot be made is left
    /// to the caller.
    nonisolated(nonsending) func checkReplies(_ report: (OrientationServiceError?) async -> Void) async {
        while !Task.isCancelled {
            do {
                _ = try await call("org.varlink.service.GetInfo")
                await report(nil)
            } catch let error as OrientationServiceError {
                if case .timedOut = error { await report(error) }
            } catch {
                return
            }
            // On waking up from a suspend the daemon has had no time to reply.
            try? await Task.sleep(for: Self.checkInterval, clock: .suspending)
        }
    }

    /// Waits for work that takes messages of the daemon, and cancels it where the daemon stops replying.
    ///
    /// - Throws: what the work throws, or ``OrientationServiceError/timedOut(after:)``.
    func whileReplying<Value: Sendable>(_ work: Task<Value, any Error>) async throws -> Value {
        let check = Task { () -> OrientationServiceError? in
            var failure: OrientationServiceError?
            await checkReplies { error in
                guard let error, failure == nil else { return }
                failure = error
                work.cancel()
            }
            return failure
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        check.cancel()
        if let failure = await check.value { throw failure }
        return try result.get()
    }
}
