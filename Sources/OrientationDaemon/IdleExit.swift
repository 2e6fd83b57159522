// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Ends the daemon some time after the last client has disconnected. The service manager keeps the socket, and starts the
/// daemon again for the next client.
///
/// No client is lost: connections are accepted by the loop, which handles ``timerFired(isNeeded:)`` and the resulting
/// ``Event/end`` without an iteration in between. A connection that arrives later stays in the backlog of the socket.
struct IdleExit {
    /// The time without clients, in seconds; nil: the daemon does not end.
    let delay: Double?

    /// The daemon is ready, or a client has disconnected.
    func restartTimer() -> [Effect] {
        delay.map { [.setTimer(.idleExit, after: $0)] } ?? []
    }

    /// The timer of ``TimerID/idleExit`` fired; `isNeeded` is whether clients are connected, or state would be lost. The
    /// next client that disconnects starts the timer again.
    func timerFired(isNeeded: Bool) -> [Effect] {
        guard let delay, !isNeeded else { return [] }
        return [.log(.debug, "no client for \(delay) s: exiting"), .raise(.end)]
    }
}
