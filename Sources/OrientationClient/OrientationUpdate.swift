// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// What an app knows at a moment: the daemon's newest state, or that there is no connection.
public enum OrientationUpdate: Hashable, Sendable {
    /// The daemon's state. After ``notConnected(reason:)`` it says that the connection is back, also when the state is
    /// the same as before.
    case state(OrientationState)
    /// There is no connection; it is being tried again. The reason is for a person.
    case notConnected(reason: String)
}

/// What a monitor keeps for an app that is slower than the device is turned.
public enum OrientationBuffering: Hashable, Sendable {
    /// The newest state; those before it are skipped. Right for nearly every app: orientation is state, not history.
    case newest
    /// Every change, up to so many, at least 1. When they are not taken the daemon is read no further, until it skips
    /// this client to the newest state; the gap shows in the states' `sequence`.
    case all(limit: Int)
}
