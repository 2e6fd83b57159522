// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The measurements for untrusted clients: in coarse steps, the same for all of them, and renewed at most once per second
/// regardless of the number of calls. Finer or more frequent ones would reveal typing.
nonisolated struct CoarseMeasurements {
    /// Degrees.
    static let tiltStep = 5.0
    /// m/s². Rounded down, so that typing on a device at rest, which causes less than this, reads as 0.
    static let disturbanceStep = 0.5
    /// Seconds from one renewal to the next.
    static let interval = 1.0

    private var tilt: Double?
    private var disturbance: Double?
    private var renewed = -Double.infinity

    /// Replaces the measurements in `state`, a state with the newest ones, at the time `now` in seconds. `decided` is the
    /// timestamp of the sample that decided the orientation.
    mutating func blur(_ state: OrientationState, decided: Int64, at now: Double) -> OrientationState {
        if now - renewed >= Self.interval, state.tilt != nil || state.disturbance != nil {
            renewed = now
            // Adding 0 takes the sign from a zero.
            tilt = state.tilt.map { ($0 / Self.tiltStep).rounded() * Self.tiltStep + 0 }
            disturbance = state.disturbance.map { ($0 / Self.disturbanceStep).rounded(.down) * Self.disturbanceStep }
        }
        var coarse = state
        coarse.tilt = state.tilt == nil ? nil : tilt
        coarse.disturbance = state.disturbance == nil ? nil : disturbance
        coarse.timestamp = decided
        return coarse
    }
}
