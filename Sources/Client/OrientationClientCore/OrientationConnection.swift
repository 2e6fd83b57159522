// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

/// The orientation of the device for any main loop: the current state, then every change.
///
/// The connection is synchronous and belongs to one thread at a time. It starts no thread and no task, and needs neither
/// Dispatch nor Foundation. The main loop watches ``fileDescriptor`` for reading and calls ``process()``:
///
///     let connection = try OrientationConnection()
///     var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
///     while poll(&descriptor, 1, -1) >= 0 {
///         for case .state(let state) in try connection.process() { print(state.orientation) }
///     }
///
/// The states are those of orientationd or, without it, of iio-sensor-proxy, which reports faces and the edge of the panel
/// only: see `OrientationState.natural`. `$ORIENTATION_BACKEND` chooses one: `varlink`, `sensorproxy` or
/// `none`.
///
/// The sensor runs while the object exists and is connected. If no service is running or it restarts, the connection
/// reconnects as ``OrientationUpdate`` reports: with exponential backoff, after at most 0.4 s, or 10 s during a long outage.
/// A service that sends no state within 5 s is reported as well. A state that was already returned, by `instance` and
/// `sequence`, is skipped unless the connection was lost. While nothing changes, the main loop is not woken.
///
/// Releasing the object closes its descriptors: first remove ``fileDescriptor`` from the main loop.
public final class OrientationConnection {
    let handle: LibraryHandle
    private var pending: PendingUpdates
    /// The updates that are kept for the app.
    package let buffering: OrientationBuffering

    /// Creates a connection; the first ``process()`` connects.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket; by default `$ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it exists, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - buffering: with `.newest`, ``process()`` returns at most one update; with `.all(limit:)` every change, at most
    ///     `limit` states in one call.
    /// - Throws: ``OrientationServiceError/unusablePath(reason:)``, or ``OrientationServiceError/notConnected(reason:)`` if
    ///   the process has too many open files.
    public convenience init(
        socketPath: String? = nil, buffering: OrientationBuffering = .newest
    ) throws(OrientationServiceError) {
        try self.init(.any(socketPath: socketPath), buffering)
    }

    /// Creates a connection as ``init(socketPath:buffering:)`` does. Without `sensor` only the rotation lock and the tablet
    /// mode are known, and of the sensors at most those of the lid angle run. Without `reportsConnection` the loss of a
    /// connection is no update.
    package init(
        _ source: ServicePlace, _ buffering: OrientationBuffering = .newest, sensor: Bool = true,
        reportsConnection: Bool = true
    ) throws(OrientationServiceError) {
        var setup = orientation_setup()
        setup.daemon_only = source.isDaemonOnly
        setup.without_sensor = !sensor
        if case .all(let limit) = buffering { setup.limit = UInt32(clamping: max(1, limit)) }
        self.buffering = buffering
        pending = PendingUpdates(buffering, reportsConnection: reportsConnection)
        handle = try LibraryHandle(at: source.place, setup)
    }

    /// Whether the connection is suspended.
    public private(set) var isSuspended = false

    /// The descriptor to watch for reading. It is the same during the life of the object, and is readable if and only if
    /// ``process()`` has work: also at the beginning, and when the time to reconnect has come. So there is no other
    /// descriptor, no timeout and no event mask to watch. Do not read from it.
    public var fileDescriptor: Int32 { handle.fileDescriptor }

    /// Connects, receives and reconnects as far as possible without waiting; returns the new updates.
    ///
    /// Call it when ``fileDescriptor`` is readable, or at any time, for example once per frame.
    ///
    /// - Throws: ``OrientationServiceError/permissionDenied(needs:)`` or ``OrientationServiceError/refused(_:)``, which
    ///   reconnecting cannot resolve, once. The connection has then ended: the descriptor is not readable any more, and
    ///   further calls return no updates.
    public func process() throws(OrientationServiceError) -> [OrientationUpdate] {
        for update in handle.process() { pending.add(update) }
        guard case .failed(let error) = pending.phase else { return pending.take() }
        orientation_suspend(handle.pointer)
        let updates = pending.take()
        guard updates.isEmpty else {
            // The error follows.
            orientation_set_alarm(handle.pointer, 0)
            return updates
        }
        pending.phase = .ended
        throw error
    }

    /// Disconnects until ``resume()``, so that the daemon's sensor can stop. Updates that ``process()`` has not returned are
    /// discarded.
    public func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        orientation_suspend(handle.pointer)
        pending.forget()
    }

    /// Connects again after ``suspend()``, and also after an error that ended the connection: the descriptor becomes
    /// readable, and ``process()`` returns the current state first.
    public func resume() {
        if !isSuspended, case .following = pending.phase { return }
        isSuspended = false
        pending.forget()
        orientation_resume(handle.pointer)
    }

    /// Makes ``fileDescriptor`` readable after this time in seconds, once, for a follower that has work then; nil cancels
    /// it.
    package func wakeUp(after seconds: Double?) {
        // Rounded up: a follower that is woken too early has no work.
        orientation_set_alarm(handle.pointer, seconds.map { Int64((min(max($0, 0), 1e9) * 1_000).rounded(.up)) } ?? -1)
    }

    /// Asks the daemon every 2 s while on: without a reply within 5 s the connection is lost.
    package func setProbing(_ isOn: Bool) { orientation_set_probing(handle.pointer, isOn) }

    /// The timeout for the first state of a service.
    package static let stateTimeout = Duration.milliseconds(ORIENTATION_REPLY_TIMEOUT)

    /// The last reported loss; nil before the first.
    package var lastLoss: OrientationServiceError? { pending.lastLoss }
}
