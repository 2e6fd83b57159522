// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationModel
internal import OrientationWire
internal import Varlink

/// Keeps one subscription alive for one iterator: connects when first asked, again when the connection is lost, and
/// closes when cancelled.
actor MonitorConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private enum Phase {
        case idle
        case connected(Channel)
        case pausing(any DispatchSourceTimer)
        /// Over for good; with an error that the app has yet to be told.
        case ended((any Error)?)
    }

    private let path: SocketPath
    private var phase = Phase.idle
    private var buffer: UpdateBuffer
    private var pause = ReconnectPause()
    private var waiting: CheckedContinuation<OrientationUpdate?, any Error>?

    init(path: SocketPath, buffer: UpdateBuffer) {
        self.path = path
        self.buffer = buffer
    }

    /// The next update; nil once cancelled.
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

    /// Closes the connection. To be called from anywhere, also when the iterator goes.
    nonisolated func stop() {
        QueueExecutor.shared.queue.async { self.assumeIsolated { $0.end(nil) } }
    }

    /// Hands over what is there to whoever waits.
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

    /// Takes the replies that were read as far as there is room for them, and reads on only where there is more.
    private func takeReplies() {
        guard case .connected(let channel) = phase else { return }
        attempt {
            while buffer.hasRoom, let reply = try channel.nextReply() {
                buffer.put(try OrientationState(reply: reply.result.get()))
                guard reply.continues else {
                    throw OrientationServiceError.notConnected(reason: "the daemon ended the subscription")
                }
                pause.reset()
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
        let milliseconds = pause.grow(luck: .random(in: 0...1))
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.pauseIsOver() } }
        phase = .pausing(timer)
        timer.resume()
        serve()
    }

    private func pauseIsOver() {
        guard case .pausing = phase else { return }
        connect()
        serve()
    }
}
