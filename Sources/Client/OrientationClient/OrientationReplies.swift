// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
public import Varlink

/// The replies to a call as an asynchronous sequence. Each iterator makes the call on its own connection.
public struct OrientationReplies: AsyncSequence, Sendable {
    let call: Call
    let path: SocketPath

    /// Creates an iterator, which connects and calls at the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(owner: Owner(CallConnection(call, at: path)))
    }

    /// Delivers the parameters of the replies.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        /// Returns the next reply; nil after the last reply or after cancellation.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next() async throws -> JSONObject? {
            try await next(isolation: nil)
        }

        /// Returns the next reply; nil after the last reply or after cancellation. Switches from the caller's actor
        /// only to the library's queue.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONObject? {
            try await owner.connection.next()
        }
    }

    /// Closes the connection when the last copy of an iterator is released.
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
