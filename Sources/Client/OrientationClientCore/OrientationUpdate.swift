// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A new state, or the loss of the connection.
public enum OrientationUpdate: Hashable, Sendable {
    /// The daemon's state. After ``notConnected(reason:)`` it also reports the new connection, even if the state is
    /// unchanged.
    case state(OrientationState)
    /// The connection was lost; the subscription reconnects.
    case notConnected(reason: String)
}

/// The states that a subscription buffers for an app that reads slower than they change.
public enum OrientationBuffering: Hashable, Sendable {
    /// The newest state; older ones are skipped. Suitable for nearly every app.
    case newest
    /// Every change, up to `limit` (at least 1). When the buffer is full the client stops reading, and the daemon then
    /// skips this client to the newest state; `sequence` shows the gap.
    case all(limit: Int)
}
