// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
public import OrientationModel
internal import OrientationWire
public import Varlink

/// Single calls to the daemon, each on its own connection.
///
///     let state = try await OrientationService().state()
///
/// To follow the orientation use ``OrientationMonitor``.
public struct OrientationService: Sendable {
    private let path: SocketPath
    private let timeout: Duration

    /// The default timeout: longer than the daemon takes to start and reply on a slow machine.
    public static let defaultTimeout = Duration.seconds(5)

    /// Creates a service without connecting.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket; by default `$ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it exists, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - timeout: the timeout of ``state()``, ``sensors()`` and ``call(_:_:)``.
    public init(socketPath: String? = nil, timeout: Duration = defaultTimeout) {
        path = SocketPath(explicit: socketPath)
        self.timeout = timeout
    }

    /// Creates a service of the session agent of a runtime directory, without connecting.
    package init(agentIn runtimeDirectory: String) {
        path = SocketPath(agentIn: runtimeDirectory)
        timeout = Self.defaultTimeout
    }

    /// Returns the current state. The daemon starts its sensor if it is off, and waits up to a second for the first
    /// sample.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func state() async throws -> OrientationState {
        let reply = try await call(OrientationInterface.get)
        return try parsed { () throws(JSONMismatch) in try OrientationState(reply: reply) }
    }

    /// Returns the sensors that the daemon found.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func sensors() async throws -> [SensorDescription] {
        let reply = try await call(OrientationInterface.listSensors)
        return try parsed { () throws(JSONMismatch) in try SensorDescription.sensors(reply: reply) }
    }

    /// Calls a method of the daemon and waits for its reply.
    ///
    /// - Parameters:
    ///   - method: the qualified method name.
    ///   - parameters: the parameters of the call.
    /// - Returns: the parameters of the reply.
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let connection = CallConnection(Call(method, parameters), at: path, timeout: timeout)
        guard let reply = try await connection.next() else { throw CancellationError() }
        return reply
    }

    /// Returns the replies to a call with `more`; each iterator makes the call. Replies are read only as they are
    /// taken. There is no reconnect, and no timeout: a reply may follow hours later.
    ///
    /// - Parameters:
    ///   - method: the qualified method name.
    ///   - parameters: the parameters of the call.
    /// - Returns: the parameters of the replies.
    public func replies(to method: String, _ parameters: JSONObject = [:]) -> OrientationReplies {
        OrientationReplies(call: Call(method, parameters, mode: .more), path: path)
    }

    private func parsed<Value>(_ read: () throws(JSONMismatch) -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw OrientationServiceError.notUnderstood(reason: error.description)
        }
    }
}
