// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Varlink
internal import VarlinkServer

/// The handler of one Varlink interface: state without I/O, clock or callbacks.
protocol CallHandler {
    /// A call with its decoded parameters; poses are in terms of the panel.
    associatedtype Request
    /// The interface's name.
    var interface: String { get }
    /// The permission that the call requires; nil if every client may make it.
    func requirement(for call: Call) -> Authority.Requirement?
    /// Takes the parameters of a permitted call; `natural` is the natural orientation, by which poses have their names.
    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request
    /// Answers a request, now with ``Effect/reply(_:_:sequence:)`` or later.
    mutating func handle(_ request: Request, from caller: Caller, _ context: CallContext) -> [Effect]
}

/// The input of a handler besides its own state.
struct CallContext {
    /// The boot clock, in seconds.
    let now: Double
    /// The state that was published last.
    let state: OrientationState
    /// The edge of the panel that is up, or was last; nil if unknown.
    let lastEdge: PanelEdge?
    let desktops: Desktops
    /// The last report of the sensor.
    let report: SensorState
    /// Whether the call can be answered: the orientation or the reason of its absence is known, or the call timed out.
    let isReadingKnown: Bool
    /// The URI of the source, as configured.
    let source: String
    let isSensorOpen: Bool
    /// The last failures of the sensor, newest last.
    let failures: [FailureNote]
    let machine: any Machine
}

/// The environment of the handlers. Reading it has no side effects.
protocol Machine {
    /// The boot clock, in seconds.
    var now: Double { get }
    /// The measurements of the sensor thread.
    var readings: SensorReadings { get }
    /// The connections, by user.
    var connections: [UserCount] { get }
    var hasClients: Bool { get }
    /// Whether a user has the active session on the seat of the device.
    func isSeated(user: UInt32) -> Bool
}
