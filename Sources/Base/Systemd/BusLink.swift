// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// Keeps a connection to the system bus: reconnects with exponential backoff when the bus is missing or closes the
/// connection.
package final class BusLink {
    private let loop: EventLoop
    private let address: String?
    private let log: Logger
    private let opened: (BusConnection) throws(SystemError) -> Void
    private let lost: () -> Void
    private var connection: BusConnection?
    private var timer: EventSource?
    private var backoff = ExponentialBackoff(initial: 0.25, maximum: 30)
    private var isOutageLogged = false

    /// Connects to the system bus, or to the bus at `address`, once ``reconnect()`` is called. `opened` receives each
    /// new connection, which is invalid after `lost` was called.
    package init(
        on loop: EventLoop, address: String? = nil, log: Logger,
        opened: @escaping (BusConnection) throws(SystemError) -> Void,
        lost: @escaping () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.address = address
        self.log = log
        self.opened = opened
        self.lost = lost
        timer = try loop.timer { [unowned self] in connect() }
    }

    /// Connects, or reconnects, after the current callback.
    package func reconnect() {
        timer?.fire(after: 0)
    }

    /// Resets the backoff after the bus has replied.
    package func connectionEstablished() {
        backoff.reset()
        isOutageLogged = false
    }

    private func connect() {
        drop()
        do throws(SystemError) {
            let new = try BusConnection(on: loop, address: address) { [unowned self] in
                connectLater("the system bus closed the connection")
            }
            connection = new
            try opened(new)
        } catch {
            connectLater("\(error)")
        }
    }

    private func connectLater(_ reason: String) {
        drop()
        // The first reason of an outage.
        if !isOutageLogged {
            log.warning("\(reason); retrying, SensorProxy service unavailable until then")
        }
        isOutageLogged = true
        retry()
    }

    /// Connects again, after a delay, because the bus does not do what the connection needs.
    package func retry() { timer?.fire(after: backoff.next()) }

    private func drop() {
        guard connection != nil else { return }
        lost()
        connection = nil
    }
}
