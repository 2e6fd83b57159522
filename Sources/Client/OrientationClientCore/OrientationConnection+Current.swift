// SPDX-License-Identifier: Apache-2.0

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
        let connection = try OrientationConnection(socketPath: socketPath)
        var wait = ReadingWait(timeout, forReading: timeout)
        while true {
            if let state = try connection.next(&wait) { return state }
            connection.handle.wait()
        }
    }

    /// Returns the current state when it has a reading, or when the wait for one is over; nil before: the descriptor becomes
    /// readable in time.
    package func next(_ wait: inout ReadingWait) throws(OrientationServiceError) -> OrientationState? {
        for update in try process() {
            switch update {
            case .state(let state):
                wait.newest = state
                let hasReading = state.orientation != .unknown || state.natural == nil && state.lastPanelEdge != nil
                if hasReading || state.hasSensorFailed { return state }
            case .notConnected(let reason): throw lastLoss ?? .notConnected(reason: reason)
            }
        }
        let now = MonotonicClock.now()
        if let newest = wait.newest, now >= wait.readingDeadline { return newest }
        if now >= wait.deadline { throw .timedOut(after: wait.timeout) }
        wakeUp(after: (wait.newest == nil ? wait.deadline : wait.readingDeadline) - now)
        return nil
    }
}

/// A wait for the current state.
package struct ReadingWait {
    fileprivate let timeout: Duration
    /// When an error is thrown, and when a state without a reading counts. Times of CLOCK_MONOTONIC in seconds.
    fileprivate let deadline, readingDeadline: Double
    fileprivate var newest: OrientationState?

    package init(_ timeout: Duration, forReading readingTimeout: Duration) {
        self.timeout = timeout
        let now = MonotonicClock.now()
        (deadline, readingDeadline) = (now + timeout / .seconds(1), now + min(timeout, readingTimeout) / .seconds(1))
    }
}
