// SPDX-License-Identifier: Apache-2.0

/// A blocking call on a separate thread that is made again on request, one at a time.
///
///     let lookup = RepeatedCall(on: loop) { find(name) } done: { result in … }
///     lookup.start()
///
/// Requests during a call cause one further call: its result is no older than the last request. Releasing the object
/// discards the result of a call in progress.
package final class RepeatedCall<Value: Sendable> {
    package typealias Outcome = Result<Value, SystemError>

    private let loop: EventLoop
    private let work: @Sendable () -> Outcome
    private let done: (Outcome) -> Void
    private var call: BackgroundCall<Outcome>?
    private var isRequested = false

    /// Creates a call of `work`; `done` is called on the loop with each result.
    package init(
        on loop: EventLoop, _ work: @escaping @Sendable () -> Outcome, done: @escaping (Outcome) -> Void
    ) {
        self.loop = loop
        self.work = work
        self.done = done
    }

    /// Starts the call, or requests a further one while a call is in progress. If no thread can be started, `done` is
    /// called with the failure at once.
    package func start() {
        guard call == nil else { return isRequested = true }
        isRequested = false
        do throws(SystemError) {
            call = try BackgroundCall(on: loop, work) { [unowned self] in finish($0) }
        } catch {
            done(.failure(error))
        }
    }

    /// Waits for the call in progress, at most this many seconds, and delivers its result. Returns false if the timeout
    /// passed. Use only before the loop runs.
    package func wait(seconds: Double) -> Bool {
        guard let call else { return true }
        guard let outcome = call.result(within: seconds) else { return false }
        finish(outcome)
        return true
    }

    private func finish(_ outcome: Outcome) {
        call = nil
        done(outcome)
        if isRequested { start() }
    }
}
