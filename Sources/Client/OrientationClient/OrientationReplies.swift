// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
public import Varlink

/// The replies to a call as an asynchronous sequence. Each iterator makes the call on its own connection.
public struct OrientationReplies: AsyncSequence, Sendable {
    let call: Call
    let place: ServicePlace

    /// Creates an iterator, which connects and calls at the first `next()`.
    public func makeAsyncIterator() -> SubscriptionIterator<JSONObject> {
        SubscriptionIterator { [call, place] in try ServiceCall(call, to: place, timeout: nil).replies }
    }
}
