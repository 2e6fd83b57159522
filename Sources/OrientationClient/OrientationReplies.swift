// SPDX-License-Identifier: Apache-2.0

public import Varlink

/// The replies to one call, until the last, or until the task is cancelled. Each iterator calls on a connection of its own.
public struct OrientationReplies: AsyncSequence, Sendable {
    let call: Call
    let path: SocketPath

    /// Makes the call's connection; the call itself is made at the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(owner: Owner(CallConnection(call, at: path)))
    }

    /// Delivers the parameters of the replies.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        /// The next reply; nil after the last, or when the task was cancelled.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next() async throws -> JSONObject? {
            try await next(isolation: nil)
        }

        /// The next reply; nil after the last, or when the task was cancelled. The caller's actor is left only for the
        /// library's own queue.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONObject? {
            try await owner.connection.next()
        }
    }

    /// Closes the connection when the last copy of an iterator goes.
    fileprivate final class Owner: Sendable {
        let connection: CallConnection

        init(_ connection: CallConnection) {
            self.connection = connection
        }

        deinit {
            connection.stop()
        }
    }
}
