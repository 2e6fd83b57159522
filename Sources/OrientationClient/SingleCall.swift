// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Varlink

/// One call on a connection of its own.
actor SingleCall {
    nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }

    private var channel: Channel?
    private var waiting: CheckedContinuation<JSONObject, any Error>?
    private var isCancelled = false

    /// Connects, calls and waits for the reply; once only.
    func perform(_ call: Call, at path: String) async throws -> JSONObject {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting = continuation
                start(call, at: path)
            }
        } onCancel: {
            QueueExecutor.shared.queue.async { self.assumeIsolated { $0.cancel() } }
        }
    }

    private func start(_ call: Call, at path: String) {
        guard !isCancelled else { return finish(.failure(CancellationError())) }
        attempt {
            channel = try Channel(
                to: path, call: call,
                onReadable: { [weak self] in self?.assumeIsolated { $0.readable() } },
                onWritable: { [weak self] in self?.assumeIsolated { $0.writable() } })
            try channel?.write()
        }
    }

    private func cancel() {
        isCancelled = true
        finish(.failure(CancellationError()))
    }

    private func writable() {
        attempt { try channel?.write() }
    }

    private func readable() {
        attempt {
            try channel?.read()
            guard let reply = try channel?.nextReply() else { return }
            finish(.success(try reply.result.get()))
        }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            finish(.failure(OrientationServiceError(error)))
        }
    }

    private func finish(_ result: Result<JSONObject, any Error>) {
        channel = nil
        waiting?.resume(with: result)
        waiting = nil
    }
}
