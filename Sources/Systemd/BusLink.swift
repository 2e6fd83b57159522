// SPDX-License-Identifier: Apache-2.0

package import Logging

/// The way to the system bus, which may not be there yet, or go and come back: it is tried with growing pauses.
package final class BusLink {
    private let loop: EventLoop
    private let log: Logger
    private let opened: @MainActor (BusConnection) throws(SystemError) -> Void
    private let lost: @MainActor () -> Void
    private var connection: BusConnection?
    private var timer: EventSource?
    private var pause = BusLink.shortestPause
    private var isMissed = false

    /// The first and the longest pause before another try, in seconds; each is twice the one before.
    private static let shortestPause = 0.25
    private static let longestPause = 30.0

    /// Connects; `opened` has each new connection, which it is to use no longer once `lost` was called.
    package init(
        on loop: EventLoop, log: Logger, opened: @escaping @MainActor (BusConnection) throws(SystemError) -> Void,
        lost: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.opened = opened
        self.lost = lost
        timer = try loop.timer { [unowned self] in connect() }
    }

    /// Connects, or connects anew, as soon as the callback under way has returned.
    package func reconnect() {
        timer?.fire(after: 0)
    }

    /// The bus answers: the next outage is a new one.
    package func isWell() {
        pause = Self.shortestPause
        isMissed = false
    }

    private func connect() {
        drop()
        do throws(SystemError) {
            let new = try BusConnection(on: loop) { [unowned self] in
                miss("the system bus has closed the connection")
            }
            connection = new
            try opened(new)
        } catch {
            miss("\(error)")
        }
    }

    private func miss(_ reason: String) {
        drop()
        // Said once for each outage, however often it is tried.
        if !isMissed {
            log.warning("\(reason): desktops are not served over D-Bus until the bus is there; still trying")
        }
        isMissed = true
        timer?.fire(after: pause)
        pause = min(pause * 2, Self.longestPause)
    }

    private func drop() {
        guard connection != nil else { return }
        lost()
        connection = nil
    }
}
