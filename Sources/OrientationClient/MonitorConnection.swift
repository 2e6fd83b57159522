// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationModel
internal import OrientationWire
internal import Varlink

/// The subscription of one iterator: connects at the first ``next()``, reconnects after a lost connection, and closes
/// on cancellation.
actor MonitorConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private enum Phase {
        case idle
        case connected(Channel)
        case waitingToReconnect(any DispatchSourceTimer)
        /// Ended, with an error that the app has not received yet.
        case ended((any Error)?)
    }

    private let path: SocketPath
    private var phase = Phase.idle
    private var buffer: UpdateBuffer
    private var backoff = ReconnectBackoff()
    private var waiting: CheckedContinuation<OrientationUpdate?, any Error>?

    init(path: SocketPath, buffer: UpdateBuffer) {
        self.path = path
        self.buffer = buffer
    }

    /// Returns the next update; nil after cancellation.
    func next() async throws -> OrientationUpdate? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting = continuation
                if case .idle = phase { connect() }
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

    /// Resumes the waiting caller with the next update, if there are both.
    private func serve() {
        guard let waiting else { return }
        if let update = buffer.take() {
            self.waiting = nil
            takeReplies()
            waiting.resume(returning: update)
        } else if case .ended(let error) = phase {
            self.waiting = nil
            phase = .ended(nil)
            waiting.resume(with: error.map { .failure($0) } ?? .success(nil))
        }
    }

    private func end(_ error: (any Error)?) {
        if case .ended = phase { return }
        if error == nil { buffer = UpdateBuffer(.newest, reportsConnection: false) }
        phase = .ended(error)
        serve()
    }
}

// MARK: The connection

extension MonitorConnection {
    private func connect() {
        attempt {
            let channel = try Channel(
                to: path, call: Call(OrientationInterface.monitor, mode: .more),
                onReadable: { [weak self] in self?.assumeIsolated { $0.readable() } },
                onWritable: { [weak self] in self?.assumeIsolated { $0.writable() } })
            phase = .connected(channel)
            try channel.write()
        }
    }

    private func writable() {
        guard case .connected(let channel) = phase else { return }
        attempt { try channel.write() }
    }

    private func readable() {
        guard case .connected(let channel) = phase else { return }
        attempt { try channel.read() }
        takeReplies()
        serve()
    }

    /// Moves received replies to the buffer while it has room, and pauses reading when it is full.
    private func takeReplies() {
        guard case .connected(let channel) = phase else { return }
        attempt {
            while buffer.hasRoom, let reply = try channel.nextReply() {
                buffer.put(try OrientationState(reply: reply.result.get()))
                guard reply.continues else {
                    throw OrientationServiceError.notConnected(reason: "the daemon ended the subscription")
                }
                backoff.reset()
            }
            channel.setReading(buffer.hasRoom)
        }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            let error = OrientationServiceError(error)
            if error.isFinal { end(error) } else { reconnect(after: error) }
        }
    }

    private func reconnect(after error: OrientationServiceError) {
        if case .notConnected(let reason) = error {
            buffer.put(notConnected: reason)
        } else {
            buffer.put(notConnected: error.description)
        }
        let timer = DispatchSource.makeTimerSource(queue: QueueExecutor.shared.queue)
        timer.schedule(deadline: .now() + backoff.next(jitter: .random(in: 0...1)), leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.reconnectTimerFired() } }
        phase = .waitingToReconnect(timer)
        timer.resume()
        serve()
    }

    private func reconnectTimerFired() {
        guard case .waitingToReconnect = phase else { return }
        connect()
        serve()
    }
}
