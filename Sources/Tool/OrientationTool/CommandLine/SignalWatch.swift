// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Posix
import Synchronization

/// The descriptor of ``SignalQueue``; set once, before the first handler is installed.
nonisolated(unsafe) private var wakeDescriptor: Int32 = -1
/// The signals that ``SignalQueue`` has not handled yet, a bit for each.
private let pendingSignals = Atomic<UInt64>(0)

/// Replaces the default action of a signal by a handler on the main queue, for its lifetime.
///
/// The signal handler sets a bit and wakes the main queue. Dispatch's signal sources miss signals whose default is to be
/// ignored: SIGWINCH and SIGCHLD.
@MainActor final class SignalWatch {
    private let signal: Int32

    init(_ signal: Int32, _ handler: @escaping @MainActor () -> Void) {
        self.signal = signal
        SignalQueue.shared.handlers[signal] = (ObjectIdentifier(self), handler)
        Self.install(signal) { number in
            let before = errno
            pendingSignals.bitwiseOr(SignalQueue.bit(number), ordering: .sequentiallyConsistent)
            WakeSignal.set(wakeDescriptor)
            errno = before
        }
    }

    /// Creates the descriptor of all watches. Exits if that fails: to be called before a program is started.
    static func prepare() { _ = SignalQueue.shared }

    isolated deinit {
        // A newer watch of the signal remains.
        guard SignalQueue.shared.handlers[signal]?.owner == ObjectIdentifier(self) else { return }
        SignalQueue.shared.handlers[signal] = nil
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
@MainActor private final class SignalQueue {
    static let shared = SignalQueue()

    /// The newest handler of each signal, with its watch.
    var handlers: [Int32: (owner: ObjectIdentifier, handle: @MainActor () -> Void)] = [:]
    private let wake: WakeSignal
    private let source: any DispatchSourceRead

    private init() {
        do { wake = try WakeSignal() } catch {
            StandardError.print("signals: cannot create an eventfd: \(error)")
            exit(ExitStatus.failed)
        }
        wakeDescriptor = wake.descriptor
        // Initialized here: not in a signal handler.
        pendingSignals.store(0, ordering: .sequentiallyConsistent)
        source = DispatchSource.makeReadSource(fileDescriptor: wake.descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.dispatch() } }
        source.resume()
    }

    nonisolated static func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

    private func dispatch() {
        wake.clear()
        let pending = pendingSignals.exchange(0, ordering: .sequentiallyConsistent)
        for signal in handlers.keys where pending & Self.bit(signal) != 0 { handlers[signal]?.handle() }
    }
}
