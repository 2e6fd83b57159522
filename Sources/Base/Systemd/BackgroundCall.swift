// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// A blocking call on a separate thread, whose result is delivered on the loop. The loop never waits for it.
///
///     call = try BackgroundCall(on: loop) { fsync(file) } done: { result in … }
///
/// Releasing it before the result is delivered discards the result; the thread ends when the call returns. Each call
/// takes a thread and a descriptor: an owner makes one call at a time.
package final class BackgroundCall<Result: Sendable> {
    private let exchange: Exchange<Result>
    private var source: EventSource?

    /// Starts `work` on a new thread; `done` is called once, on the loop.
    package init(
        on loop: EventLoop, _ work: @escaping @Sendable () -> Result, done: @escaping (Result) -> Void
    ) throws(SystemError) {
        do throws(Errno) { exchange = try Exchange(work) } catch {
            throw SystemError(operation: "make an eventfd", code: error.code)
        }
        // The source owns the descriptor as well, which is closed after its removal from the loop: the next call
        // may get the same number.
        source = try loop.watch(exchange.finished.descriptor, for: .read) { [unowned self, exchange] _ in
            source = nil
            if let result = exchange.take() { done(result) }
        }
        do throws(Errno) { try DetachedThread.start("call", exchange.run) } catch {
            throw SystemError(operation: "start a thread", code: error.code)
        }
    }

    /// Waits for the result, at most this many seconds, and returns it; `done` is not called then. Nil if the timeout
    /// passed: the loop delivers the result. Use only before the loop runs.
    package func result(within seconds: Double) -> Result? {
        exchange.finished.wait(seconds: seconds) ? exchange.take() : nil
    }
}

/// The state shared by the thread and the loop. Unchecked: the thread writes the result before it sets the signal, and the
/// loop reads it after it has cleared the signal.
private final class Exchange<Result: Sendable>: @unchecked Sendable {
    let finished: WakeSignal
    private let work: @Sendable () -> Result
    private var result: Result?

    init(_ work: @escaping @Sendable () -> Result) throws(Errno) {
        finished = try WakeSignal()
        self.work = work
    }

    @Sendable func run() {
        result = work()
        finished.set()
    }

    func take() -> Result? { finished.clear() ? result : nil }
}
