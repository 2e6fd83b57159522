// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationClientCore
internal import Varlink

/// The subscription of one iterator: connects at the first ``next()``, reconnects after a lost connection, and closes
/// on cancellation.
actor MonitorConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private let path: SocketPath
    private var subscription: SubscriptionState
    private var channel: Channel?
    private var timer: (any DispatchSourceTimer)?
    private var waiting: CheckedContinuation<OrientationUpdate?, any Error>?

    init(path: SocketPath, _ subscription: SubscriptionState) {
        self.path = path
        self.subscription = subscription
    }

    /// Returns the next update; nil after cancellation.
    func next() async throws -> OrientationUpdate? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting = continuation
                advance()
            }
        } onCancel: {
            stop()
        }
    }

    /// Closes the connection. May be called on any thread, also from `deinit` of the iterator.
    nonisolated func stop() {
        QueueExecutor.shared.queue.async {
            self.assumeIsolated {
                $0.subscription.stop()
                $0.advance()
            }
        }
    }

    /// Brings the channel and the timer in line with the subscription, and resumes the waiting caller with the next
    /// update, if there are both.
    private func advance() {
        if subscription.step == .connect { connect() }
        subscription.takeReplies()
        let result = takeResult()
        // Room in the buffer for replies that have arrived.
        if result != nil { subscription.takeReplies() }
        switch subscription.step {
        case .connect: break
        case .exchange: channel?.setReading(subscription.hasRoom)
        case .wait(let seconds):
            channel = nil
            if timer == nil { startTimer(seconds) }
        case .end:
            channel = nil
            timer?.cancel()
            timer = nil
        }
        guard let result else { return }
        let waiting = waiting
        self.waiting = nil
        waiting?.resume(with: result)
    }

    /// Takes the next update, the error, or the end for the waiting caller.
    private func takeResult() -> Result<OrientationUpdate?, any Error>? {
        guard waiting != nil else { return nil }
        if let update = subscription.takeUpdate() { return .success(update) }
        guard subscription.step == .end else { return nil }
        return subscription.takeError().map { .failure($0) } ?? .success(nil)
    }

    private func connect() {
        attempt {
            let channel = try Channel(
                to: path,
                onReadable: { [weak self] in self?.assumeIsolated { $0.readable() } },
                onWritable: { [weak self] in self?.assumeIsolated { $0.writable() } })
            self.channel = channel
            subscription.connected()
            try channel.write(&subscription)
        }
    }

    private func writable() {
        guard let channel, subscription.step == .exchange else { return }
        attempt { try channel.write(&subscription) }
        advance()
    }

    private func readable() {
        guard let channel, subscription.step == .exchange else { return }
        attempt { try channel.read(into: &subscription) }
        advance()
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            subscription.failed(error)
        }
    }

    private func startTimer(_ seconds: Double) {
        let timer = DispatchSource.makeTimerSource(queue: QueueExecutor.shared.queue)
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.timerFired() } }
        self.timer = timer
        timer.resume()
    }

    private func timerFired() {
        timer = nil
        subscription.timerFired()
        advance()
    }
}
