// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationClientCore
internal import Varlink

/// A connection for one call and its replies.
///
/// The timeout applies to the first reply.
actor CallConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private enum Phase {
        case idle
        case running(Channel)
        /// Ended, with an error that the caller has not received yet.
        case ended((any Error)?)
    }

    private let call: Call
    private var connection = ClientConnection(limits: .replies)
    private let path: SocketPath
    private let timeout: Duration?
    private var phase = Phase.idle
    private var waiting: CheckedContinuation<JSONObject?, any Error>?
    private var timer: (any DispatchSourceTimer)?

    init(_ call: Call, at path: SocketPath, timeout: Duration? = nil) {
        self.call = call
        self.path = path
        self.timeout = timeout
    }

    /// Returns the next reply; nil after the last reply or after cancellation.
    func next() async throws -> JSONObject? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting = continuation
                if case .idle = phase { attempt { try start() } }
                serve()
            }
        } onCancel: {
            stop()
        }
    }

    /// Closes the connection. May be called on any thread, also from `deinit` of the iterator.
    nonisolated func stop() {
        QueueExecutor.shared.queue.async { self.assumeIsolated { $0.end(nil) } }
    }

    private func start() throws {
        try connection.call(call)
        let channel = try Channel(
            to: path,
            onReadable: { [weak self] in self?.assumeIsolated { $0.readable() } },
            onWritable: { [weak self] in self?.assumeIsolated { $0.writable() } })
        phase = .running(channel)
        startTimer()
        try channel.write(&connection)
    }

    /// Starts the timeout, which does not count time in suspend.
    private func startTimer() {
        guard let timeout else { return }
        let timer = DispatchSource.makeTimerSource(queue: QueueExecutor.shared.queue)
        timer.schedule(deadline: .now() + timeout.interval, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.timedOut() } }
        self.timer = timer
        timer.resume()
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func timedOut() {
        guard timer != nil, let timeout else { return }
        end(OrientationServiceError.timedOut(after: timeout))
    }

    private func writable() {
        guard case .running(let channel) = phase else { return }
        attempt { try channel.write(&connection) }
    }

    private func readable() {
        guard case .running(let channel) = phase else { return }
        attempt { try channel.read(into: &connection) }
        serve()
    }

    /// Resumes the waiting caller with the next reply; without a waiting caller nothing is read.
    private func serve() {
        attempt {
            guard case .running(let channel) = phase else { return }
            guard waiting != nil, let reply = try connection.nextReply() else {
                return channel.setReading(waiting != nil)
            }
            channel.setReading(false)
            stopTimer()
            let parameters = try reply.result.get()
            if !reply.continues { phase = .ended(nil) }
            resume(.success(parameters))
        }
        if case .ended(let error) = phase, waiting != nil {
            phase = .ended(nil)
            resume(error.map { .failure($0) } ?? .success(nil))
        }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            end(OrientationServiceError(error))
        }
    }

    private func end(_ error: (any Error)?) {
        if case .ended = phase { return }
        phase = .ended(error)
        stopTimer()
        serve()
    }

    private func resume(_ result: Result<JSONObject?, any Error>) {
        let continuation = waiting
        waiting = nil
        continuation?.resume(with: result)
    }
}

extension Duration {
    /// The duration for Dispatch; `never` if it exceeds Dispatch's range.
    fileprivate var interval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) else { return .never }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
