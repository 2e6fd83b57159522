// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing
internal import Varlink

/// The handler of one Varlink interface: state without I/O, clock or callbacks.
protocol CallHandler {
    /// The interface's name.
    var interface: String { get }
    /// What the caller must be for this call; nil where every client may make it.
    func requirement(for call: Call) -> Authority.Requirement?
    /// Answers a call that is valid and permitted, now with ``Effect/reply(_:_:sequence:)`` or later.
    mutating func handle(_ call: Call, from caller: Caller, _ context: CallContext) -> [Effect]
}

/// What a handler may look at besides its own state while it answers a call.
struct CallContext {
    /// The boot clock, in seconds.
    let now: Double
    /// The state, without what was measured since its last change.
    let state: OrientationState
    /// Whether the call can be answered: the orientation is known, or why it is not, or the call has waited long enough.
    let isReadingKnown: Bool
    /// What the daemon knows of its sensor.
    let sensor: SensorHandler
    let machine: any Machine
}

/// What the daemon runs on, as far as handlers look at it. Reading it has no effect.
protocol Machine {
    /// The boot clock, in seconds.
    var now: Double { get }
    /// What the sensor thread measured.
    var readings: any SensorReadings { get }
    /// The connections, by user.
    var connections: [UserCount] { get }
    /// Whether a user has an active session on a seat.
    func isSeated(user: UInt32) -> Bool
}

/// What the sensor thread measured so far; each read takes a lock.
nonisolated protocol SensorReadings {
    /// The newest decision of the classifier; nil before the first.
    var newest: Attitude? { get }
    /// How the raw numbers of the source in use become samples.
    var arithmetic: SensorArithmetic { get }
    var sampleCount: Int64 { get }
    /// Samples and decisions that the loop was too slow to take.
    var droppedCount: Int64 { get }
    /// Samples per second lately; nil while there are none.
    var sampleRate: Double? { get }
}

extension SensorThread: SensorReadings {}
