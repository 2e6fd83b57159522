// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The measurements for untrusted clients: in coarse steps, the same for all of them, and updated at most once per
/// second regardless of the number of calls. Finer steps or more frequent updates would reveal typing.
struct CoarseMeasurements {
    /// The step of the tilt, in degrees.
    static let tiltStep = 5.0
    /// The step of the disturbance, in m/s². Rounded down: typing on a device at rest causes less, and reads as 0.
    static let disturbanceStep = 0.5
    /// The interval between two updates, in seconds.
    static let interval = 1.0

    private var tilt: Double?
    private var disturbance: Double?
    private var renewed = -Double.infinity

    /// Replaces the measurements in `state`, a state with the newest ones, at the time `now` in seconds. `decided` is
    /// the timestamp of the sample that decided the orientation.
    mutating func blur(_ state: OrientationState, decided: Int64, at now: Double) -> OrientationState {
        if now - renewed >= Self.interval, state.tilt != nil || state.disturbance != nil {
            renewed = now
            // Adding 0 removes the sign of a zero.
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
