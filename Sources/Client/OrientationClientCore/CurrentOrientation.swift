// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import OrientationModel
internal import Posix

extension OrientationConnection {
    /// Waits for the current state, for example for the orientation of an app's first frame.
    ///
    /// If the sensor is off, the service starts it; its first reading is returned, or that there is no sensor. If this takes
    /// longer than the timeout, returns the newest state without a reading, which may have the `lastEdge` of an earlier one.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket, as for ``init(socketPath:buffering:)``.
    ///   - timeout: the longest time to wait. The first reading of a sensor takes about 0.2 s.
    /// - Returns: the current state.
    /// - Throws: ``OrientationServiceError``: immediately if no service is running or the daemon refuses the call,
    ///   ``OrientationServiceError/timedOut(after:)`` if there is no reply.
    public static func current(
        socketPath: String? = nil, timeout: Duration
    ) throws(OrientationServiceError) -> OrientationState {
        let current = try CurrentOrientation(.any(socketPath: socketPath), timeout: timeout, readingTimeout: timeout)
        while true {
            if let state = try current.next() { return state }
            var descriptor = pollfd(fd: current.fileDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, -1)
        }
    }
}

/// The wait for the current state, for any main loop.
package final class CurrentOrientation {
    private let connection: OrientationConnection
    private let timeout: Duration
    /// When an error is thrown, and when a state without a reading counts. Times of CLOCK_MONOTONIC in seconds.
    private let deadline, readingDeadline: Double
    private var newest: OrientationState?

    package init(
        _ source: OrientationSource, timeout: Duration, readingTimeout: Duration
    ) throws(OrientationServiceError) {
        connection = try OrientationConnection(source)
        self.timeout = timeout
        let now = MonotonicClock.now()
        (deadline, readingDeadline) = (now + timeout / .seconds(1), now + min(timeout, readingTimeout) / .seconds(1))
    }

    /// The descriptor to watch for reading.
    package var fileDescriptor: Int32 { connection.fileDescriptor }

    /// Returns the state; nil if it is not known yet.
    package func next() throws(OrientationServiceError) -> OrientationState? {
        for update in try connection.process() {
            switch update {
            case .state(let state):
                newest = state
                let hasReading = state.orientation != .unknown || state.natural == nil && state.lastPanelEdge != nil
                if hasReading || state.hasSensorFailed { return state }
            case .notConnected(let reason): throw connection.lastLoss ?? .notConnected(reason: reason)
            }
        }
        let now = MonotonicClock.now()
        if let newest, now >= readingDeadline { return newest }
        if now >= deadline { throw .timedOut(after: timeout) }
        connection.wakeUp(after: (newest == nil ? deadline : readingDeadline) - now)
        return nil
    }
}
