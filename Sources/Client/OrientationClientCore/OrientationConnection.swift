// SPDX-License-Identifier: Apache-2.0

internal import Varlink

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
/// The daemon's sensor runs while the object exists and is connected. If the daemon is not running or restarts, the
/// connection reconnects as ``OrientationUpdate`` reports: with exponential backoff, after at most 0.4 s, or 10 s during a
/// long outage. A state that was already returned, by `instance` and `sequence`, is skipped unless the connection was
/// lost. While nothing changes, the main loop is not woken.
///
/// Releasing the object closes its descriptors: first remove ``fileDescriptor`` from the main loop.
public final class OrientationConnection {
    private let path: SocketPath
    private let buffering: OrientationBuffering
    private let asksForLid: Bool
    private var wakeSource: WakeSource
    private var subscription: SubscriptionState
    private var socket: SocketOwner?
    /// The delay for which the timer was set; nil if it is off.
    private var timer: Double?

    /// Creates a connection; the first ``process()`` connects.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket; by default `$ORIENTATIOND_SOCKET`, else
    ///     `/run/orientationd/orientationd.sock` if it exists, else `$XDG_RUNTIME_DIR/orientationd.sock`.
    ///   - buffering: with `.newest`, ``process()`` returns at most one update; with `.all(limit:)` every change, at most
    ///     `limit` in one call.
    /// - Throws: ``OrientationServiceError/notConnected(reason:)`` if the process has too many open files.
    public convenience init(
        socketPath: String? = nil, buffering: OrientationBuffering = .newest
    ) throws(OrientationServiceError) {
        try self.init(socketPath: socketPath, buffering: buffering, lid: false)
    }

    /// Creates a connection whose states have the lid angle of a laptop if `lid` is true, and the tablet mode that follows
    /// from it; see ``init(socketPath:buffering:)``.
    ///
    /// Sensors of the lid angle run while a connection asks for it. A daemon that is older than this parameter refuses the
    /// connection.
    public init(
        socketPath: String? = nil, buffering: OrientationBuffering = .newest, lid: Bool
    ) throws(OrientationServiceError) {
        asksForLid = lid
        path = SocketPath(explicit: socketPath)
        self.buffering = buffering
        subscription = SubscriptionState(buffering, reportsConnection: true, asksForLid: lid)
        do throws(SocketError) {
            wakeSource = try WakeSource()
        } catch {
            throw OrientationServiceError(error)
        }
        timer = 0
        wakeSource.setTimer(after: timer)
    }

    /// Whether the connection is suspended.
    public private(set) var isSuspended = false

    /// Whether the timer is running or has fired.
    var isTimerSet: Bool { wakeSource.isTimerSet }

    deinit {
        wakeSource.unwatch()
    }

    /// The descriptor to watch for reading. It is the same during the life of the object, and is readable if and only if
    /// ``process()`` has work: also at the beginning, and when the time to reconnect has come. So there is no other
    /// descriptor, no timeout and no event mask to watch. Do not read from it.
    public var fileDescriptor: Int32 { wakeSource.descriptor }

    /// Connects, receives and reconnects as far as possible without waiting; returns the new updates.
    ///
    /// Call it when ``fileDescriptor`` is readable, or at any time, for example once per frame.
    ///
    /// - Throws: ``OrientationServiceError/unusablePath(reason:)``, ``OrientationServiceError/permissionDenied(needs:)`` or
    ///   ``OrientationServiceError/refused(_:)``, which reconnecting cannot resolve, once. The connection has then ended:
    ///   the descriptor is not readable any more, and further calls return no updates.
    public func process() throws(OrientationServiceError) -> [OrientationUpdate] {
        let ready = wakeSource.poll()
        if ready.alarm { wakeSource.setAlarm(after: nil) }
        if ready.timer { subscription.timerFired() }
        switch subscription.step {
        case .connect: connect()
        case .exchange where ready.socket: exchange()
        case .exchange, .wait, .end: break
        }
        subscription.takeReplies()
        var updates: [OrientationUpdate] = []
        let isFull = !subscription.hasRoom
        while let update = subscription.takeUpdate() { updates.append(update) }
        let error = updates.isEmpty ? subscription.takeError() : nil
        follow(hasMore: isFull || subscription.hasError, timerFired: ready.timer)
        if let error { throw error }
        return updates
    }

    /// Disconnects until ``resume()``, so that the daemon's sensor can stop. Updates that ``process()`` has not returned are
    /// discarded.
    public func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        subscription.stop()
        follow(hasMore: false, timerFired: false)
    }

    /// Connects again after ``suspend()``, and also after an error that ended the connection: the descriptor becomes
    /// readable, and ``process()`` returns the current state first.
    public func resume() {
        guard isSuspended || subscription.step == .end else { return }
        isSuspended = false
        closeSocket()
        subscription = SubscriptionState(buffering, reportsConnection: true, asksForLid: asksForLid)
        timer = 0
        wakeSource.setTimer(after: timer)
    }

    /// Makes ``fileDescriptor`` readable after this time in seconds, once, for a follower that has work then; nil cancels
    /// it. Without a free descriptor there is no wake-up.
    package func wakeUp(after seconds: Double?) { wakeSource.setAlarm(after: seconds) }

    private func connect() {
        do {
            socket = SocketOwner(try path.connect())
            subscription.connected()
        } catch {
            return subscription.failed(error)
        }
        exchange()
    }

    private func exchange() {
        guard let socket else { return }
        do throws(SocketError) {
            let isWriting = try socket.write(&subscription)
            try socket.read(into: &subscription)
            try wakeSource.watch(socket.descriptor, forWriting: isWriting)
        } catch {
            subscription.failed(error)
        }
    }

    /// Brings the socket and the timer in line with the subscription; `hasMore` requests another call at once.
    private func follow(hasMore: Bool, timerFired: Bool) {
        let delay: Double?
        switch subscription.step {
        case .connect: delay = 0
        case .exchange: delay = hasMore ? 0 : nil
        case .wait(let seconds):
            closeSocket()
            delay = seconds
        case .end:
            closeSocket()
            delay = hasMore ? 0 : nil
        }
        guard timerFired || delay != timer else { return }
        timer = delay
        wakeSource.setTimer(after: delay)
    }

    private func closeSocket() {
        wakeSource.unwatch()
        socket = nil
    }
}
