// SPDX-License-Identifier: Apache-2.0

@_exported public import OrientationClientCore
public import OrientationModel

/// The orientation of the device as an asynchronous sequence: the current state, then every change.
///
///     for try await state in OrientationMonitor() {
///         print(state.orientation)
///     }
///
/// The states are those of orientationd or, without it, of iio-sensor-proxy, which reports faces and the edge of the panel
/// only: see `OrientationState.natural`. The sensor runs while an iterator is connected. If no service is
/// running or it restarts, the monitor reconnects with exponential backoff, after at most 0.4 s, or 10 s during a long outage.
/// It continues with the newest state; a state that was already delivered, by `instance` and `sequence`, is skipped. An app
/// that displays the connection status iterates ``updates`` instead.
///
/// Each iterator has its own connection, opened by the first `next()` and closed on cancellation or in `deinit`; there
/// is no thread per monitor. The sequence ends only on cancellation. It throws
/// ``OrientationServiceError/unusablePath(reason:)``, ``OrientationServiceError/permissionDenied(needs:)`` or
/// ``OrientationServiceError/refused(_:)``, which reconnecting cannot resolve.
public struct OrientationMonitor: AsyncSequence, Sendable {
    private let source: ServicePlace
    private let buffering: OrientationBuffering

    /// Creates a monitor without connecting.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket; by default `$ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it exists, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - buffering: the changes to keep while the app does not call `next()`.
    public init(socketPath: String? = nil, buffering: OrientationBuffering = .newest) {
        self.init(.any(socketPath: socketPath), buffering: buffering)
    }

    package init(_ source: ServicePlace, buffering: OrientationBuffering) {
        self.source = source
        self.buffering = buffering
    }

    /// Creates an iterator with its own subscription.
    public func makeAsyncIterator() -> SubscriptionIterator<OrientationState> {
        SubscriptionIterator { [source, buffering] in
            let connection = try OrientationConnection(source, buffering, reportsConnection: false)
            return connection.elements { if case .state(let state) = $0 { state } else { nil } }
        }
    }

    /// The states and the connection status.
    public var updates: SubscriptionSequence<OrientationUpdate> { updates(isProbing: false) }

    /// With `isProbing` the daemon is asked every 2 s: without a reply within 5 s the connection is lost. Without `sensor` only
    /// the rotation lock and the tablet mode are known.
    package func updates(isProbing: Bool, sensor: Bool = true) -> SubscriptionSequence<OrientationUpdate> {
        SubscriptionSequence { [source, buffering] in
            let connection = try OrientationConnection(source, buffering, sensor: sensor)
            connection.setProbing(isProbing)
            return connection.elements { $0 }
        }
    }
}
