// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Posix

/// The write end of ``SignalPipe``; set once, before the first handler is installed.
nonisolated(unsafe) private var signalPipeEnd: Int32 = -1

/// Replaces the default action of a signal by a handler on the main queue, for its lifetime.
///
/// The signal handler writes the number into a pipe, which the main queue reads. Dispatch's signal sources miss signals
/// whose default is to be ignored: SIGWINCH and SIGCHLD.
@MainActor final class SignalWatch {
    private let signal: Int32

    init(_ signal: Int32, _ handler: @escaping @MainActor () -> Void) {
        self.signal = signal
        SignalPipe.shared.handlers[signal] = (ObjectIdentifier(self), handler)
        Self.install(signal) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipeEnd, &byte, 1)
            errno = before
        }
    }

    /// Creates the pipe of all watches. Exits if that fails: to be called before a program is started.
    static func prepare() { _ = SignalPipe.shared }

    isolated deinit {
        // A newer watch of the signal remains.
        guard SignalPipe.shared.handlers[signal]?.owner == ObjectIdentifier(self) else { return }
        SignalPipe.shared.handlers[signal] = nil
        Glibc.signal(signal, SIG_DFL)
    }

    /// Handles the termination signals SIGINT, SIGTERM and SIGHUP. A second one terminates the process at once.
    ///
    /// SIGHUP stays ignored if it already is, as under nohup(1).
    static func termination(_ handler: @escaping @MainActor () -> Void) -> [SignalWatch] {
        let signals = SignalDisposition.isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
        return signals.map { signal in
            SignalWatch(signal) {
                for each in signals { Glibc.signal(each, SIG_DFL) }
                handler()
            }
        }
    }

    /// Waits for the work, and cancels it on a termination signal: throws ``Failure`` with the message then.
    static func cancelling<Value: Sendable>(
        _ work: Task<Value, any Error>, _ message: String
    ) async throws -> Value {
        let signals = termination { work.cancel() }
        defer { withExtendedLifetime(signals) {} }
        do { return try await work.value } catch is CancellationError { throw Failure(message) }
    }

    /// Installs the handler with SA_RESTART: interrupted system calls resume.
    private static func install(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }
}

/// Forwards signals from async-signal-safe handlers to the main queue.
@MainActor private final class SignalPipe {
    static let shared = SignalPipe()

    /// The newest handler of each signal, with its watch.
    var handlers: [Int32: (owner: ObjectIdentifier, handle: @MainActor () -> Void)] = [:]
    private let source: any DispatchSourceRead

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            StandardError.print("signals: cannot create a pipe: \(Errno.current)")
            exit(ExitStatus.failed)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe already wakes the queue: dropping a byte then is harmless.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipeEnd = ends[1]
        let reading = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.dispatch(reading) } }
        source.resume()
    }

    private func dispatch(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        for signal in Set(bytes.prefix(max(count, 0))) { handlers[Int32(signal)]?.handle() }
    }
}
