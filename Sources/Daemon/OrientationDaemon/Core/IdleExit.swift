// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Ends the daemon some time after the last client has disconnected. The service manager keeps the socket, and starts the
/// daemon again for the next client.
///
/// No client is lost: connections are accepted by the loop, which handles ``timerFired(hasClients:holdsState:)`` and the
/// resulting ``Event/end`` without an iteration in between. A connection that arrives later stays in the backlog of the
/// socket.
struct IdleExit {
    /// The time without clients, in seconds; nil: the daemon does not end.
    let delay: Double?

    /// The daemon is ready, or a client has disconnected.
    func restartTimer() -> [Effect] {
        delay.map { [.setTimer(.idleExit, after: $0)] } ?? []
    }

    /// The timer of ``TimerID/idleExit`` fired. The next client that disconnects starts it again; it is started at once if only
    /// state that would be lost keeps the daemon running, such as a lock that is not written yet.
    func timerFired(hasClients: Bool, holdsState: Bool) -> [Effect] {
        guard let delay, !hasClients else { return [] }
        if holdsState { return restartTimer() }
        return [.log(.debug, "no client for \(delay) s: exiting"), .raise(.end)]
    }
}
