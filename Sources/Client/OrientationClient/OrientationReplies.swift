// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
public import Varlink

/// The replies to a call as an asynchronous sequence. Each iterator makes the call on its own connection.
public struct OrientationReplies: AsyncSequence, Sendable {
    let call: Call
    let place: ServicePlace

    /// Creates an iterator, which connects and calls at the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            subscription: Subscription { [call, place] in try ServiceCall(call, to: place, timeout: nil).replies })
    }

    /// Delivers the parameters of the replies.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription<JSONObject>

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
            try await subscription.next()
        }
    }
}
