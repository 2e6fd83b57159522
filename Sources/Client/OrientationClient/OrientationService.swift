// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
public import OrientationModel
internal import OrientationWire
public import Varlink

/// Single calls to orientationd, each on its own connection.
///
///     let state = try await OrientationService().state()
///
/// To follow the orientation use ``OrientationMonitor``.
public struct OrientationService: Sendable {
    private let place: ServicePlace
    private let timeout: Duration

    /// The default timeout: longer than the daemon takes to start and reply on a slow machine.
    public static let defaultTimeout = OrientationConnection.stateTimeout

    /// Creates a service without connecting.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket; by default `$ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it exists, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - timeout: the timeout of ``state()``, ``sensors()`` and ``call(_:_:)``.
    public init(socketPath: String? = nil, timeout: Duration = defaultTimeout) {
        self.init(.any(socketPath: socketPath), timeout: timeout)
    }

    package init(_ place: ServicePlace, timeout: Duration = defaultTimeout) {
        self.place = place
        self.timeout = timeout
    }

    /// The longest wait for a first reading: sensors take a few tenths of a second.
    private static let readingTimeout = Duration.seconds(1)

    /// Returns the current state, of iio-sensor-proxy if orientationd is not running. Starts the sensor if it is off, and
    /// waits up to a second for the first sample.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func state() async throws -> OrientationState {
        let subscription = Subscription<OrientationState> { [place, timeout] in
            let connection = try OrientationConnection(place)
            var wait = ReadingWait(timeout, forReading: Self.readingTimeout)
            return ElementSource(fileDescriptor: connection.fileDescriptor) {
                try connection.next(&wait).map { [$0] } ?? []
            }
        }
        guard let state = try await subscription.next() else { throw CancellationError() }
        return state
    }

    /// Returns the sensors that the daemon found.
    ///
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func sensors() async throws -> [SensorDescription] {
        let reply = try await call(OrientationInterface.listSensors)
        do {
            return try SensorDescription.sensors(reply: reply)
        } catch {
            throw OrientationServiceError.notUnderstood(reason: error.description)
        }
    }

    /// Calls a method of the daemon and waits for its reply.
    ///
    /// - Parameters:
    ///   - method: the qualified method name.
    ///   - parameters: the parameters of the call.
    /// - Returns: the parameters of the reply.
    /// - Throws: ``OrientationServiceError``, or `CancellationError`.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let subscription = Subscription { [place, timeout] in
            try ServiceCall(Call(method, parameters), to: place, timeout: timeout).replies
        }
        guard let reply = try await subscription.next() else { throw CancellationError() }
        return reply
    }

    /// Returns the replies to a call with `more`; each iterator makes the call. Replies are read only as they are
    /// taken. There is no reconnect, and no timeout: a reply may follow hours later.
    ///
    /// - Parameters:
    ///   - method: the qualified method name.
    ///   - parameters: the parameters of the call.
    /// - Returns: the parameters of the replies.
    public func replies(to method: String, _ parameters: JSONObject = [:]) -> SubscriptionSequence<JSONObject> {
        let call = Call(method, parameters, mode: .more)
        return SubscriptionSequence { [place] in try ServiceCall(call, to: place, timeout: nil).replies }
    }
}
