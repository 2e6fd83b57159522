// SPDX-License-Identifier: Apache-2.0

public import OrientationModel
internal import OrientationWire
public import Varlink

/// Asks the daemon single questions; each on a connection of its own.
///
/// To follow the orientation use ``OrientationMonitor``.
public struct OrientationService: Sendable {
    private let path: SocketPath
    private let timeout: Duration

    /// Longer than a working daemon takes to start and to reply on a slow machine.
    public static let defaultTimeout = Duration.seconds(5)

    /// Makes a service; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - socketPath: the daemon's socket; without it the environment's `ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it is there, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - timeout: how long ``state()``, ``sensors()`` and ``call(_:_:)`` wait for the reply.
    public init(socketPath: String? = nil, timeout: Duration = defaultTimeout) {
        path = SocketPath(explicit: socketPath)
        self.timeout = timeout
    }

    /// How the device is held now. The daemon starts its sensor for that if it is off, and waits up to a second for the
    /// first sample.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func state() async throws -> OrientationState {
        let reply = try await call(OrientationInterface.get)
        return try understood { () throws(JSONMismatch) in try OrientationState(reply: reply) }
    }

    /// The sensors that the daemon found.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func sensors() async throws -> [SensorDescription] {
        let reply = try await call(OrientationInterface.listSensors)
        return try understood { () throws(JSONMismatch) in try SensorDescription.sensors(reply: reply) }
    }

    /// Calls any method of the daemon and waits for its one reply.
    ///
    /// - Parameters:
    ///   - method: the name with its interface.
    ///   - parameters: what the interface says; none by default.
    /// - Returns: the parameters of the reply.
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let connection = CallConnection(Call(method, parameters), at: path, timeout: timeout)
        guard let reply = try await connection.next() else { throw CancellationError() }
        return reply
    }

    /// Calls any method of the daemon that has more than one reply, each time that the sequence is iterated. The daemon is
    /// read only as fast as the replies are taken, and there is no second attempt when the connection is lost. There is
    /// no timeout: a reply may be hours away.
    ///
    /// - Parameters:
    ///   - method: the name with its interface.
    ///   - parameters: what the interface says; none by default.
    /// - Returns: the parameters of the replies.
    public func replies(to method: String, _ parameters: JSONObject = [:]) -> OrientationReplies {
        OrientationReplies(call: Call(method, parameters, mode: .more), path: path)
    }

    private func understood<Value>(_ read: () throws(JSONMismatch) -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw OrientationServiceError.notUnderstood(reason: error.description)
        }
    }
}
