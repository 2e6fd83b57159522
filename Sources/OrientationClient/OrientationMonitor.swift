// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// How the device is held: now, then at every change.
///
///     for try await state in OrientationMonitor() {
///         print(state.orientation)
///     }
///
/// The daemon's sensor runs while somebody iterates. When the daemon is not there yet, or restarts, the monitor connects
/// again by itself, after pauses that grow to 0.4 s, and to 10 s while it is gone for long. It goes on with the newest
/// state; a state that the app has already, by `instance` and `sequence`, is not delivered again. An app that shows
/// whether there is a connection iterates ``updates`` instead.
///
/// Each iterator has a connection of its own, made at the first `next()` and closed when the task is cancelled or the
/// iterator goes; there is no thread per monitor. The sequence ends only when cancelled. It throws
/// ``OrientationServiceError/unusablePath(reason:)`` or ``OrientationServiceError/refused(_:)``, since no further
/// attempt could end otherwise.
public struct OrientationMonitor: AsyncSequence, Sendable {
    private let path: SocketPath
    private let buffering: OrientationBuffering

    /// Makes a monitor; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - socketPath: the daemon's socket; without it the environment's `ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it is there, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - buffering: what is kept while the app does not ask.
    public init(socketPath: String? = nil, buffering: OrientationBuffering = .newest) {
        path = SocketPath(explicit: socketPath)
        self.buffering = buffering
    }

    /// Begins a subscription of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            subscription: Subscription(path: path, buffer: UpdateBuffer(buffering, reportsConnection: false)))
    }

    /// The states, and that there is no connection.
    public var updates: Updates {
        Updates(path: path, buffering: buffering)
    }

    /// Delivers the states of one subscription.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        /// The next state; nil when the task was cancelled.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next() async throws -> OrientationState? {
            try await next(isolation: nil)
        }

        /// The next state; nil when the task was cancelled. The caller's actor is left only for the library's own
        /// queue, so that an app that lives on its main actor starts no other threads.
        ///
        /// - Throws: ``OrientationServiceError``, once; nil follows.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> OrientationState? {
            while let update = try await subscription.connection.next() {
                if case .state(let state) = update { return state }
            }
            return nil
        }
    }

    /// A monitor's states, and in between that there is no connection.
    public struct Updates: AsyncSequence, Sendable {
        fileprivate let path: SocketPath
        fileprivate let buffering: OrientationBuffering

        /// Begins a subscription of its own.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                subscription: Subscription(path: path, buffer: UpdateBuffer(buffering, reportsConnection: true)))
        }

        /// Delivers the updates of one subscription.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription

            /// The next update; nil when the task was cancelled.
            ///
            /// - Throws: ``OrientationServiceError``, once; nil follows.
            public mutating func next() async throws -> OrientationUpdate? {
                try await next(isolation: nil)
            }

            /// The next update; nil when the task was cancelled. The caller's actor is left only for the library's own
            /// queue.
            ///
            /// - Throws: ``OrientationServiceError``, once; nil follows.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> OrientationUpdate? {
                try await subscription.connection.next()
            }
        }
    }
}

/// Closes the connection when the last copy of an iterator goes.
private final class Subscription: Sendable {
    let connection: MonitorConnection

    init(path: SocketPath, buffer: UpdateBuffer) {
        connection = MonitorConnection(path: path, buffer: buffer)
    }

    deinit {
        connection.stop()
    }
}
