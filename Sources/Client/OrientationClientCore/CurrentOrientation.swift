// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import OrientationModel
internal import OrientationWire
internal import Varlink

extension OrientationConnection {
    /// Waits for the current state, for example for the orientation of an app's first frame.
    ///
    /// If the sensor is off, the daemon starts it and replies with its first reading, or that there is no sensor. If this
    /// takes longer than the timeout, returns the newest state without a reading, which may have the
    /// `lastEdge` of an earlier one.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the daemon's socket, as for ``init(socketPath:buffering:)``.
    ///   - timeout: the longest time to wait. The first reading of a sensor takes about 0.2 s.
    /// - Returns: the current state.
    /// - Throws: ``OrientationServiceError``: immediately if the daemon is not running or refuses the call,
    ///   ``OrientationServiceError/timedOut(after:)`` if it does not reply.
    public static func current(
        socketPath: String? = nil, timeout: Duration
    ) throws(OrientationServiceError) -> OrientationState {
        do {
            return try CurrentOrientation(SocketPath(explicit: socketPath), timeout: timeout).wait()
        } catch {
            throw OrientationServiceError(error)
        }
    }
}

/// Two calls in parallel: `Get`, which waits for a reading, and `Monitor`, whose first reply has the state meanwhile.
private struct CurrentOrientation {
    /// The delay before the next attempt while the backlog of the daemon is full, in milliseconds.
    private static let busyDelay: Int32 = 10

    private let timeout: Duration
    private let deadline: Duration
    private let path: SocketPath

    init(_ path: SocketPath, timeout: Duration) {
        self.path = path
        self.timeout = timeout
        deadline = Self.now + timeout
    }

    func wait() throws -> OrientationState {
        let reading = try PendingCall(Call(OrientationInterface.get), socket: connect())
        // Without a second connection, as at a limit, there is only no state without a reading.
        let interim = try? PendingCall(
            Call(OrientationInterface.monitor, mode: .more), socket: SocketOwner(path.connect()))
        var newest: OrientationState?
        while true {
            if let state = try reading.takeState() { return state }
            // `reading` has the reason if the daemon fails.
            if let state = try? interim?.takeState() { newest = state }
            guard remainingMilliseconds > 0 else { break }
            var descriptors = [reading.polled] + (interim.map { [$0.polled] } ?? [])
            poll(&descriptors, nfds_t(descriptors.count), remainingMilliseconds)
        }
        guard let newest else { throw OrientationServiceError.timedOut(after: timeout) }
        return newest
    }

    /// Connects; while the backlog of the daemon is full, retries until the deadline.
    private func connect() throws -> SocketOwner {
        while true {
            do {
                return SocketOwner(try path.connect())
            } catch SocketError.busy where remainingMilliseconds > 0 {
                poll(nil, 0, min(Self.busyDelay, remainingMilliseconds))
            }
        }
    }

    /// The time until the deadline, rounded up.
    private var remainingMilliseconds: Int32 {
        let (seconds, attoseconds) = (deadline - Self.now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let rest = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return Int32(min(seconds, 1_000_000) * 1_000 + rest)
    }

    /// The time of CLOCK_MONOTONIC, which does not count system sleep.
    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A call and its replies, on a connection of its own.
private final class PendingCall {
    private let socket: SocketOwner
    private var connection = ClientConnection(limits: .replies)
    private var isWriting = true
    private var isEnded = false

    init(_ call: Call, socket: SocketOwner) throws {
        self.socket = socket
        try connection.call(call)
    }

    /// Exchanges bytes without waiting; returns the newest state that was received.
    func takeState() throws -> OrientationState? {
        guard !isEnded else { return nil }
        var state: OrientationState?
        do {
            isWriting = try socket.write(&connection)
            try socket.read(into: &connection)
            while let reply = try connection.nextReply() { state = try OrientationState(reply: reply.result.get()) }
        } catch {
            isEnded = true
            throw error
        }
        return state
    }

    /// What to wait for; nothing after an error.
    var polled: pollfd {
        let events = POLLIN | (isWriting ? POLLOUT : 0)
        return pollfd(fd: isEnded ? -1 : socket.descriptor, events: Int16(events), revents: 0)
    }
}
