// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The connection to the display server.
struct DisplayLink: Sendable {
    /// The seconds after a loss after which the delays of the attempts to open the display server start over.
    static let stableTime = 30.0

    /// Why the connection was lost; nil while there is one.
    private(set) var loss: String?
    private var lastLoss = 0.0
    private var reopening = ExponentialBackoff(initial: 0.25, maximum: 8)

    /// Records a loss; returns the delay of the next attempt, in seconds.
    mutating func lost(_ reason: String, at now: Double) -> Double {
        if now - lastLoss > Self.stableTime { reopening.reset() }
        (loss, lastLoss) = (reason, now)
        return reopening.next()
    }

    /// Records that there is a connection; returns why the former one was lost, nil if it was not.
    mutating func found() -> String? {
        defer { loss = nil }
        return loss
    }
}
