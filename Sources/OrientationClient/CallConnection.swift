// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Varlink

/// One call on a connection of its own, and its replies.
actor CallConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private enum Phase {
        case idle
        case running(Channel)
        /// Over for good; with an error that the caller has yet to be told.
        case ended((any Error)?)
    }

    private let call: Call
    private let path: SocketPath
    private var phase = Phase.idle
    private var waiting: CheckedContinuation<JSONObject?, any Error>?

    init(_ call: Call, at path: SocketPath) {
        self.call = call
        self.path = path
    }

    /// The next reply; nil after the last, or once cancelled.
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

    /// Closes the connection. To be called from anywhere, also when the iterator goes.
    nonisolated func stop() {
        QueueExecutor.shared.queue.async { self.assumeIsolated { $0.end(nil) } }
    }

    private func start() throws {
        let channel = try Channel(
            to: path.current, call: call,
            onReadable: { [weak self] in self?.assumeIsolated { $0.readable() } },
            onWritable: { [weak self] in self?.assumeIsolated { $0.writable() } })
        phase = .running(channel)
        try channel.write()
    }

    private func writable() {
        guard case .running(let channel) = phase else { return }
        attempt { try channel.write() }
    }

    private func readable() {
        guard case .running(let channel) = phase else { return }
        attempt { try channel.read() }
        serve()
    }

    /// Hands over the next reply to whoever waits; while nobody does, nothing is read.
    private func serve() {
        attempt {
            guard case .running(let channel) = phase else { return }
            guard waiting != nil, let reply = try channel.nextReply() else { return channel.setReading(waiting != nil) }
            channel.setReading(false)
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
        serve()
    }

    private func resume(_ result: Result<JSONObject?, any Error>) {
        let continuation = waiting
        waiting = nil
        continuation?.resume(with: result)
    }
}
